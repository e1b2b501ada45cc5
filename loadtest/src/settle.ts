import { eventsOnTheirWay, readRedirectMetrics } from './redirect-metrics.js';
import type { RedirectMetrics } from './redirect-metrics.js';
import { until } from './until.js';

/** Workers tell their counters about once a second. */
const REPORTS_EVERY_MS = 1_100;
const SETTLED_LIMIT_MS = 120_000;

/**
 * Waits until `seen` events at least were accepted, and all that were accepted have reached ClickHouse, in two looks
 * between which each worker has told its counters. Returns the metrics then; those at the end of the limit, with what
 * was still on its way, when that did not come to pass.
 */
export async function settle(options: {
  metricsUrl: string;
  before: RedirectMetrics;
  seen: number;
  /** What other counters must have grown by: on a busy machine a worker tells them late. */
  atLeast?: Readonly<Record<string, number>>;
  onWaiting: (what: string) => void;
  signal: AbortSignal;
}): Promise<{ metrics: RedirectMetrics; waitsFor: string | null }> {
  const { metricsUrl, before, seen, atLeast = {}, onWaiting, signal } = options;
  let last: RedirectMetrics = before;
  let acceptedBefore = -1;
  const look = async () => {
    last = await readRedirectMetrics(metricsUrl);
    const accepted = acceptedSince(last, before);
    const isStill = accepted === acceptedBefore && accepted >= seen;
    const isTold = Object.entries(atLeast).every(([key, count]) => grown(last, before, key) >= count);
    acceptedBefore = accepted;
    const waitsFor = eventsOnTheirWay(last, before);
    if (waitsFor !== null) onWaiting(waitsFor);
    return isStill && isTold && waitsFor === null ? last : null;
  };
  const limits = { limitMs: SETTLED_LIMIT_MS, everyMs: REPORTS_EVERY_MS, signal };
  const settled = await until(look, limits);
  if (settled !== null) return { metrics: settled, waitsFor: null };
  const accepted = acceptedSince(last, before);
  const missing = accepted < seen ? `${seen - accepted} visits were answered, and no event accepted` : null;
  return { metrics: last, waitsFor: eventsOnTheirWay(last, before) ?? missing };
}

function acceptedSince(metrics: RedirectMetrics, before: RedirectMetrics): number {
  return grown(metrics, before, 'events_total accepted');
}

function grown(metrics: RedirectMetrics, before: RedirectMetrics, key: string): number {
  return (metrics.get(key) ?? 0) - (before.get(key) ?? 0);
}
