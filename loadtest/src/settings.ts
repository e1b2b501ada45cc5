import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What settings belong to: a scenario. */
type Scenario = { readonly name: string; readonly defaults: Readonly<Record<string, number>> };

/** A setting of the launcher: a variable of the environment, or an option of the same name in kebab case. */
type Setting = {
  readonly meaning: string;
  /** Absent for a text. */
  readonly range?: readonly [min: number, max: number];
};

const NUMBERS_OF_SCENARIOS: Readonly<Record<string, Setting>> = {
  RATE: {
    meaning: 'visits a second; of management turns a second, each of five calls of the API and its visits',
    range: [1, 200_000],
  },
  DURATION_SECONDS: { meaning: 'seconds of load', range: [1, 86_400] },
  UNKNOWN_RATE: { meaning: 'visits a second to slugs that no smartlink has', range: [1, 10_000] },
  LINKS: { meaning: 'smartlinks that are made and visited', range: [1, 1_000_000] },
  SEED: { meaning: 'the same seed draws the same visits', range: [0, 4_294_967_295] },
  ZIPF_EXPONENT: {
    meaning: 'how much the first links are favoured; 0 is not at all',
    range: [0, 5],
  },
  VUS_MAX: { meaning: 'most visits under way at once', range: [1, 20_000] },
  P99_MS: { meaning: 'threshold of the 99th percentile, milliseconds', range: [1, 60_000] },
  API_P95_MS: {
    meaning: "threshold of the 95th percentile of the API's answers, milliseconds",
    range: [1, 60_000],
  },
  DROPPED_PERCENT: {
    meaning: 'threshold of visits that k6 could not begin in time, percent',
    range: [0, 100],
  },
  PEAK_RATE: { meaning: 'visits a second while the spike lasts', range: [1, 200_000] },
  PEAK_SECONDS: { meaning: 'seconds that the spike lasts', range: [1, 3_600] },
  STEP_RATE: { meaning: 'visits a second that each step adds', range: [1, 100_000] },
  STEP_SECONDS: { meaning: 'seconds a step lasts', range: [2, 600] },
  STEPS_MAX: { meaning: 'most steps', range: [1, 200] },
};

const COMMON: Readonly<Record<string, Setting & { readonly value: string | number }>> = {
  REDIRECT_PROCESSES: {
    meaning: 'redirect processes of its own stack; one per core by default',
    range: [1, 256],
    value: availableParallelism(),
  },
  TARGET: {
    meaning:
      'public address of a stack that runs already, or `local` for that of npm start; its own by default',
    value: '',
  },
  API_URL: { meaning: "address of TARGET's API", value: '' },
  API_KEY: { meaning: "key of a user of TARGET's, whom nobody else's visits reach meanwhile", value: '' },
  CLICKHOUSE_URL: { meaning: "address of TARGET's ClickHouse; without it the account is coarser", value: '' },
  METRICS_URL: {
    meaning: "address of TARGET's redirect metrics; without it events are waited for blindly",
    value: '',
  },
  USER_AGENTS: {
    meaning: 'tab-separated file whose last column are User-Agents, instead of our own list',
    value: '',
  },
  REPORTS_DIR: { meaning: 'folder of reports', value: 'loadtest/reports' },
};

export type Settings = { readonly number: (name: string) => number; readonly text: (name: string) => string };

/** What a person can put right: the message is one line. */
export class UsageError extends Error {}

/**
 * Returns the settings of a run: options first, then the environment, then the scenario's defaults. Throws UsageError at
 * an option that is none or not of this scenario, and at a value out of its range.
 */
