import { expect, test } from 'vitest';
import { ROW_BYTES_MAX } from './import-row.js';
import { ElementScanner } from './json-elements.js';
import type { JsonElement, RowsAt } from './json-elements.js';
import { createLineSplitter } from './json-lines.js';

type Splitter = { push: (chunk: Buffer) => JsonElement[]; end: () => JsonElement[] };

function scan(text: string, rowsAt: RowsAt | 'lines', chunkBytes = 1 << 16): JsonElement[] {
  const scanner: Splitter = rowsAt === 'lines' ? createLineSplitter() : new ElementScanner(rowsAt);
  const bytes = Buffer.from(text);
  const found: JsonElement[] = [];
  for (let i = 0; i < bytes.length; i += chunkBytes)
    found.push(...scanner.push(bytes.subarray(i, i + chunkBytes)));
  return [...found, ...scanner.end()];
}

const show = (element: JsonElement) =>
  element.bytes?.toString() ?? ('problem' in element ? element.problem : '');
const texts = (text: string, rowsAt: RowsAt | 'lines', chunkBytes?: number) =>
  scan(text, rowsAt, chunkBytes).map(show);

const A = '{"a":"]},{[\\"\\\\","b":[{},[1,{"c":null}]]}';
const B = '{\n  "ü": "😀"\n}';

test.each<[string, RowsAt | 'lines', string]>([
  ['an array', [], `[${A},${B}]`],
  ['an array with space around', [], ` [\r\n ${A} ,\t${B}\n]\n`],
  ['several arrays', [], `[${A}]\n[${B}]`],
  ['an array in an object', ['links'], `{"x":{"links":[1]},"y":[{"links":[2]}],"links":[${A},${B}],"z":1}`],
  ['an object in an object', ['links'], `{"links":{"link_1":${A},"link_2":${B}},"stats":{"a":{}}}`],
  ['an array two objects deep', ['s', 'data'], `{"data":[3],"s":{"p":{"data":[4]},"data":[${A},${B}]}}`],
  ['several pages', ['data'], `{"data":[${A}],"total":2}{"total":2,"data":[${B}]}`],
  ['objects one after the other', null, `${A}\n${B}`],
  ['objects that nothing parts', null, `${A}${B}`],
])('finds the rows of %s, wherever the chunks end', (_what, rowsAt, text) => {
  for (const chunkBytes of [1, 2, 3, 7, 1000])
    expect(texts(text, rowsAt, chunkBytes), `${chunkBytes}`).toEqual([A, B]);
});

test('finds rows that are no objects, to be refused one by one', () => {
  expect(texts('[1, "a,]", null,[2,{}] , tru]', [])).toEqual(['1', '"a,]"', 'null', '[2,{}]', 'tru']);
  expect(texts('{"data":{"a":1,"b":null,"c":{}}}', ['data'])).toEqual(['1', 'null', '{}']);
});

test.each([
  ['a bracket of another kind', '[{"a":1],{"b":2}]', ['{"a":1]', '{"b":2}']],
  ['a bracket that is missing', '[{"a":[1},{"b":2}]', ['{"a":[1}', '{"b":2}']],
  ['a word', '[{"a":nope},{"b":2}]', ['{"a":nope}', '{"b":2}']],
  ['words between rows', '[{"a":1} oops ! {"b":2}]', ['{"a":1}', 'oops ! {"b":2}']],
  ['a comma that is missing', '[{"a":1}{"b":2}]', ['{"a":1}', '{"b":2}']],
  ['what follows the array', '[{"a":1}]{"b":2} x\n]', ['{"a":1}', '{"b":2}', 'x', ']']],
  [
    'a quote that is missing',
    '[\n  {"a":"x},\n  {"b":[\n    {"c":1}]}\n]',
    ['{"a":"x},\n  ', '{"b":[\n    {"c":1}]}'],
  ],
])('keeps garbage to its own row: %s', (_what, text, expected) => {
  expect(texts(text, [])).toEqual(expected);
});

test('finds rows behind a bracket that closes their list too early', () => {
  expect(texts('{"data":[{"a":1}],{"b":{"c":2}}],"total":2}', ['data'])).toEqual([
    '{"a":1}',
    '{"b":{"c":2}}',
  ]);
  expect(texts('[{"a":1}],{"b":{"c":2}}', [])).toEqual(['{"a":1}', '{"b":{"c":2}}']);
});

test('loses no row when lines are rows, whatever one of them holds', () => {
  expect(texts('{"a":{"b":1}\n\n  \r\n{"c":"x\n{"d":1}', 'lines')).toEqual([
    '{"a":{"b":1}',
    '{"c":"x',
    '{"d":1}',
  ]);
  expect(scan('1\n\n2', 'lines').map(({ line }) => line)).toEqual([1, 3]);
});

test('says on which line each row begins', () => {
  expect(scan('[\n1,\n\n{\n"a":2},{}]', []).map(({ line }) => line)).toEqual([2, 4, 5]);
});

test.each<[string, RowsAt | 'lines', string, string]>([
  ['an element', [], '[{"a":1},{"a":"', '"},{"b":2}]'],
  ['an element of brackets', [], `[{"a":1},${'['.repeat(1000)}`, `${']'.repeat(1000)},{"b":2}]`],
  ['a line', 'lines', '{"a":1}\n', '\n{"b":2}'],
])('refuses %s beyond a mebibyte, and reads the next', (_what, rowsAt, start, end) => {
  const text = `${start}${'x'.repeat(10 * ROW_BYTES_MAX)}${end}`;
  expect(texts(text, rowsAt)).toEqual(['{"a":1}', `is longer than ${ROW_BYTES_MAX} bytes`, '{"b":2}']);
});

test('counts brackets that nothing holds, a megabyte of them, and reads the next row', () => {
  const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
  expect(texts(`[${deep},{"b":2}]`, [])[1]).toBe('{"b":2}');
});

test('says at every place where a file is cut that it is, after the rows before', () => {
  const file = `{"p":{"q":[0]},"links":[${A},${B}]}`;
  const bytes = Buffer.from(file);
  const ends = [A, B].map((row) => Buffer.byteLength(file.slice(0, file.indexOf(row) + row.length)));
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const scanner = new ElementScanner(['links']);
    const found = [...scanner.push(bytes.subarray(0, cut)), ...scanner.end()];
    expect(found.at(-1), `${cut}`).toMatchObject({ bytes: null, endsHere: true });
    expect(found.slice(0, -1).map(show), `${cut}`).toEqual([A, B].filter((_row, i) => cut >= (ends[i] ?? 0)));
  }
});

test('says of a page without links that it has none', () => {
  expect(texts('{"data":[{}]}{"error":"slow down"}', ['data'])).toEqual([
    '{}',
    'is no list of links, as what stands before it in the file is',
  ]);
});
