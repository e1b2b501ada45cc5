import { expect, test } from 'vitest';
import { restAfter } from './change-follower.js';

test('looks that come no further are as many as ever while they are short, and fewer the longer they take', () => {
  expect([0, 10, 60, 500, 2_500, 60_000].map(restAfter)).toEqual([250, 250, 250, 2_000, 10_000, 10_000]);
});
