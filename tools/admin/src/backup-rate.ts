import { plural } from './plural.js';

/** Returns how many rows in how much time: `12 rows in 0.3 s (40 a second)`. */
export function describeRate(rows: number, durationMs: number): string {
  const seconds = Math.max(durationMs, 1) / 1_000;
  return `${plural(rows, 'row')} in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} a second)`;
}
