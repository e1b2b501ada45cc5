/** How visits ended, as counted by a worker. `error` is a fault of ours. */
export const VISIT_RESULTS = [
  'redirect',
  'page',
  'store_chooser',
  'ipad_or_mac',
  'link_preview',
  'link_file',
  'unlock_form',
  'unlocked',
  'wrong_password',
  'refused_unlock',
  'not_found',
  'paused',
  'gone',
  'unavailable',
  'method_not_allowed',
  'error',
] as const;
export type VisitResult = (typeof VISIT_RESULTS)[number];

export type VisitCounters = Record<VisitResult, number>;

/** How one request ended, as soon as that is counted; null for what is no visit: a file of ours, say. */
export type Tally = { outcome: VisitResult | null };

/** Counts how a visit ended. */
export function countVisit(counters: VisitCounters, tally: Tally, result: VisitResult): void {
  counters[result] += 1;
  tally.outcome = result;
}

/** Returns counters at zero. */
export function createVisitCounters(): VisitCounters {
  return Object.fromEntries(VISIT_RESULTS.map((result) => [result, 0])) as VisitCounters;
}
