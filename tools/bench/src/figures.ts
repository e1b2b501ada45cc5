/** What one phase of load against one server came to. */
export type Phase = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time that the server spent on one request, in ms. */
  readonly cpuMs: number;
};

export type Measure = keyof Phase;

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** Two servers, or two users, under the same load in turns: A, B, A, B, … */
export type Comparison = {
  /** Medians over the pairs. */
  readonly a: Phase;
  readonly b: Phase;
  /** A divided by B, pair by pair: what slows both for a while is in both. */
  readonly ratio: Readonly<Record<Measure, Spread>>;
};

const MEASURES: readonly Measure[] = ['perSecond', 'p50Ms', 'p99Ms', 'cpuMs'];

/** Returns the medians of both sides of at least one pair, and the ratios of A to B. */
export function comparePairs(pairs: readonly (readonly [a: Phase, b: Phase])[]): Comparison {
  return {
    a: eachMeasure((measure) => median(pairs.map(([a]) => a[measure]))),
    b: eachMeasure((measure) => median(pairs.map(([, b]) => b[measure]))),
    ratio: eachMeasure((measure) => spread(pairs.map(([a, b]) => a[measure] / b[measure]))),
  };
}

/** Returns the smallest of `values` that at least `share` (0 to 1) of them do not exceed; NaN when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the slope of the least-squares line through points, in units of y for one of x; NaN with fewer than two. */
export function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const covariance = mean(points.map(({ x, y }) => (x - meanX) * (y - meanY)));
  return covariance / mean(points.map(({ x }) => (x - meanX) ** 2));
}

/** Returns the median of at least one value, and the least and the most of them. */
export function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

function eachMeasure<Value>(valueOf: (measure: Measure) => Value): Record<Measure, Value> {
  return Object.fromEntries(MEASURES.map((measure) => [measure, valueOf(measure)])) as Record<Measure, Value>;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(
    Number.isInteger(middle)
      ? sorted.slice(middle - 1, middle + 1)
      : sorted.slice(middle - 0.5, middle + 0.5),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
