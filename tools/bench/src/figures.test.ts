import { expect, test } from 'vitest';
import { inTurns, percentile, ratios, slope, spread } from './figures.js';

const { signal } = new AbortController();

test('every second round goes backwards, and results stay with their name and round', async () => {
  const order: string[] = [];
  const results = await inTurns(['a', 'b'], { rounds: 3, signal }, (name, round) => {
    order.push(name);
    return Promise.resolve(`${name}${round}`);
  });
  expect(order.join('')).toBe('abbaab');
  expect(results).toEqual({ a: ['a0', 'a1', 'a2'], b: ['b0', 'b1', 'b2'] });
});

test('an aborted run measures nothing further', async () => {
  const stop = new AbortController();
  let measured = 0;
  const run = inTurns(['a', 'b'], { rounds: 5, signal: stop.signal }, () => {
    measured += 1;
    if (measured === 3) stop.abort(new Error('enough'));
    return Promise.resolve(0);
  });
  await expect(run).rejects.toThrow('enough');
  expect(measured).toBe(3);
});

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  expect(ratios([10, 20, 90], [100, 40, 300])).toEqual({ median: 0.3, least: 0.1, most: 0.5 });
});

test('the median of an even number of values lies between the two in the middle', () => {
  expect(spread([100, 1, 4, 2])).toEqual({ median: 3, least: 1, most: 100 });
});

test('a percentile is one of the values, and its share of them does not exceed it', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
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
