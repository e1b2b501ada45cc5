import { expect, test } from 'vitest';
import { buildHashSet, createHashCollector } from './hash-set.js';

/** Hashes that are no accident: a full-period generator of 32-bit numbers. */
const hashOf = (i: number): [number, number] => [
  Math.imul(i, 0x9e3779b1) | 0,
  Math.imul(i ^ 0x5bd1e995, 0x85ebca6b) | 0,
];

test('what was added is found, what was not is not, over more than one part', async () => {
  const collected = createHashCollector();
  for (let i = 0; i < 70_000; i++) collected.add(...hashOf(i));
  const set = await buildHashSet(collected);
  expect(set.size).toBe(70_000);
  const numbers = Array.from({ length: 140_000 }, (_, i) => i);
  expect(numbers.filter((i) => set.has(...hashOf(i)) !== i < 70_000)).toEqual([]);
});

test('entries that come twice count once', async () => {
  const collected = createHashCollector();
  for (const i of [1, 2, 1]) collected.add(...hashOf(i));
  expect((await buildHashSet(collected)).size).toBe(2);
});

test('the hash of zeros is an entry like any other', async () => {
  expect((await buildHashSet(createHashCollector())).has(0, 0)).toBe(false);
  const collected = createHashCollector();
  collected.add(0, 0);
  expect((await buildHashSet(collected)).has(0, 0)).toBe(true);
});
