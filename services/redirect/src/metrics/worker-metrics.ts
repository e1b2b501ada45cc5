import type { LinkResolver } from '@smartlink/links/resolve';
import {
  type CounterReport,
  METRICS,
  PRESS_RESULTS,
  type PressResult,
  VISIT_RESULTS,
  type VisitResult,
} from './metric-definitions.js';

export type VisitCounters = Record<VisitResult, number>;

/** The result of one request, once counted; null for what is no visit, such as an asset. */
export type Tally = { outcome: VisitResult | null };

export function recordResult(counters: VisitCounters, tally: Tally, result: VisitResult): void {
  counters[result] += 1;
  tally.outcome = result;
}

export const createVisitCounters = (): VisitCounters => createCounters(VISIT_RESULTS);

export type PressCounters = Record<PressResult, number>;

export const createPressCounters = (): PressCounters => createCounters(PRESS_RESULTS);

const createCounters = <Result extends string>(results: readonly Result[]) =>
  Object.fromEntries(results.map((result) => [result, 0])) as Record<Result, number>;

export type Histogram = ReturnType<typeof createHistogram>;

type Series = {
  /** One number per bucket, the last for values beyond all bounds. */
  readonly counts: Float64Array;
  sumSeconds: number;
};

/**
 * A histogram of this process, which the primary adds to those of the others. `buckets` are ascending upper bounds; an
 * observation costs a search and no memory. Unknown label values are not counted.
 */
export function createHistogram(
  metric: string,
  { values, buckets: bounds }: { readonly values: readonly string[]; readonly buckets: readonly number[] },
) {
  const byLabel = new Map<string, Series>(
    values.map((value) => [value, { counts: new Float64Array(bounds.length + 1), sumSeconds: 0 }]),
  );
  return {
    /** Counts a duration `weight` times. */
    observe(labelValue: string, seconds: number, weight = 1) {
      const series = byLabel.get(labelValue);
      if (series === undefined) return;
      const found = bounds.findIndex((bound) => seconds <= bound);
      const index = found === -1 ? bounds.length : found;
      series.counts[index] = (series.counts[index] ?? 0) + weight;
      series.sumSeconds += seconds * weight;
    },
    /** Counts of single buckets and the sum of durations, as a CounterReport without zeros. */
    report: () => {
      const report: Record<string, number> = {};
      for (const [labelValue, { counts, sumSeconds }] of byLabel) {
        if (sumSeconds > 0) report[`${metric}|${labelValue}|sum`] = sumSeconds;
        counts.forEach((count, index) => {
          if (count > 0) report[`${metric}|${labelValue}|${String(bounds[index] ?? '+Inf')}`] = count;
        });
      }
      return report;
    },
  };
}

// Maximum number of visits timed per tick, for a fiftieth of a percent of a core; fewer visits are all timed.
const TIMED_PER_TICK = 100;
const TICK_MS = 100;

export type VisitTimer = {
  /** Begins a request. Returns the time in ms if it is to be timed even when answered at once, else 0. */
  readonly begin: () => number;
  /** A request to be timed was answered at once. */
  readonly endAtOnce: (tally: Tally, beganAt: number) => void;
  /** A request that waited was answered; all of these are timed. */
  readonly endWaiting: (tally: Tally, beganAt: number) => void;
  readonly report: () => CounterReport;
  readonly stop: () => void;
};

/**
 * Times visits. Reading the clock twice takes 0.1 µs, as much as a look-up in L1, so every nth visit answered at once is
 * timed and stands for those of its outcome since the last: counts lag by at most n - 1. n follows the rate
 * of the last tenth of a second and is 1 below 1,000 visits a second. Waiting visits are few and differ, so each is
 * timed. `now`: monotonic ms, above 0. The caller stops it.
 */
export function createVisitTimer(
  counters: Readonly<VisitCounters>,
  now: () => number = () => performance.now(),
): VisitTimer & { readonly tick: () => void } {
  const histogram = createHistogram('visit_duration_seconds', METRICS.visit_duration_seconds);
  const timed = createVisitCounters();
  let requests = 0;
  let every = 1;
  let untilNext = 1;

  const tick = (): void => {
    every = Math.max(1, Math.ceil(requests / TIMED_PER_TICK));
    untilNext = Math.min(untilNext, every);
    requests = 0;
  };
  const timer = setInterval(tick, TICK_MS).unref();

  return {
    begin() {
      requests += 1;
      untilNext -= 1;
      if (untilNext > 0) return 0;
      untilNext = every;
      return now();
    },
    endAtOnce({ outcome }, beganAt) {
      if (outcome === null) return;
      // Includes waiting visits already counted; the next one corrects it.
      const weight = Math.max(0, counters[outcome] - timed[outcome]);
      timed[outcome] += weight;
      histogram.observe(outcome, (now() - beganAt) / 1_000, weight);
    },
    endWaiting({ outcome }, beganAt) {
      if (outcome === null) return;
      timed[outcome] += 1;
      histogram.observe(outcome, (now() - beganAt) / 1_000);
    },
    report: histogram.report,
    tick,
    stop() {
      clearInterval(timer);
    },
  };
}

/** `resolve` with each look-up timed, by source. */
export function createLookupTimer(resolve: LinkResolver['resolve']): {
  readonly resolve: LinkResolver['resolve'];
  readonly report: () => CounterReport;
} {
  const durations = createHistogram('lookup_duration_seconds', METRICS.lookup_duration_seconds);
  return {
    report: durations.report,
    async resolve(slugKey, minVersion) {
      const beganAt = performance.now();
      let source = 'failed';
      try {
        const resolution = await resolve(slugKey, minVersion);
        source = resolution.source;
        return resolution;
      } finally {
        durations.observe(source, (performance.now() - beganAt) / 1_000);
      }
    },
  };
}

/** Measures the delay of the change feed. */
export function createFeedDelays(): {
  readonly observe: (delayMs: number) => void;
  readonly report: () => CounterReport;
} {
  const delays = createHistogram('change_feed_delay_seconds', METRICS.change_feed_delay_seconds);
  return {
    report: delays.report,
    observe: (delayMs) => {
      delays.observe('', delayMs / 1_000);
    },
  };
}
