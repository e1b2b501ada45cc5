import { expect, test } from 'vitest';
import { mergeDocument } from './patches.js';

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
