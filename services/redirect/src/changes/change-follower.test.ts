import { expect, test } from 'vitest';
import { isXid, restAfter } from './change-follower.js';

test('polls without progress keep their rate while they are short, and slow down the longer they take', () => {
  expect([0, 10, 60, 500, 2_500, 60_000].map(restAfter)).toEqual([250, 250, 250, 2_000, 10_000, 10_000]);
});

test('the number of a transaction is one that Postgres can read', () => {
  expect(['0', '42', String(2n ** 64n - 1n)].filter((text) => !isXid(text))).toEqual([]);
  const others = ['', '-1', '1.5', '1e9', ' 1', '1\n', 'x', String(2n ** 64n), '9'.repeat(10_000)];
  expect(others.filter(isXid)).toEqual([]);
});
