/**
 * Returns `count` ranks from 0 to `ranks` − 1, drawn so that rank r comes as often as 1 / (r + 1) says: Zipf's law with
 * the exponent 1, by which the popularity of pages and links is commonly described. Always the same ones for a `seed`.
 */
export function drawZipf(ranks: number, count: number, seed: number): Uint32Array {
  const reached = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank += 1) {
    sum += 1 / (rank + 1);
    reached[rank] = sum;
  }
  const random = createRandom(seed);
  return Uint32Array.from({ length: count }, () => firstAtLeast(reached, random() * sum));
}

/** Returns what part of all visits goes to the `first` most visited of so many links, 0 to 1. */
export function shareOfFirst(first: number, ranks: number): number {
  const harmonic = (count: number) => {
    let sum = 0;
    for (let i = 1; i <= count; i += 1) sum += 1 / i;
    return sum;
  };
  return harmonic(Math.min(first, ranks)) / harmonic(ranks);
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let [from, to] = [0, sorted.length - 1];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? Infinity) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** xorshift32 (Marsaglia, 2003): good enough to draw by, and the same everywhere. `seed` must not be 0. */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
