import { expect, test } from 'vitest';
import { buildHashSet, createHashCollector, halfSipHash } from './hash-set.js';

/** Hashes that are no accident: a full-period generator of 32-bit numbers. */
const hashOf = (i: number): [number, number] => [
  Math.imul(i, 0x9e3779b1) | 0,
  Math.imul(i ^ 0x5bd1e995, 0x85ebca6b) | 0,
];

test('added hashes are found and others are not, over more than one part', async () => {
  const collected = createHashCollector();
  for (let i = 0; i < 70_000; i++) collected.add(...hashOf(i));
  const set = await buildHashSet(collected);
  expect(set.size).toBe(70_000);
  const numbers = Array.from({ length: 140_000 }, (_, i) => i);
  expect(numbers.filter((i) => set.has(...hashOf(i)) !== i < 70_000)).toEqual([]);
});

test('duplicate entries count once', async () => {
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

// The first of vectors_hsip64 in https://github.com/veorq/SipHash (vectors.h): key 00 01 … 07, messages of 0, 1, 2, …
// bytes 00 01 02 …
test.each([
  [0, '218d1f59b9b83cc8'],
  [1, 'be552412f8387315'],
  [2, '064f39ef7c50eb57'],
  [3, 'ce0f1a45f7060679'],
  [4, 'd5e78a175be52ea1'],
  [5, 'cb9d7c3f2f3db580'],
  [6, 'ce3e91358aa2bc25'],
  [7, 'ff202728b07bc684'],
  [8, 'edfee820bce4858c'],
])('the reference vector of %i bytes', (length, expected) => {
  const message = Array.from({ length }, (_, i) => String.fromCharCode(i)).join('');
  const result = new Int32Array(2);
  halfSipHash(message, [0x03020100, 0x07060504], result);
  expect(Buffer.from(result.buffer).toString('hex')).toBe(expected);
});
