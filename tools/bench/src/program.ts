import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { StackError } from '@smartlink/embedded/stack-error';
import { renderTable, type Table } from './figures.js';
import { describeMachine } from './machine.js';

export type Report = {
  readonly tables: readonly Table[];
  /** Lines below the tables: goals, and missing programs. */
  readonly notes?: readonly string[];
  /** All measurements, for the JSON file. */
  readonly figures: unknown;
};

export type BenchRun<Sizes extends object> = {
  /** Sizes of the bench; `seconds`: of load in one measurement. */
  readonly sizes: Sizes & { readonly rounds: number; readonly seconds: number };
  /** Values of the bench's own text options. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

type Range = readonly [least: number, most: number];

export type BenchOptions<Sizes extends object> = {
  readonly name: string;
  readonly question: string;
  readonly help: string;
  readonly whole: Sizes;
  readonly smoke: Sizes;
  readonly secondsDefault?: number;
  /** Measured in this order; `--only` names some of them. */
  readonly parts: Readonly<Record<string, (run: BenchRun<Sizes>) => Promise<Report>>>;
  /** Options of its own; one with a range is a number and replaces the size of the same name. */
  readonly options?: Readonly<Record<string, { argument: string; help: string; range?: Range }>>;
  /** The bench is skipped on other systems, or without wrk. */
  readonly needs?: 'Linux' | 'Linux and wrk';
};

export type Bench = Pick<BenchOptions<object>, 'name' | 'question'> & {
  /**
   * Measures with command-line arguments, prints tables and writes the figures as JSON. Exit code: 1 when interrupted or
   * when an engine did not start, 2 for wrong arguments.
   */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** With five rounds, least and most enclose the true median with 94 % (1 − 2 × 0.5⁵). */
const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 100;
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 60;
const RESULTS = path.resolve(import.meta.dirname, '../../../.data/bench');

export const COMMON_HELP = `  --rounds N       rounds of measurements, 1 to ${ROUNDS_MAX} (default ${ROUNDS_DEFAULT})
  --seconds S      seconds of load in each measurement, ${SECONDS_MIN} to ${SECONDS_MAX}
  --smoke          smallest sizes, to check that everything works
  --out FILE       file for the figures as JSON (default .data/bench/<name>.json)
  --help           this text`;

export function defineBench<Sizes extends object>(bench: BenchOptions<Sizes>): Bench {
  const { name, question } = bench;
  return { name, question, run: (args) => runBench(bench, args) };
}

async function runBench<Sizes extends object>(
  bench: BenchOptions<Sizes>,
  args: readonly string[],
): Promise<number> {
  const options = readOptions(bench, args);
  if ('problem' in options) {
    process.stderr.write(`${options.problem}\n\n${helpOf(bench)}\n`);
    return 2;
  }
  const text = options.isHelp ? helpOf(bench) : findMissing(bench.needs);
  if (text !== null) {
    print(text);
    return 0;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted.abort(`Stopped by ${signal}`);
    });
  const machine = describeMachine();
  print(`${machine}\n`);
  try {
    const { sizes, values } = options;
    const results: Record<string, Omit<Report, 'tables'>> = {};
    for (const part of options.parts) {
      const report = await bench.parts[part]?.({ sizes, values, signal: interrupted.signal });
      if (report === undefined) continue;
      const { tables, ...result } = report;
      results[part] = result;
      for (const table of tables) print(`\n${renderTable(table)}`);
      if (report.notes !== undefined) print(`\n${report.notes.join('\n')}`);
    }
    const file = options.out ?? path.join(RESULTS, `${bench.name}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    const date = new Date().toISOString();
    writeFileSync(file, `${JSON.stringify({ date, machine, sizes, ...results }, null, 2)}\n`);
    print(`\nFigures: ${path.relative(process.cwd(), file)}`);
    return 0;
  } catch (err) {
    if (interrupted.signal.aborted) process.stderr.write(`${String(interrupted.signal.reason)}\n`);
    else if (err instanceof StackError) process.stderr.write(`${err.message}\n`);
    else throw err;
    return 1;
  }
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

function helpOf<Sizes extends object>({ help, parts, options = {} }: BenchOptions<Sizes>): string {
  const names = Object.keys(parts);
  const line = (name: string, text: string) => `  --${name.padEnd(15)}${text}\n`;
  const own = [
    ...Object.entries(options).map(([name, { argument, help: text }]) => line(`${name} ${argument}`, text)),
    ...(names.length > 1 ? [line('only PART', `may be repeated: ${names.join(', ')}`)] : []),
  ];
  return `${help}\n\n${own.join('')}${COMMON_HELP}`;
}

type Options<Sizes extends object> = Omit<BenchRun<Sizes>, 'signal'> & {
  readonly isHelp: boolean;
  readonly parts: readonly string[];
  readonly out: string | null;
};

/** Reads the arguments of a bench; `problem` says why they are refused. */
export function readOptions<Sizes extends object>(
  bench: BenchOptions<Sizes>,
  args: readonly string[],
): Options<Sizes> | { readonly problem: string } {
  const { parts, options = {}, whole, smoke, secondsDefault = 1 } = bench;
  const own = Object.keys(options).map((name) => [name, { type: 'string' }]);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...(Object.fromEntries(own) as Record<string, { type: 'string' }>),
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        smoke: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const given = values as Readonly<Record<string, string | undefined>>;
    const names = Object.keys(parts);
    const unknown = values.only?.find((part) => !names.includes(part));
    if (unknown !== undefined) return { problem: `Unknown part ${unknown}: ${names.join(', ')}.` };
    const rounds = readNumber('rounds', values.rounds ?? ROUNDS_DEFAULT, [1, ROUNDS_MAX]);
    const seconds = readNumber('seconds', values.seconds ?? secondsDefault, [SECONDS_MIN, SECONDS_MAX]);
    if (!Number.isInteger(rounds)) return { problem: '--rounds must be a whole number.' };
    const chosen = Object.entries(options).flatMap(([name, { range }]) =>
      given[name] === undefined || range === undefined
        ? []
        : [[name, readNumber(name, given[name], range)] as const],
    );
    const effort = values.smoke ? { rounds: 1, seconds: Math.min(1, secondsDefault) } : { rounds, seconds };
    return {
      sizes: { ...(values.smoke ? smoke : whole), ...effort, ...Object.fromEntries(chosen) },
      isHelp: values.help === true,
      parts: names.filter((name) => values.only?.includes(name) ?? true),
      values: given,
      out: values.out === undefined ? null : path.resolve(values.out),
    };
  } catch (err) {
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

function readNumber(name: string, text: unknown, [least, most]: Range): number {
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} must be a number from ${least} to ${most}.`);
}

function findMissing(needs: BenchOptions<object>['needs']): string | null {
  if (needs !== undefined && process.platform !== 'linux') return 'Skipped: this bench runs on Linux only';
  return needs === 'Linux and wrk' && !isInstalled('wrk')
    ? 'Skipped: wrk is not installed (apt-get install wrk)'
    : null;
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

const TITLE_WIDTH = 28;

/** Shows the progress of `work`, in `total` steps, on standard error. */
export async function withProgress<T>(
  title: string,
  total: number,
  work: (advance: (steps?: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new SingleBar({
    format: `${title.slice(0, TITLE_WIDTH).padEnd(TITLE_WIDTH)} {bar} {value}/{total}  {duration_formatted}`,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    hideCursor: true,
  });
  bar.start(total, 0);
  try {
    return await work((steps = 1) => {
      bar.increment(steps);
    });
  } finally {
    bar.stop();
  }
}

/** Duration of `work` in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
