import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  baseUrlVariable,
  ConfigError,
  type Env,
  integerVariable,
  readConfig,
  urlVariable,
} from '@smartlink/process/config';

/** Numbers of scenarios: help, minimum, maximum. scenarios.ts has the defaults. */
const NUMBERS = {
  RATE: ['visits per second; for management lives of a smartlink, with five API calls each', 1, 200_000],
  DURATION_SECONDS: ['duration of the load, in seconds', 1, 86_400],
  UNKNOWN_RATE: ['visits per second to unknown slugs', 1, 10_000],
  LINKS: ['number of smartlinks to create and visit', 1, 1_000_000],
  SEED: ['random seed; the same seed repeats the same visits', 0, 4_294_967_295],
  ZIPF_EXPONENT: ['skew of the popularity of links; 0 for none', 0, 5],
  VUS_MAX: ['maximum number of concurrent visits', 1, 20_000],
  P99_MS: ['threshold: 99th percentile of visits, in milliseconds', 1, 60_000],
  API_P95_MS: ['threshold: 95th percentile of API calls, in milliseconds', 1, 60_000],
  DROPPED_PERCENT: ['threshold: visits that k6 could not start in time, in percent', 0, 100],
  PEAK_RATE: ['visits per second during the spike', 1, 200_000],
  PEAK_SECONDS: ['duration of the spike, in seconds', 1, 3_600],
  STEP_RATE: ['visits per second added by each step', 1, 100_000],
  STEP_SECONDS: ['duration of a step, in seconds', 2, 600],
  STEPS_MAX: ['maximum number of steps', 1, 200],
} as const satisfies Record<string, readonly [help: string, min: number, max: number]>;

export type NumberName = keyof typeof NUMBERS;

const httpUrl = () => urlVariable('http:', 'https:');

const COMMON = {
  REDIRECT_PROCESSES: integerVariable(availableParallelism(), 1, 256).describe(
    'redirect processes of the own stack',
  ),
  TARGET: z
    .union([z.literal('local'), baseUrlVariable()], 'expected local, or http or https, host and port alone')
    .optional()
    .describe('public URL of a running stack, or local for that of npm start; by default the own stack'),
  API_URL: httpUrl()
    .regex(/^[^@?#]*$/, 'expected a URL without user, query and fragment')
    .optional()
    .describe('URL of the API of TARGET'),
  API_KEY: z.string().optional().describe('API key of a user of TARGET whose links get no other visits'),
  CLICKHOUSE_URL: httpUrl().optional().describe('URL of the ClickHouse of TARGET, for a complete account'),
  METRICS_URL: httpUrl()
    .optional()
    .describe('URL of the redirect metrics of TARGET; without it the account waits at most a minute'),
  USER_AGENTS: z.string().optional().describe('tab-separated file with User-Agents in its last column'),
  REPORTS_DIR: z.string().default('loadtest/reports').describe('folder of the reports'),
};

/** Values of a run. Numbers that the scenario does not have are undefined. */
export type Settings = Readonly<Record<NumberName, number>> & Readonly<z.output<z.ZodObject<typeof COMMON>>>;

type Scenario = { readonly name: string; readonly defaults: Readonly<Partial<Record<NumberName, number>>> };

/** A fault of the call, for the user. */
export class UsageError extends Error {}

/** Options first, then the environment, then the defaults of the scenario. Throws UsageError with all invalid values. */
export function readSettings(scenario: Scenario, argv: readonly string[], env: Env): Settings {
  const numbers = Object.entries(scenario.defaults).map(([name, value]) => {
    const [, min, max] = NUMBERS[name as NumberName];
    return [name, name === 'ZIPF_EXPONENT' ? decimal(value, min, max) : integerVariable(value, min, max)];
  });
  const schema = z.object({ ...(Object.fromEntries(numbers) as Record<string, z.ZodType>), ...COMMON });
  try {
    const options = readOptions(Object.keys(schema.shape), argv);
    return readConfig(schema, { ...env, ...options }) as unknown as Settings;
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    throw new UsageError(err.problems.map((line) => line.replace(/^\w+/, optionOf)).join('; '));
  }
}

function decimal(value: number, min: number, max: number) {
  const expected = `expected a number from ${min} to ${max}`;
  return z.coerce.number(expected).min(min, expected).max(max, expected).default(value);
}

/** Lines of help: each setting with its defaults. */
export function describeSettings(scenarios: readonly Scenario[]): string {
  const line = (name: string, help: string, value: string | number = '') =>
    `  ${optionOf(name).padEnd(22)} ${help}${value === '' ? '' : ` (${value})`}`;
  const numbers = Object.entries(NUMBERS).map(([name, [help]]) => {
    const having = scenarios.filter(({ defaults }) => name in defaults);
    const values = scenarios.map(({ defaults }) => defaults[name as NumberName]);
    const each = having.map((scenario) => `${scenario.name} ${scenario.defaults[name as NumberName] ?? ''}`);
    return line(name, help, new Set(values).size === 1 ? values[0] : each.join(', '));
  });
  const common = Object.entries(COMMON).map(([name, field]) =>
    line(name, field.description ?? '', field.safeParse(undefined).data),
  );
  return [...numbers, ...common].join('\n');
}

function readOptions(names: readonly string[], argv: readonly string[]): Env {
  const options = names.map((name) => [optionOf(name).slice(2), { type: 'string' }] as const);
  try {
    const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(options) });
    const given = Object.entries(values).map(([option, value]) => [
      option.toUpperCase().replaceAll('-', '_'),
      String(value),
    ]);
    return Object.fromEntries(given) as Env;
  } catch (err) {
    const [line = ''] = String(err instanceof Error ? err.message : err).split(/\.? To specify|\n/);
    throw new UsageError(`${line}: see --help`);
  }
}

/** The option --p99-ms of P99_MS. */
function optionOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}
