import { expect, test } from 'vitest';
import { cutIntoChunks } from './publish.js';

const MIB = 1024 * 1024;

const entriesOf = (...slugKeys: string[]) => slugKeys.map((slugKey) => ({ slugKey }));
const weigh = (slugKey: string, smartlinkId: string, mebibytes: number) => ({
  slugKey,
  smartlinkId,
  bytes: mebibytes * MIB,
});
const cut = (...args: Parameters<typeof cutIntoChunks>) =>
  cutIntoChunks(...args).map((chunk) => chunk.map(({ slugKey }) => slugKey));

test('a chunk reads 4 MiB of content, or one smartlink', () => {
  const weights = [weigh('a', '1', 3), weigh('b', '2', 1), weigh('c', '3', 1), weigh('d', '4', 9)];
  expect(cut(entriesOf('a', 'b', 'c', 'd'), weights)).toEqual([['a', 'b'], ['c'], ['d']]);
});

test('the addresses of one smartlink are in one chunk, read once, up to 32 MiB', () => {
  const weights = [
    weigh('a', '1', 10),
    weigh('b', '2', 1),
    ...['c', 'd', 'e'].map((key) => weigh(key, '1', 10)),
  ];
  expect(cut(entriesOf('a', 'b', 'c', 'd', 'e'), weights)).toEqual([['a', 'c', 'd'], ['e'], ['b']]);
});

test('an unknown slug, or one of an erased owner, has its place in a chunk', () => {
  expect(cut(entriesOf('a', 'b', 'a'), [weigh('b', '', 0)])).toEqual([['a', 'b', 'a']]);
});

test('nothing gives no chunk', () => {
  expect(cut([], [])).toEqual([]);
});
