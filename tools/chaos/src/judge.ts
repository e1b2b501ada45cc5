import type { Figure } from './figures.js';
import type { ReliabilityPromise } from './promises.js';

/**
 * `failed`: a file with trials of the promise has failed, so its counts are in doubt. `not held`: every count was
 * right, a time was not. `skipped`: no trial could run here.
 */
export type Verdict = 'held' | 'not held' | 'failed' | 'skipped' | 'no figure';

export type JudgedPromise = {
  readonly promise: ReliabilityPromise;
  readonly verdict: Verdict;
  /** By trial. */
  readonly figures: readonly Figure[];
};

/** Returns each of `promises` with its figures and what they come to. `failed`: ids of which a trial has failed. */
export function judge(
  promises: readonly ReliabilityPromise[],
  figures: readonly Figure[],
  failed: ReadonlySet<string>,
): JudgedPromise[] {
  return promises.map((promise) => {
    const own = figures
      .filter((figure) => figure.promise === promise.id)
      .toSorted((a, b) => (a.trial < b.trial ? -1 : 1));
    return { promise, figures: own, verdict: failed.has(promise.id) ? 'failed' : verdictOf(own) };
  });
}

function verdictOf(figures: readonly Figure[]): Verdict {
  if (figures.length === 0) return 'no figure';
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
  return judged.some(({ verdict }) => verdict === 'failed' || verdict === 'no figure');
}
