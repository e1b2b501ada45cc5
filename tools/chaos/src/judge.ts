import type { Figure } from './figures.js';
import type { ReliabilityPromise } from './promises.js';

/**
 * `failed`: a file with trials of the promise has failed, so its counts are in doubt. `incomplete`: not every trial has
 * left a figure. `not held`: every count was right, a time was not. `skipped`: no trial could run here. `held`: all
 * others that could run here did; `skipped` beside it says how many could not.
 */
export type Verdict = 'held' | 'not held' | 'failed' | 'incomplete' | 'skipped' | 'no figure';

export type JudgedPromise = {
  readonly promise: ReliabilityPromise;
  readonly verdict: Verdict;
  /** By trial. */
  readonly figures: readonly Figure[];
  /** How many figures it should have at least. */
  readonly trials: number;
  /** How many of its trials could not run here. */
  readonly skipped: number;
};

export type JudgedRun = {
  /** Ids of promises of which a trial has failed. */
  readonly failed: ReadonlySet<string>;
  /** By promise, how many trials record a figure of it (`countTrials`). */
  readonly trials: ReadonlyMap<string, number>;
};

/** Returns each of `promises` with its figures and what they come to. */
export function judge(
  promises: readonly ReliabilityPromise[],
  figures: readonly Figure[],
  run: JudgedRun,
): JudgedPromise[] {
  return promises.map((promise) => {
    const own = figures
      .filter((figure) => figure.promise === promise.id)
      .toSorted((a, b) => (a.trial < b.trial ? -1 : 1));
    const trials = run.trials.get(promise.id) ?? 0;
    return {
      promise,
      figures: own,
      trials,
      skipped: own.filter((figure) => 'skipped' in figure).length,
      verdict: run.failed.has(promise.id) ? 'failed' : verdictOf(own, trials),
    };
  });
}

function verdictOf(figures: readonly Figure[], trials: number): Verdict {
  if (figures.length === 0) return 'no figure';
  if (figures.length < trials) return 'incomplete';
  const measured = figures.filter((figure) => 'measured' in figure);
  if (measured.length === 0) return 'skipped';
  return measured.every(({ holds }) => holds) ? 'held' : 'not held';
}

/** Returns the ids of figures that belong to no promise: misspelt ones would otherwise vanish. */
export function findStrangers(
  promises: readonly ReliabilityPromise[],
  figures: readonly Figure[],
): readonly string[] {
  const known = new Set(promises.map(({ id }) => id));
  return [...new Set(figures.map(({ promise }) => promise).filter((id) => !known.has(id)))];
}

/** Returns whether a run is to end as failed. A missed time is not: it belongs to the machine, and is shown. */
export function isFailure(judged: readonly JudgedPromise[]): boolean {
  return judged.some(({ verdict }) => ['failed', 'incomplete', 'no figure'].includes(verdict));
}
