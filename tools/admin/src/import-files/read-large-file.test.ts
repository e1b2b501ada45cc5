import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImportFile } from './read-import-file.js';

const ROWS = 100_000;
const HEAP_GROWTH_BYTES_MAX = 48 * 1024 * 1024;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-large-'));
});
afterAll(() => rm(folder, { recursive: true }));

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
  ['NDJSON', '', (i) => `${body(i)}\n`, ''],
])(`reads ${ROWS} rows of %s and keeps none of them`, async (kind, start, row, end) => {
  const file = join(folder, kind);
  function* texts() {
    yield start;
    for (let i = 0; i < ROWS; i += 1000) yield Array.from({ length: 1000 }, (_, j) => row(i + j)).join('');
    yield end;
  }
  await pipeline(Readable.from(texts()), createWriteStream(file));
  let count = 0;
  let heapFirst = 0;
  let heapLast = 0;
  for await (const { rowNumber, outcome } of readImportFile(file)) {
    count += 1;
    if (rowNumber !== count || outcome !== 'read')
      throw new Error(`Row ${count} is ${rowNumber}, ${outcome}`);
    if (count % 10_000 !== 0) continue;
    heapLast = process.memoryUsage().heapUsed;
    if (count === 20_000) heapFirst = heapLast;
  }
  expect(count).toBe(ROWS);
  expect(heapLast - heapFirst).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
});
