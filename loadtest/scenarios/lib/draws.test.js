import { expect, test } from 'vitest';
import { createWeighted, createZipf, drawsOf } from './draws.js';

test('draws the same numbers for the same seed and visit, and others for any other', () => {
  const first = (seed, visit) => Array.from({ length: 5 }, drawsOf(seed, visit));
  expect(first(1, 7)).toEqual(first(1, 7));
  const all = [first(1, 7), first(1, 8), first(2, 7), first(7, 1)].flat();
  expect(new Set(all).size).toBe(20);
});

test('spreads the first draws of consecutive visits evenly', () => {
  const visits = 100_000;
  const tenths = Array(10).fill(0);
  for (let visit = 0; visit < visits; visit += 1) tenths[Math.floor(drawsOf(1, visit)() * 10)] += 1;
  for (const count of tenths) expect(count / visits).toBeCloseTo(0.1, 2);
});

test('draws do not follow each other within a visit', () => {
  let sum = 0;
  for (let visit = 0; visit < 20_000; visit += 1) {
    const draw = drawsOf(1, visit);
    sum += (draw() - 0.5) * (draw() - 0.5);
  }
  expect(sum / 20_000).toBeCloseTo(0, 2);
});

test.each([
  [10, 1],
  [5_000, 0],
  [5_000, 0.8],
  [5_000, 1],
  [5_000, 1.3],
])('gives each of %i ranks its share of the numbers, at exponent %f', (count, exponent) => {
  const draw = createZipf(count, exponent);
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight);
  const wrong = [];
  let below = 0;
  for (const [rank, weight] of weights.entries()) {
    const share = weight / total;
    // Just inside both ends of its share, so that no rank has more and none has less.
    const ends = [draw(below + share * 0.001), draw(below + share * 0.999)];
    if (ends.some((drawn) => drawn !== rank)) wrong.push([rank, ...ends]);
    below += share;
  }
  expect(wrong).toEqual([]);
});

test('draws the first of 100,000 links a twelfth of the time, and the last ones at times', () => {
  const draw = createZipf(100_000, 1);
  expect(draw(0)).toBe(0);
  expect(draw(1 / 12.1)).toBe(0);
  expect(draw(1 / 12.0)).toBe(1);
  expect(draw(1 - 2 ** -32)).toBe(99_999);
});

test('draws each index as often as its weight says', () => {
  const draw = createWeighted([1, 0, 2, 1]);
  const drawn = Array.from({ length: 400 }, (_, index) => draw((index + 0.5) / 400));
  expect([0, 1, 2, 3].map((index) => drawn.filter((one) => one === index).length)).toEqual([
    100, 0, 200, 100,
  ]);
});
