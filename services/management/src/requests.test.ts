import { expect, test } from 'vitest';
import { ApiError } from './errors.js';
import { parseJsonBody } from './requests.js';

const parse = (body: string | Buffer) => parseJsonBody(Buffer.from(body));

function faultsOf(body: string | Buffer): string[] {
  try {
    parse(body);
    return [];
  } catch (err) {
    if (!(err instanceof ApiError) || err.code !== 'VALIDATION_FAILED') throw err;
    return (err.details ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
}

test.each([
  ['{}', {}],
  [' [1, "a", null, true] ', [1, 'a', null, true]],
  ['{"a":{"b":[{"a":1},{"a":2}]}}', { a: { b: [{ a: 1 }, { a: 2 }] } }],
  ['{"a":"}\\"]{\\\\","b":"x:y"}', { a: '}"]{\\', b: 'x:y' }],
  ['{"\\u0061":1,"b":"\\ud83d\\ude00"}', { a: 1, b: '😀' }],
  ['{"prototype":1,"constructors":2}', { prototype: 1, constructors: 2 }],
])('reads %s', (text, value) => {
  expect(parse(text)).toEqual(value);
});

test.each(['', '{', '{"a":1', 'x', '{"a":1}{}', "{'a':1}", '{"a":1,}', 'NaN', '\ufeff{}', '{"a":"\n"}'])(
  'refuses %j as no JSON',
  (text) => {
    expect(faultsOf(text)).toEqual([': Must be valid JSON']);
  },
);

test('refuses bytes that are no UTF-8', () => {
  expect(faultsOf(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toEqual([': Must be valid UTF-8']);
  expect(faultsOf(Buffer.from('{}', 'utf16le'))).toEqual([': Must be valid JSON']);
});

test.each([
  '{"a":1,"a":2}',
  '{"x":{"a":1,"b":2,"a" : 3}}',
  '{"a":1,"\\u0061":2}',
  '[{"a":1},{"b":1,\n"b"\t:2}]',
])('refuses the duplicate key in %s', (text) => {
  expect(faultsOf(text)).toEqual([': Must not have the same key twice in one object']);
});

test.each(['__proto__', 'constructor'])(
  'refuses the key %s at any depth and in any spelling, but not as a value',
  (key) => {
    const escaped = `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}`;
    for (const text of [`{"${key}":1}`, `{"a":[{"${key}":{}}]}`, `{"${escaped}":1}`]) {
      expect(faultsOf(text)).toEqual([`: Must not have the key ${key}`]);
    }
    expect(faultsOf(`{"a":"${key}"}`)).toEqual([]);
  },
);

test('takes 16 levels and refuses 17, and 100,000, in time', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(faultsOf(nested(16))).toEqual([]);
  expect(faultsOf(nested(17))).toEqual([': Must not be nested deeper than 16 levels']);
  expect(faultsOf('{"a":'.repeat(17) + '1' + '}'.repeat(17))).toHaveLength(1);
  expect(faultsOf(nested(100_000))).toHaveLength(1);
});

test('names every string that holds half a surrogate pair, by its path', () => {
  expect(faultsOf('{"a":"\\ud800","b":[{"c":"x\\uDFFFy"}],"ok":"\\ud83d\\ude00"}')).toEqual([
    'a: Must be well-formed Unicode',
    'b.0.c: Must be well-formed Unicode',
  ]);
  expect(faultsOf('{"\\ud800":1}')).toEqual([': Keys must be well-formed Unicode']);
});

test('a fault names the first 64 characters of a key, so that no answer is a hundred times its body', () => {
  const strings = Array.from({ length: 100 }, () => '"\\ud800"').join(',');
  const faults = faultsOf(`{"${'k'.repeat(500_000)}":[${strings}]}`);
  expect(faults).toHaveLength(100);
  expect(faults[0]).toBe(`${'k'.repeat(64)}.0: Must be well-formed Unicode`);
});

test('a body of 1 MiB made of keys alone is read once, not once a key', () => {
  const keys = Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`);
  expect(Object.keys(parse(`{${keys.join(',')}}`) as object)).toHaveLength(80_000);
});
