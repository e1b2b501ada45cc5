import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

type Scenario = { readonly name: string; readonly defaults: Readonly<Record<string, number>> };

/** A variable of the environment, or an option of the same name in kebab case. */
type Setting = {
  readonly meaning: string;
  readonly value: string | number;
  /** Absent for a text. */
  readonly range?: readonly [min: number, max: number];
};

/** Numbers of scenarios; scenarios.ts has their defaults. */
const NUMBERS: Readonly<Record<string, readonly [meaning: string, min: number, max: number]>> = {
  RATE: ['visits a second; in management lives of a smartlink, each five calls of the API', 1, 200_000],
  DURATION_SECONDS: ['seconds of load', 1, 86_400],
  UNKNOWN_RATE: ['visits a second to slugs that no smartlink has', 1, 10_000],
  LINKS: ['smartlinks that are made and visited', 1, 1_000_000],
  SEED: ['the same seed draws the same visits', 0, 4_294_967_295],
  ZIPF_EXPONENT: ['how much the first links are favoured; 0 is not at all', 0, 5],
  VUS_MAX: ['most visits under way at once', 1, 20_000],
  P99_MS: ['threshold of the 99th percentile, milliseconds', 1, 60_000],
  API_P95_MS: ["threshold of the 95th percentile of the API's answers, milliseconds", 1, 60_000],
  DROPPED_PERCENT: ['threshold of visits that k6 could not begin in time, percent', 0, 100],
  PEAK_RATE: ['visits a second during the spike', 1, 200_000],
  PEAK_SECONDS: ['seconds of the spike', 1, 3_600],
  STEP_RATE: ['visits a second that each step adds', 1, 100_000],
  STEP_SECONDS: ['seconds of a step', 2, 600],
  STEPS_MAX: ['most steps', 1, 200],
};

const COMMON: Readonly<Record<string, Setting>> = {
  REDIRECT_PROCESSES: {
    meaning: 'redirect processes of its own stack; one per core by default',
    range: [1, 256],
    value: availableParallelism(),
  },
  TARGET: {
    meaning: 'public address of a running stack, or `local` for that of npm start; its own by default',
    value: '',
  },
  API_URL: { meaning: "address of TARGET's API", value: '' },
  API_KEY: { meaning: 'key of a user of TARGET whose links get no other visits during the run', value: '' },
  CLICKHOUSE_URL: { meaning: "address of TARGET's ClickHouse; without it the account is coarser", value: '' },
  METRICS_URL: {
    meaning: "address of TARGET's redirect metrics; without it the account waits a minute at most",
    value: '',
  },
  USER_AGENTS: { meaning: 'tab-separated file with User-Agents in its last column', value: '' },
  REPORTS_DIR: { meaning: 'folder of reports', value: 'loadtest/reports' },
};

export type Settings = { readonly number: (name: string) => number; readonly text: (name: string) => string };

/** A fault of the call. The message is one line. */
export class UsageError extends Error {}

/**
 * Settings of a run: options first, then the environment, then the scenario's defaults. Throws UsageError for an unknown
 * option and for a value out of range.
 */
export function readSettings(
  scenario: Scenario,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const known = settingsOf(scenario);
  const given = readOptions([...known.keys()], argv);
  const values = new Map(
    [...known].map(([name, setting]) => [name, read(name, given[optionOf(name)] ?? env[name], setting)]),
  );
  const valueOf = (name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${scenario.name} has no setting ${name}`);
    return value;
  };
  return { number: (name) => Number(valueOf(name)), text: (name) => String(valueOf(name)) };
}

/** A line for each setting, with its default by scenario. */
export function describeSettings(scenarios: readonly Scenario[]): string {
  const line = (name: string, meaning: string, value: string | number) =>
    `  --${optionOf(name).padEnd(20)} ${meaning}${value === '' ? '' : ` (${value})`}`;
  const own = Object.entries(NUMBERS).map(([name, [meaning]]) => {
    const takers = scenarios.filter(({ defaults }) => defaults[name] !== undefined);
    const values = new Set(takers.map(({ defaults }) => defaults[name]));
    if (values.size === 1 && takers.length === scenarios.length)
      return line(name, meaning, [...values].join());
    const each = takers.map((taker) => `${taker.name} ${taker.defaults[name] ?? ''}`);
    return line(name, meaning, each.join(', '));
  });
  const common = Object.entries(COMMON).map(([name, { meaning, value }]) => line(name, meaning, value));
  return [...own, ...common].join('\n');
}

/** The settings that a scenario takes. */
export function settingsOf({ name: scenario, defaults }: Scenario): Map<string, Setting> {
  const own = Object.entries(defaults).map(([name, value]): [string, Setting] => {
    const [meaning, min, max] = NUMBERS[name] ?? [];
    if (meaning === undefined || min === undefined || max === undefined)
      throw new Error(`${scenario} has a default for ${name}, which is no setting`);
    return [name, { meaning, value, range: [min, max] }];
  });
  return new Map([...own, ...Object.entries(COMMON)]);
}

function readOptions(names: readonly string[], argv: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(names.map((name) => [optionOf(name), { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (err) {
    const [line = ''] = String(err instanceof Error ? err.message : err).split(/\.? To specify|\n/);
    throw new UsageError(`${line}: see --help`);
  }
}

function read(name: string, text: string | undefined, { value: otherwise, range }: Setting): string | number {
  // A variable that is set to nothing is not set.
  if (text === undefined || text === '') return otherwise;
  if (range === undefined) return text;
  const [min, max] = range;
  const isWhole = name !== 'ZIPF_EXPONENT';
  const value = (isWhole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  const kind = isWhole ? `${min > 0 ? 'positive ' : ''}whole number` : 'number';
  throw new UsageError(`--${optionOf(name)} ${text}: expected a ${kind} from ${min} to ${max}`);
}

function optionOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
