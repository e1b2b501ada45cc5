import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { StackError } from '@smartlink/embedded/stack-error';
import { renderTable, type Table } from './figures.js';
import { describeMachine } from './machine.js';

/** The sizes of a run, with its number of rounds and its seconds of load in one measurement. */
export type Sized<Sizes extends object> = Sizes & { readonly rounds: number; readonly seconds: number };

export type Report = {
  readonly tables: readonly Table[];
  /** Lines below the tables: goals, and what was left out. */
  readonly notes?: readonly string[];
  /** All measurements, for the JSON file. */
  readonly figures: unknown;
};

export type BenchRun<Sizes extends object> = {
  readonly sizes: Sized<Sizes>;
  /** True without `--only`, else for the parts it names. */
  readonly wants: (part: string) => boolean;
  /** Values of the bench's own text options. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

export type Bench<Sizes extends object> = {
  readonly name: string;
  /** Help text before the options. */
  readonly help: string;
  readonly whole: Sizes;
  readonly smoke: Sizes;
  /** Sizes of `--full`, with its help text. */
  readonly full?: readonly [sizes: Sizes, help: string];
  readonly secondsDefault: number;
  /** Parts that `--only` can name. */
  readonly parts?: readonly string[];
  /** Sizes that options of the same name replace. */
  readonly numbers?: Readonly<Record<string, readonly [least: number, most: number, help: string]>>;
  /** Text options: name and help. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Programs without which the bench is skipped, with their Debian packages. */
  readonly needs?: readonly (readonly [program: string, debianPackage: string])[];
  /** Set where /proc is read. */
  readonly isLinuxOnly?: boolean;
  readonly measure: (run: BenchRun<Sizes>) => Promise<Report>;
};

/** Of five pairs, least and most enclose the true median with 94 % (1 − 2 × 0.5⁵). */
const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 100;
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 60;
const RESULTS = path.resolve(import.meta.dirname, '../../../.data/bench');

export const COMMON_HELP = `  --rounds N   rounds of measurements, 1 to ${ROUNDS_MAX} (default ${ROUNDS_DEFAULT})
  --seconds S  seconds of load in each measurement, ${SECONDS_MIN} to ${SECONDS_MAX}
  --smoke      smallest sizes, to check that everything works
  --out FILE   file for the figures as JSON (default .data/bench/<name>.json)
  --help       this text`;

/**
 * Runs a bench with the arguments of this process, prints its tables and writes its figures as JSON. Exit code 1 when it
 * was interrupted or the engines did not start, 2 for unknown options.
 */
