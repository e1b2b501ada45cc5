import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { decodeSnapshot, encodeSnapshot, encodeVersion } from './redis-codec.js';

const snapshot: LinkSnapshot = {
  version: 42,
  smartlinkId: 'a',
  ownerId: 'b',
  slug: 'Docs',
  status: 'Active',
  type: 'Url',
  url: 'https://example.org/ü',
};

test('gives back what was put in', () => {
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot);
});

test('gives back the text of a page exactly, at its largest', () => {
  const text = '\ta "b" \\ \r\n\u0007\u2028<😀>'.repeat(5_000);
  const page: LinkSnapshot = {
    ...{ version: 42, smartlinkId: 'a', ownerId: 'b', slug: 'Text', status: 'Active' },
    type: 'TxtBin',
    page: { txtBin: { title: 'T', description: 'D', text } },
  };
  expect(decodeSnapshot(encodeSnapshot(page))).toEqual(page);
});

test('versions compare as text as they do as numbers, up to 2^53 − 1', () => {
  const versions = [0, 9, 10, 99, 100, 2 ** 31, 2 ** 52, Number.MAX_SAFE_INTEGER];
  const encoded = versions.map(encodeVersion);
  expect(encoded.toSorted()).toEqual(encoded);
  expect(new Set(encoded.map((text) => text.length))).toEqual(new Set([16]));
});

test.each([
  '',
  '1',
  '2' + encodeSnapshot(snapshot).slice(1),
  '10000000000000042',
  '10000000000000042{',
  'OK',
  '1{}',
])('a foreign value %j is none', (value) => {
  expect(decodeSnapshot(value)).toBeNull();
});
