import { expect, test } from 'vitest';
import { drawZipf, shareOfFirst } from './draws.js';

test('draws each rank as often as Zipf’s law says, within some per cent', () => {
  const count = 200_000;
  const draws = drawZipf(1_000, count, 7);
  const share = (first: number) => draws.filter((rank) => rank < first).length / count;
  for (const first of [1, 10, 100]) expect(share(first)).toBeCloseTo(shareOfFirst(first, 1_000), 2);
  expect(Math.max(...draws.subarray(0, 50_000))).toBeLessThan(1_000);
});

test('draws the same for the same seed, and something else for another', () => {
  expect(drawZipf(100, 50, 3)).toEqual(drawZipf(100, 50, 3));
  expect(drawZipf(100, 50, 3)).not.toEqual(drawZipf(100, 50, 4));
});