export async function runBench<Sizes extends object>(bench: Bench<Sizes>): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted.abort(`Stopped by ${signal}`);
    });
  const options = readOptions(bench, process.argv.slice(2));
  if ('problem' in options) {
    process.stderr.write(`${options.problem}\n\n${helpOf(bench)}\n`);
    process.exitCode = 2;
    return;
  }
  const missing = options.isHelp ? null : missingHere(bench);
  if (options.isHelp || missing !== null) {
    print(options.isHelp ? helpOf(bench) : `Skipped: ${missing}`);
    return;
  }
  const machine = describeMachine();
  print(`${machine}\n`);
  try {
    const { out, ...run } = options;
    const report = await bench.measure({ ...run, signal: interrupted.signal });
    const { tables, notes = [], figures } = report;
    for (const table of tables) print(`\n${renderTable(table)}`);
    if (notes.length > 0) print(`\n${notes.join('\n')}`);
    const file = out ?? path.join(RESULTS, `${bench.name}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    const date = new Date().toISOString();
    writeFileSync(file, `${JSON.stringify({ date, machine, sizes: run.sizes, notes, figures }, null, 2)}\n`);
    print(`\nFigures: ${path.relative(process.cwd(), file)}`);
  } catch (err) {
    process.exitCode = 1;
    if (interrupted.signal.aborted) process.stderr.write(`${String(interrupted.signal.reason)}\n`);
    else if (err instanceof StackError) process.stderr.write(`${err.message}\n`);
    else throw err;
  }
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

function helpOf<Sizes extends object>({ help, parts, numbers, texts, full }: Bench<Sizes>): string {
  const line = (name: string, text: string) => `  --${name.padEnd(11)}${text}\n`;
  const own = [
    ...Object.entries(numbers ?? {}).map(([name, [, , text]]) => line(`${name} N`, text)),
    ...Object.entries(texts ?? {}).map(([name, text]) => line(name, text)),
    ...(full === undefined ? [] : [line('full', full[1])]),
    ...(parts === undefined ? [] : [line('only PART', `may be repeated: ${parts.join(', ')}`)]),
  ];
  return `${help}\n\n${own.join('')}${COMMON_HELP}`;
}

type Options<Sizes extends object> = Omit<BenchRun<Sizes>, 'signal'> & {
  readonly isHelp: boolean;
  readonly out: string | null;
};

/** Reads the arguments of a bench; `problem` says why they are refused. */
export function readOptions<Sizes extends object>(
  bench: Omit<Bench<Sizes>, 'measure'>,
  args: readonly string[],
): Options<Sizes> | { readonly problem: string } {
  const { parts = [], numbers = {}, texts = {}, whole, smoke, full, secondsDefault } = bench;
  const own = [...Object.keys(numbers), ...Object.keys(texts)].map((name) => [name, { type: 'string' }]);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...(Object.fromEntries(own) as Record<string, { type: 'string' }>),
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        smoke: { type: 'boolean' },
        ...(full !== undefined && { full: { type: 'boolean' } as const }),
        only: { type: 'string', multiple: true },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const given: Readonly<Record<string, unknown>> = values;
    const unknown = values.only?.find((part) => !parts.includes(part));
    if (unknown !== undefined) return { problem: `Unknown part ${unknown}: ${parts.join(', ') || 'none'}.` };
    const rounds = readNumber('rounds', values.rounds ?? ROUNDS_DEFAULT, [1, ROUNDS_MAX]);
    const seconds = readNumber('seconds', values.seconds ?? secondsDefault, [SECONDS_MIN, SECONDS_MAX]);
    if (!Number.isInteger(rounds)) return { problem: '--rounds must be a whole number.' };
    const chosen = Object.entries(numbers).flatMap(([name, [least, most]]) =>
      given[name] === undefined ? [] : [[name, readNumber(name, given[name], [least, most])] as const],
    );
    const sizes = values.smoke ? smoke : full !== undefined && given['full'] ? full[0] : whole;
    const effort = values.smoke ? { rounds: 1, seconds: Math.min(1, secondsDefault) } : { rounds, seconds };
    return {
      sizes: { ...sizes, ...effort, ...Object.fromEntries(chosen) },
      isHelp: values.help === true,
      wants: (part) => values.only?.includes(part) ?? true,
      values: given as Readonly<Record<string, string | undefined>>,
      out: values.out === undefined ? null : path.resolve(values.out),
    };
  } catch (err) {
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

function readNumber(name: string, text: unknown, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} must be a number from ${least} to ${most}.`);
}

/** Null when the program is installed, else the reason to skip it. */
export function missingProgram(name: string, debianPackage: string): string | null {
  const { error } = spawnSync(name, ['--version'], { stdio: 'ignore' });
  return error === undefined ? null : `${name} is not installed: apt-get install ${debianPackage}`;
}

function missingHere({ needs = [], isLinuxOnly = false }: Pick<Bench<object>, 'needs' | 'isLinuxOnly'>) {
  if (isLinuxOnly && process.platform !== 'linux') return 'this bench runs on Linux only';
  return needs.map(([program, debian]) => missingProgram(program, debian)).find(Boolean) ?? null;
}

const TITLE_WIDTH = 28;

/** Shows the progress of `work`, in `total` steps, on standard error. */
export async function withProgress<T>(
  title: string,
  total: number,
  work: (progress: { step: () => void; reach: (steps: number) => void }) => Promise<T>,
): Promise<T> {
  const bar = new SingleBar({
    format: `${title.slice(0, TITLE_WIDTH).padEnd(TITLE_WIDTH)} {bar} {value}/{total}  {duration_formatted}`,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    hideCursor: true,
  });
  bar.start(total, 0);
  try {
    return await work({
      step: () => {
        bar.increment();
      },
      reach: (steps) => {
        bar.update(steps);
      },
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
