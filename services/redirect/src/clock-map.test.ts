import { expect, test } from 'vitest';
import { createClockMap } from './clock-map.js';

const entry = (bytes = 1) => ({ bytes, wasUsed: false });

test('evicts what was not used, in order of age, and gives what was used a second round', () => {
  const map = createClockMap({ entriesMax: 3, bytesMax: 100 });
  for (const key of ['a', 'b', 'c']) map.set(key, entry());
  const a = map.get('a');
  if (a) a.wasUsed = true;
  map.set('d', entry());
  expect(['a', 'b', 'c', 'd'].filter((key) => map.get(key))).toEqual(['a', 'c', 'd']);
  map.set('e', entry());
  map.set('f', entry());
  expect(['a', 'd', 'e', 'f'].filter((key) => map.get(key))).toEqual(['a', 'e', 'f']);
  expect(map.evictions()).toBe(3);
});

test('keeps to its bytes and counts replaced and deleted entries out', () => {
  const map = createClockMap({ entriesMax: 100, bytesMax: 10 });
  map.set('a', entry(4));
  map.set('a', entry(6));
  map.set('b', entry(4));
  expect([map.size(), map.bytes()]).toEqual([2, 10]);
  map.set('c', entry(5));
  expect([map.size(), map.bytes()]).toEqual([2, 9]);
  map.delete('c');
  map.delete('c');
  expect([map.size(), map.bytes()]).toEqual([1, 4]);
});

test('when all are used it still makes room, and ends', () => {
  const map = createClockMap({ entriesMax: 2, bytesMax: 100 });
  for (let i = 0; i < 1_000; i += 1) map.set(String(i), { bytes: 1, wasUsed: true });
  expect(map.size()).toBe(2);
});
