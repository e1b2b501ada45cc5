import { expect, test } from 'vitest';
import { parseStrictJson } from './validation.js';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('returns the value of JSON that has one meaning', () => {
  expect(parse('{"a":[{"b":"\\ud83d\\ude00"}]}')).toEqual({ ok: true, value: { a: [{ b: '😀' }] } });
});

test.each([
  ['{"a":1', 'Must be valid JSON'],
  ['{"a":1,"\\u0061":2}', 'Must not have the same key twice in one object'],
  ['{"__proto__":{}}', 'Must not have the key __proto__'],
  ['['.repeat(17) + ']'.repeat(17), 'Must not be nested deeper than 16 levels'],
])('returns the fault of %s and does not throw', (text, message) => {
  expect(parse(text)).toEqual({ ok: false, faults: [{ path: '', message }] });
});

test('names the place of malformed Unicode', () => {
  expect(parse('{"a":["\\ud800"]}')).toEqual({
    ok: false,
    faults: [{ path: 'a.0', message: 'Must be well-formed Unicode' }],
  });
});

test('refuses bytes that are no UTF-8', () => {
  expect(parseStrictJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toEqual({
    ok: false,
    faults: [{ path: '', message: 'Must be valid UTF-8' }],
  });
});
