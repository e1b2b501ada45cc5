import { expect, test } from 'vitest';
import { inTurns, ratios, spread } from './figures.js';

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
