/** Returns a function that draws an index, each as often as its weight says, from a number between 0 and 1. */
export function createWeighted(weights) {
  const sums = [];
  let total = 0;
  for (const weight of weights) sums.push((total += weight));
  return (random) => {
    const wanted = random * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