export function readSettings(
  scenario: Scenario,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const given = readOptions(argv);
  const known = settingsOf(scenario);
  for (const name of given.keys()) {
    if (!known.has(name)) throw new UsageError(explainUnknown(scenario, name));
  }
  const values = new Map<string, string | number>();
  for (const [name, { value, ...setting }] of known) {
    values.set(name, read(name, given.get(name) ?? env[name], setting) ?? value);
  }
  const valueOf = (name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${scenario.name} has no setting ${name}`);
    return value;
  };
  return { number: (name) => Number(valueOf(name)), text: (name) => String(valueOf(name)) };
}

/** Returns a line for each setting of the scenarios, with its default by scenario, and for each of all of them. */
export function describeSettings(scenarios: readonly Scenario[]): string {
  const line = (name: string, meaning: string, value: string) =>
    `  ${optionOf(name).padEnd(22)} ${meaning}${value && ` (${value})`}`;
  const own = Object.entries(NUMBERS_OF_SCENARIOS).map(([name, { meaning }]) => {
    const defaults = scenarios.flatMap((one) =>
      one.defaults[name] === undefined ? [] : [`${one.name} ${one.defaults[name]}`],
    );
    const isSame = new Set(defaults.map((text) => text.split(' ')[1])).size === 1;
    const isAll = isSame && defaults.length === scenarios.length;
    return line(name, meaning, isAll ? (defaults[0]?.split(' ')[1] ?? '') : defaults.join(', '));
  });
  const common = Object.entries(COMMON).map(([name, { meaning, value }]) =>
    line(name, meaning, String(value)),
  );
  return [...own, ...common].join('\n');
}

/** Returns the settings that a scenario takes, each with its default. */
export function settingsOf(scenario: Scenario): Map<string, Setting & { readonly value: string | number }> {
  const own = Object.entries(scenario.defaults).map(([name, value]) => {
    const setting = NUMBERS_OF_SCENARIOS[name];
    if (setting === undefined)
      throw new Error(`${scenario.name} has a default for ${name}, which is no setting`);
    return [name, { ...setting, value }] as const;
  });
  return new Map([...own, ...Object.entries(COMMON)]);
}

function readOptions(argv: readonly string[]): Map<string, string> {
  const args = withNegativeNumbers(argv);
  const { tokens } = parseArgs({ args, strict: false, tokens: true });
  const given = new Map<string, string>();
  let waiting: string | null = null;
  for (const token of tokens) {
    if (token.kind === 'option') {
      if (waiting !== null) break;
      const name = token.name.toUpperCase().replaceAll('-', '_');
      if (token.value === undefined) waiting = name;
      else given.set(name, token.value);
    } else if (token.kind === 'positional' && waiting !== null) {
      given.set(waiting, token.value);
      waiting = null;
    } else throw new UsageError(`${args[token.index] ?? ''} is not expected here: see --help`);
  }
  if (waiting !== null) throw new UsageError(`${optionOf(waiting)} needs a value`);
  return given;
}

/** `--rate -5` as `--rate=-5`, so that it is a value that is out of range and no option. */
function withNegativeNumbers(argv: readonly string[]): string[] {
  const args: string[] = [];
  for (const arg of argv) {
    const before = args.at(-1);
    if (/^-[.\d]/.test(arg) && before?.startsWith('--') === true && !before.includes('='))
      args[args.length - 1] = `${before}=${arg}`;
    else args.push(arg);
  }
  return args;
}

function read(name: string, text: string | undefined, { range }: Setting): string | number | undefined {
  // A variable that is set to nothing is not set.
  if (text === undefined || text === '') return undefined;
  if (range === undefined) return text;
  const [min, max] = range;
  const isWhole = name !== 'ZIPF_EXPONENT';
  const value = (isWhole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  const kind = isWhole ? `${min > 0 ? 'positive ' : ''}whole number` : 'number';
  throw new UsageError(`${optionOf(name)} ${text}: expected a ${kind} from ${min} to ${max}`);
}

function explainUnknown(scenario: Scenario, name: string): string {
  const isOfAnother = Object.hasOwn(NUMBERS_OF_SCENARIOS, name);
  return isOfAnother
    ? `${scenario.name} does not take ${optionOf(name)}: see --help`
    : `there is no option ${optionOf(name)}: see --help`;
}

function optionOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}
