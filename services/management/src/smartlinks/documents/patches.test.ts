import { expect, test } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import type { SmartlinkRow } from '@smartlink/smartlink/store';
import { mergeDocument, planPatch } from './patches.js';

test('objects merge at every depth; arrays, null and other values replace', () => {
  const document = { a: { b: { c: 1, d: 2 }, e: [1, 2] }, f: 'x', g: { h: 1 } };
  expect(mergeDocument(document, { a: { b: { d: 3 }, e: [9] }, g: null, i: { j: 1 } })).toEqual({
    a: { b: { c: 1, d: 3 }, e: [9] },
    f: 'x',
    g: null,
    i: { j: 1 },
  });
  expect(mergeDocument({ a: [1] }, { a: { 0: 2 } })).toEqual({ a: { 0: 2 } });
  expect(mergeDocument({ a: { b: 1 } }, { a: 'wrong' })).toEqual({ a: 'wrong' });
});

test('the document itself stays as it was, and no prototype is touched', () => {
  const document = { a: { b: 1 } };
  const merged = mergeDocument(
    document,
    JSON.parse('{"a":{"b":2},"__proto__":{"x":1}}') as Record<string, unknown>,
  );
  expect(document).toEqual({ a: { b: 1 } });
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(merged['a']).toEqual({ b: 2 });
});

test('a patch keeps a URL that was stored under earlier rules, and checks one that it brings', () => {
  const validator = createSmartlinkValidator({ publicBaseUrl: 'https://sl.example.com' });
  const row = {
    type: 'Url',
    name: 'Docs',
    slug: 'docs',
    open_graph: null,
    content: { Url: { shortener: { url: 'http://intranet.lan/', protected: false } } },
    password_hash: null,
  } as unknown as SmartlinkRow;
  const id = '00000000-0000-4000-8000-000000000000';
  const renamed = planPatch(validator, row, { id, configuration: { smartlinkName: 'New' } });
  expect([renamed.parts.name, renamed.newUrls]).toEqual(['New', []]);
  expect(() => planPatch(validator, row, { id, shortener: { url: 'http://other.lan/' } })).toThrow();
});
