/**
 * Returns a function that draws ranks from 0 to `count - 1`, rank r as often as 1 / (r + 1)^exponent says, from a number
 * between 0 and 1. It inverts the sum of all chances, so each rank takes exactly its share of the numbers. Harmonic sums
 * of the first ranks are kept, the others are approximated by Euler and Maclaurin's formula, whose fault at rank 1,024 is
 * below 1e-9: no table of 100,000 for each virtual user, and a draw takes O(log count).
 */
export function createZipf(count, exponent) {
  const kept = Math.min(count, 1_024);
  const sums = new Float64Array(kept + 1);
  for (let rank = 1; rank <= kept; rank += 1) sums[rank] = sums[rank - 1] + rank ** -exponent;
  const offset = sums[kept] - smooth(kept, exponent);
  const sumTo = (rank) => (rank <= kept ? sums[rank] : smooth(rank, exponent) + offset);
  const total = sumTo(count);
  return (random) => {
    const wanted = random * total;
    // The smallest rank whose sum is above what is wanted.
    let low = 1;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sumTo(middle) > wanted) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  };
}

// The integral of x^-s, half the last term, and the first correction; constants cancel in the offset.
function smooth(rank, exponent) {
  const power = rank ** -exponent;
  const integral = exponent === 1 ? Math.log(rank) : (rank * power) / (1 - exponent);
  return integral + power / 2 - (exponent * power) / (12 * rank);
}
