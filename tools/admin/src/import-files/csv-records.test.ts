import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvSplitter } from './csv-records.js';
import { ROW_BYTES_MAX } from './import-row.js';
import type { CsvRecord, CsvShape } from './csv-records.js';

const COMMA: CsvShape = { delimiter: ',', newline: '\n' };

function split(text: string | Buffer, shape = COMMA, chunkBytes = 1 << 16): CsvRecord[] {
  const bytes = Buffer.from(text);
  const splitter = new CsvSplitter(shape);
  const records: CsvRecord[] = [];
  for (let i = 0; i < bytes.length; i += chunkBytes)
    records.push(...splitter.push(bytes.subarray(i, i + chunkBytes)));
  return [...records, ...splitter.end()];
}

const cellsOf = (text: string | Buffer, shape = COMMA) => split(text, shape).map(({ cells }) => cells);

test.each([
  ['a,b\nc,d', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['a,b\r\nc,d\r\n', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['"a","b"\r\n"c","d"\r\n', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['"a,""b""\nc",d\n', [['a,"b"\nc', 'd']]],
  ['"","""",a""b\n', [['', '"', 'a""b']]],
  [',\n', [['', '']]],
  ['a,"b",\n', [['a', 'b', '']]],
  ['\n\na', [[''], [''], ['a']]],
  ['', []],
])('splits %j', (text, expected) => {
  expect(cellsOf(text)).toEqual(expected);
});

test('splits at semicolons, at tabs, and at line breaks of old Macs', () => {
  expect(cellsOf('a,b;"c;d"', { delimiter: ';', newline: '\n' })).toEqual([['a,b', 'c;d']]);
  expect(cellsOf('a\t"b\tc"\rd\te', { delimiter: '\t', newline: '\r' })).toEqual([
    ['a', 'b\tc'],
    ['d', 'e'],
  ]);
});

test('splits every well-formed table as csv-parse does, wherever the chunks end', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', ';', '"', '\n', '\r\n', ' ', '=') });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const written = fc
    .tuple(cell, fc.boolean())
    .map(([text, always]) => (always || /[",\r\n]/.test(text) ? quoted(text) : text));
  const table = fc.array(fc.array(written, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 40 }), (rows, chunkBytes) => {
      const text = `${rows.map((row) => row.join(',')).join('\n')}\n`;
      const expected = parse(text, { relax_column_count: true, record_delimiter: '\n' });
      expect(split(text, COMMA, chunkBytes).map(({ cells }) => cells)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('says on which line each record begins', () => {
  expect(split('a\n"b\nc"\n\nd').map(({ line }) => line)).toEqual([1, 2, 4, 5]);
});

test.each(['"x"y,1\nok,2\n', '"x" ,1\nok,2\n', '"x"\r,1\nok,2\n', 'a,"x"y"z",1\nok,2\n'])(
  'refuses text behind a closing quote, and that record alone: %j',
  (text) => {
    expect(split(text)).toMatchObject([
      { cells: null, problem: 'has text behind a closing quote' },
      { cells: ['ok', '2'] },
    ]);
  },
);

test('refuses a record that is no UTF-8, and reads the next', () => {
  const bytes = Buffer.concat([Buffer.from('a,'), Buffer.from([0xe9, 0xff]), Buffer.from('\nü,2\n')]);
  expect(split(bytes)).toMatchObject([
    { cells: null, problem: 'is not UTF-8: save it as CSV UTF-8' },
    { cells: ['ü', '2'] },
  ]);
});

test.each(['a,b', 'a,"b,\n\n'])('refuses a record beyond a mebibyte, and reads the next: %j', (start) => {
  const end = start.includes('"') ? '"\n' : '\n';
  const big = `${start}${'x'.repeat(10 * ROW_BYTES_MAX)}${end}ok,2\n`;
  expect(split(big)).toMatchObject([{ line: 1, cells: null }, { cells: ['ok', '2'] }]);
});

test('says where a quote opens that nothing closes, and that nothing after it was read', () => {
  expect(split('a,b\nc,"d\ne,f\ng,h\n')).toMatchObject([
    { cells: ['a', 'b'] },
    { line: 2, cells: null, endsHere: true },
  ]);
});

test('says of the last record whether a line break ends it', () => {
  expect(split('a\nb').map(({ isEnded }) => isEnded)).toEqual([true, false]);
});
