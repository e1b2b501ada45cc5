import type { K6Summary } from './k6-summary.js';

export type Threshold = {
  /** Metric, limit and the value that was measured. */
  readonly text: string;
  readonly metric: string;
  readonly holds: boolean;
};

/** Returns the thresholds of a run sorted by metric and limit, each with the value that was held against its limit. */
export function thresholdsOf({ metrics }: K6Summary): readonly Threshold[] {
  const sorted = Object.entries(metrics).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([metric, found]) =>
    Object.entries(found?.thresholds ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, { ok }]) => {
        const value = found?.values[figureOf(rule)];
        const was = value === undefined ? '' : `, was ${Number(value.toFixed(4))}`;
        return { metric, holds: ok, text: `${metric}: ${rule}${was}` };
      }),
  );
}

/** `p(99)` of `p(99)<50`. */
function figureOf(rule: string): string {
  return rule.split(/[<>=!]/)[0]?.trim() ?? '';
}
