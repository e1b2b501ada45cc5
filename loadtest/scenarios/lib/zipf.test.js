import { expect, test } from 'vitest';
import { createZipf } from './zipf.js';

test.each([
  [10, 1, 0.1],
  [5_000, 0, 0.01],
  [5_000, 0.8, 0.1],
  [5_000, 1, 0.1],
  [5_000, 1.3, 0.2],
])('gives each of %i ranks about its share, at exponent %f', (count, exponent, toleratedShare) => {
  const draw = createZipf(count, exponent);
  const numbers = 1_000_000;
  const drawn = Array(count).fill(0);
  for (let index = 0; index < numbers; index += 1) drawn[draw((index + 0.5) / numbers)] += 1;
  const weights = drawn.map((_, rank) => (rank + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight);
  // One draw more or less is rounding.
  const wrong = weights.filter((weight, rank) => {
    const expected = (weight / total) * numbers;
    return Math.abs(drawn[rank] - expected) > 1 + expected * toleratedShare;
  });
  expect(wrong).toEqual([]);
});

test('draws the first of 100,000 links in one of eleven visits, and also the last', () => {
  const draw = createZipf(100_000, 1);
  expect(draw(0)).toBe(0);
  expect(draw(1 / 11.2)).toBe(0);
  expect(draw(1 / 11)).toBe(1);
  expect(draw(1 - 2 ** -32)).toBe(99_999);
});
