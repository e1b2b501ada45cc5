import type { CounterReport } from './messages.js';

export type Histogram = {
  /** Counts `weight` (1) times a duration, seconds. */
  readonly observe: (labelValue: string, seconds: number, weight?: number) => void;
  /**
   * Returns what was counted so far under the keys of metrics-board.ts: for each label value the count of each bucket by
   * itself, named by its upper bound, and the sum of all durations. What is 0 is left out.
   */
  readonly report: () => CounterReport;
};

type Series = {
  /** One number a bucket; the last one is for what is beyond all bounds. */
  readonly counts: Float64Array;
  sumSeconds: number;
};

/**
 * Returns a histogram of this process, which its primary adds to those of the others. `bounds` are the buckets' upper
 * bounds, ascending; an observation costs a look through them and no memory. An unknown label value is not counted.
 */
export function createHistogram(options: {
  readonly metric: string;
  readonly labelValues: readonly string[];
  readonly bounds: readonly number[];
}): Histogram {
  const { metric, labelValues, bounds } = options;
  const byLabel = new Map<string, Series>(
    labelValues.map((value) => [value, { counts: new Float64Array(bounds.length + 1), sumSeconds: 0 }]),
  );
  return {
    observe(labelValue, seconds, weight = 1) {
      const series = byLabel.get(labelValue);
      if (series === undefined) return;
      const found = bounds.findIndex((bound) => seconds <= bound);
      const index = found === -1 ? bounds.length : found;
      series.counts[index] = (series.counts[index] ?? 0) + weight;
      series.sumSeconds += seconds * weight;
    },
    report() {
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
