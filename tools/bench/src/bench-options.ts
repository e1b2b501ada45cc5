import path from 'node:path';

/** A line that says what is wrong with the arguments. */
export type Problem = { readonly problem: string };

/** What every benchmark is asked in the same way. */
export type CommonOptions = {
  /** How often each pair is measured; null: as often as the benchmark does by itself. */
  readonly rounds: number | null;
  /** Of load in one phase; null: as many as the benchmark takes by itself. */
  readonly seconds: number | null;
  /** Only to see that everything works: as small as it goes. */
  readonly isSmoke: boolean;
  /** Takes what an interrupted run of the same size and build has left, where the benchmark keeps that. */
  readonly resumes: boolean;
  /** Where page and plots go whatever the size; null: to docs/benchmarks, and only after a whole run. */
  readonly pageFolder: string | null;
};

/** What every benchmark gives node's parseArgs beside its own options. */
export const COMMON_ARGS = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  smoke: { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Fewer tell little: of five pairs, least and most hold the true median with 94 % (1 − 2 × 0.5⁵). */
export const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 100;
const SECONDS_MIN = 0.1;
const SECONDS_MAX = 60;

export const COMMON_HELP = `  --rounds N   how often each pair is measured, 1 to ${ROUNDS_MAX} (default ${ROUNDS_DEFAULT})
  --seconds S  seconds of load in each measurement, ${SECONDS_MIN} to ${SECONDS_MAX}
  --smoke      as small as it goes, only to see that everything works; writes nothing
  --out FOLDER writes page and plots there, whatever the size, and not to docs/benchmarks
  --resume     takes over what an interrupted run of the same size and build has left
  --help       this`;

/** Returns what the options of COMMON_ARGS say, or what is wrong with them. */
export function readCommon({ rounds, seconds, smoke, resume, out }: CommonValues): CommonOptions | Problem {
  const read = {
    rounds: readNumber('--rounds', rounds, { least: 1, most: ROUNDS_MAX, isWhole: true }),
    seconds: readNumber('--seconds', seconds, { least: SECONDS_MIN, most: SECONDS_MAX, isWhole: false }),
  };
  if (isProblem(read.rounds)) return read.rounds;
  if (isProblem(read.seconds)) return read.seconds;
  return {
    rounds: read.rounds,
    seconds: read.seconds,
    isSmoke: smoke,
    resumes: resume,
    pageFolder: out === undefined ? null : path.resolve(out),
  };
}

/** Returns the folder where a run writes its page; null when it is too small to say anything. `isWhole`: all its parts are there. */
export function pageFolderOf(
  { rounds, seconds, isSmoke, pageFolder }: CommonOptions,
  { isWhole, seconds: whole }: { isWhole: boolean; seconds: number },
): string | null {
  if (pageFolder !== null) return pageFolder;
  const isLong = (rounds ?? ROUNDS_DEFAULT) >= ROUNDS_DEFAULT && (seconds ?? whole) >= whole;
  return isWhole && isLong && !isSmoke ? DOCS : null;
}

/** Returns the values that `parse`, a call of node's parseArgs, has found, or what it did not like. */
export function readValues<Values extends object>(
  parse: () => { readonly values: Values },
): Values | Problem {
  try {
    return parse().values;
  } catch (err) {
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

/** Returns which of `parts` are named by --only; null, for all of them, when it was not given. */
export function readParts<Part extends string>(
  parts: readonly Part[],
  named: readonly string[] | undefined,
): readonly Part[] | null | Problem {
  const isPart = (name: string): name is Part => parts.some((part) => part === name);
  const unknown = named?.find((name) => !isPart(name));
  if (unknown !== undefined) return { problem: `There is no part ${unknown}: ${parts.join(', ')}.` };
  return named?.filter(isPart) ?? null;
}

/** Where the pages of whole runs are. */
const DOCS = path.resolve(import.meta.dirname, '../../../docs/benchmarks');

type CommonValues = {
  readonly rounds?: string | undefined;
  readonly seconds?: string | undefined;
  readonly smoke: boolean;
  readonly resume: boolean;
  readonly out?: string | undefined;
};

const isProblem = (read: number | null | Problem): read is Problem =>
  typeof read === 'object' && read !== null;

function readNumber(
  name: string,
  text: string | undefined,
  { least, most, isWhole }: { least: number; most: number; isWhole: boolean },
): number | null | Problem {
  if (text === undefined) return null;
  const value = Number(text);
  const isFine = value >= least && value <= most && (!isWhole || Number.isInteger(value));
  return isFine
    ? value
    : { problem: `${name} must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.` };
}
