import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readCsvRecords } from './csv-records.js';
import { readJsonElements } from './json-elements.js';
import { readLines } from './lines.js';
import { openRows } from './read-rows.js';

const ROWS = 15_000;
const MEASURED_FROM = 5_000;
const MEBIBYTE = 1024 * 1024;

// Figures of a heap mean something only right after a collection.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
// The memory of buffers is swept beside the collection that found them dead, and done with at the next.
const collectGarbage = () => {
  collect();
  collect();
};

const body = (i: number) =>
  `{"configuration":{"smartlinkName":"Link ${i}","smartlinkUrl":"s${i}","smartlinkType":"Url"},"shortener":{"url":"https://example.com/${i}"}}`;

test.each<[string, string, (i: number) => string, string]>([
  [
    'CSV',
    'name,slug,url,createdAt,clicks\n',
    (i) => `Link ${i},s${i},"https://example.com/${i}",2026-01-01,${i}\n`,
    '',
  ],
  ['JSON', '[', (i) => `${i === 0 ? '' : ','}${body(i)}`, ']'],
])(
  `reads ${ROWS} rows of %s and keeps none of them`,
  async (_kind, start, row, end) => {
    async function* chunks() {
      yield Buffer.from(start);
      for (let i = 0; i < ROWS; i += 1000)
        yield await Promise.resolve(Buffer.from(Array.from({ length: 1000 }, (_, j) => row(i + j)).join('')));
      yield Buffer.from(end);
    }
    const opened = await openRows(chunks(), {});
    if ('problem' in opened) throw new Error(opened.problem);
    let count = 0;
    let heapBytes = 0;
    for await (const { rowNumber, outcome } of opened.rows) {
      count += 1;
      if (rowNumber !== count || outcome !== 'read')
        throw new Error(`Row ${count} is ${rowNumber}, ${outcome}`);
      if (count !== MEASURED_FROM && count !== ROWS) continue;
      collectGarbage();
      heapBytes = process.memoryUsage().heapUsed - heapBytes;
    }
    expect(count).toBe(ROWS);
    expect(heapBytes).toBeLessThan(4 * MEBIBYTE);
    // Seconds of computing, on a machine that may be busy.
  },
  60_000,
);

type Reader = (chunks: AsyncIterable<Buffer>) => AsyncIterable<unknown>;

const csv: Reader = (chunks) => readCsvRecords(chunks, { delimiter: ',', newline: '\n' });
const json =
  (...rowsAt: string[]): Reader =>
  (chunks) =>
    readJsonElements(chunks, rowsAt);

test.each<[string, Reader, string]>([
  ['a cell', csv, 'a,b'],
  ['a quoted cell', csv, 'a,"'],
  ['a string of JSON', json(), '[{"a":"'],
  ['brackets of JSON', json(), '[[{"a":[1,'],
  ['a key of JSON', json('data'), '{"'],
  ['a line', (chunks) => readLines(chunks, MEBIBYTE), '{"a":"'],
])('keeps no more than a row may have of %s that does not end', async (_what, read, start) => {
  const filler = start.endsWith('1,') ? '[ ' : 'x ';
  collectGarbage();
  const before = process.memoryUsage();
  async function* chunks() {
    yield Buffer.from(start);
    for (let i = 0; i < 12; i += 1) yield await Promise.resolve(Buffer.alloc(MEBIBYTE / 2, filler));
    collectGarbage();
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(4 * MEBIBYTE);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(4 * MEBIBYTE);
  }
  for await (const _ of read(chunks()));
});
