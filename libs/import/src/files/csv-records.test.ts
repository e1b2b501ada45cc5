import { expect, test } from 'vitest';
import { type CsvRecord, type CsvShape, readCsvRecords } from './csv-records.js';
import { ROW_BYTES_MAX } from './import-row.js';

const COMMA: CsvShape = { delimiter: ',', newline: '\n' };

async function split(text: string | Buffer, shape = COMMA, chunkBytes = 1 << 16): Promise<CsvRecord[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += chunkBytes)
      yield await Promise.resolve(bytes.subarray(i, i + chunkBytes));
  }
  const records: CsvRecord[] = [];
  for await (const record of readCsvRecords(chunks(), shape)) records.push(record);
  return records;
}

const cellsOf = async (text: string | Buffer, shape = COMMA, chunkBytes = 1 << 16) =>
  (await split(text, shape, chunkBytes)).map((record) => ('cells' in record ? record.cells : null));

test.each([
  ['a,b\nc,d', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['a,b\r\nc,d\r\n', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['"a","b"\r\n"c","d"\r\n', [['a', 'b'], ['c', 'd']]], // prettier-ignore
  ['"a,""b""\nc",d\n', [['a,"b"\nc', 'd']]],
  ['"","""",a""b\n', [['', '"', 'a""b']]],
  [',\n,\n', []],
  ['a,"b",\n', [['a', 'b', '']]],
  ['\n\na', [['a']]],
  ['', []],
])('splits %j, wherever the chunks end', async (text, expected) => {
  for (const chunkBytes of [1, 2, 3, 1000]) expect(await cellsOf(text, COMMA, chunkBytes)).toEqual(expected);
});

test('splits at semicolons, at tabs, and at line breaks of old Macs', async () => {
  expect(await cellsOf('a,b;"c;d"', { delimiter: ';', newline: '\n' })).toEqual([['a,b', 'c;d']]);
  expect(await cellsOf('a\t"b\tc"\rd\te', { delimiter: '\t', newline: '\r' })).toEqual([
    ['a', 'b\tc'],
    ['d', 'e'],
  ]);
});

test('says on which line each record begins', async () => {
  expect((await split('a\n"b\nc"\n\nd')).map(({ line }) => line)).toEqual([1, 2, 5]);
});

test.each(['"x"y,1\nok,2\n', '"x" ,1\nok,2\n', '"x"\r,1\nok,2\n', 'a,"x"y"z",1\nok,2\n'])(
  'refuses text after a closing quote, and that record alone: %j',
  async (text) => {
    expect(await split(text)).toMatchObject([
      { reason: 'has text after a closing quote' },
      { cells: ['ok', '2'] },
    ]);
  },
);

test('refuses a record that is no UTF-8, and reads the next', async () => {
  const bytes = Buffer.concat([Buffer.from('a,'), Buffer.from([0xe9, 0xff]), Buffer.from('\nü,2\n')]);
  expect(await split(bytes)).toMatchObject([
    { reason: 'is not UTF-8: save it as CSV UTF-8' },
    { cells: ['ü', '2'] },
  ]);
});

test.each(['a,b', 'a,"b,\n\n'])('reads nothing behind a record beyond a mebibyte: %j', async (start) => {
  const end = start.includes('"') ? '"\n' : '\n';
  const big = `first,1\n${start}${'x'.repeat(10 * ROW_BYTES_MAX)}${end}ok,2\n`;
  const reason = 'is longer than 1048576 bytes: the rest of the file cannot be read';
  expect(await split(big)).toMatchObject([
    { line: 1, cells: ['first', '1'] },
    { line: 2, reason },
  ]);
});

test('names the line of an unclosed quote, after which nothing was read', async () => {
  expect(await split('a,b\nc,"d\ne,f\ng,h\n')).toMatchObject([
    { cells: ['a', 'b'] },
    { line: 2, reason: expect.stringContaining('never closed') as string },
  ]);
});

test('says of the last record whether a line break ends it', async () => {
  expect((await split('a\nb')).map((record) => 'cells' in record && record.isEnded)).toEqual([true, false]);
});

test('reads nothing behind twenty thousand blank records', async () => {
  const records = await split(`a,b\n${'\n'.repeat(40_000)}c,d\n`);
  expect(records).toMatchObject([
    { cells: ['a', 'b'] },
    { reason: expect.stringMatching(/^is behind 20000 /) },
  ]);
});
