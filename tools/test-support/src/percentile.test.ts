import { expect, test } from 'vitest';
import { percentile } from './percentile.js';

test('a percentile is the smallest value that its share does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
  expect(percentile([7], 0.99)).toBe(7);
});

test('the percentile of no values is within no bound', () => {
  expect(percentile([], 0.5)).toBeNaN();
  expect(percentile([], 1) <= Infinity).toBe(false);
});
