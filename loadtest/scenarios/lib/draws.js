/**
 * Numbers from 0 to 1, the same for the same seed and visit in every virtual user: a Weyl sequence that begins at a hash of
 * both, mixed by fmix32 of MurmurHash3.
 */
export function drawsOf(seed, visit) {
  let state = mix(mix(seed) ^ mix(visit + 0x9e3779b9));
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return (mix(state) >>> 0) / 4_294_967_296;
  };
}

function mix(value) {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A function that draws an index by its weight from a number between 0 and 1. */
export function createWeighted(weights) {
  const sums = [];
  let total = 0;
  for (const weight of weights) sums.push((total += weight));
  return (random) => firstAbove(random * total, (index) => sums[index], sums.length);
}

/**
 * A function that draws ranks from 0 to `count - 1`, rank r as often as 1 / (r + 1)^exponent, from a number between 0 and 1.
 * It inverts the sum of all chances, so each rank gets exactly its share. Sums of the first ranks are kept, the others
 * approximated by Euler and Maclaurin's formula (error below 1e-9 at rank 1,024): no table of 100,000 for each virtual user.
 */
export function createZipf(count, exponent) {
  const kept = Math.min(count, 1_024);
  const sums = new Float64Array(kept + 1);
  for (let rank = 1; rank <= kept; rank += 1) sums[rank] = sums[rank - 1] + rank ** -exponent;
  const offset = sums[kept] - smooth(kept, exponent);
  const sumTo = (rank) => (rank <= kept ? sums[rank] : smooth(rank, exponent) + offset);
  const total = sumTo(count);
  return (random) => firstAbove(random * total, (index) => sumTo(index + 1), count);
}

/** The smallest of `count` indexes whose sum is above `wanted`; the last one if none is. */
function firstAbove(wanted, sumAt, count) {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sumAt(middle) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The integral of x^-s, half the last term, and the first correction; constants cancel in the offset.
function smooth(rank, exponent) {
  const power = rank ** -exponent;
  const integral = exponent === 1 ? Math.log(rank) : (rank * power) / (1 - exponent);
  return integral + power / 2 - (exponent * power) / (12 * rank);
}
