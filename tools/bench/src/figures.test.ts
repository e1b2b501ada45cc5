import { expect, test } from 'vitest';
import { comparePairs, percentile, slope } from './figures.js';
import type { Phase } from './figures.js';

const phase = (perSecond: number): Phase => ({ perSecond, p50Ms: 1, p99Ms: 1, cpuMs: 1 });

test('a ratio is the median of the ratios of the pairs, not the ratio of the medians', () => {
  const { a, b, ratio } = comparePairs([
    [phase(10), phase(100)],
    [phase(20), phase(40)],
    [phase(90), phase(300)],
  ]);
  expect([a.perSecond, b.perSecond]).toEqual([20, 100]);
  expect(ratio.perSecond).toEqual({ median: 0.3, least: 0.1, most: 0.5 });
});

test('the median of an even number of pairs lies between the two in the middle', () => {
  const pairs = [1, 2, 4, 100].map((value) => [phase(value), phase(1)] as const);
  expect(comparePairs(pairs).a.perSecond).toBe(3);
});

test('a percentile is one of the values, and its share of them does not exceed it', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the slope is that of the straight line through the points', () => {
  const points = [
    { x: 10, y: 3 },
    { x: 20, y: 8 },
    { x: 30, y: 13 },
  ];
  expect(slope(points)).toBeCloseTo(0.5);
});
