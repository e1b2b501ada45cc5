/**
 * Returns a function that maps a number between 0 and 1 to a rank from 0 to `count - 1`. By Zipf's law rank r has the weight
 * (r + 1)^-exponent. It is approximated by the integral over the middle of the ranks, which has an inverse: a table of
 * 100,000 sums per virtual user takes too much memory. At exponent 1 the first rank gets 10 % too much, the others under 3 %.
 */
export function createZipf(count, exponent) {
  const power = 1 - exponent;
  const integral = (x) => (power === 0 ? Math.log(x) : x ** power / power);
  const inverse = (sum) => (power === 0 ? Math.exp(sum) : (sum * power) ** (1 / power));
  const first = integral(0.5);
  const total = integral(count + 0.5) - first;
  return (random) => Math.min(count, Math.round(inverse(first + random * total))) - 1;
}
