import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportRow, recogniseFormat, rowReader } from '@smartlink/import/files';
import { trialSize } from '@smartlink/test-support/trial-size';
import { Problem } from '../../cli/terminal.js';
import { fingerprintFile } from './file-bytes.js';
import { readImportFile, type ReadOptions, recogniseImportFile } from './read-import-file.js';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(file: string, options: ReadOptions = {}): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  const layout = await recogniseImportFile(file);
  for await (const row of readImportFile(file, layout, options)) rows.push(row);
  return rows;
}

async function readContent(content: string | Buffer, options?: ReadOptions): Promise<ImportRow[]> {
  const file = join(folder, 'file');
  await writeFile(file, content);
  return read(file, options);
}

const urlBody = (smartlinkName: string, smartlinkUrl: string, url: string) => ({
  configuration: { smartlinkName, smartlinkUrl, smartlinkType: 'Url' },
  shortener: { url },
});

test('reads our own CSV', async () => {
  expect(await read(fixture('own.csv'))).toMatchObject([
    {
      rowNumber: 1,
      line: 2,
      outcome: 'read',
      body: urlBody('Spring sale', 'spring26', 'https://example.com/spring'),
      createdAt: new Date('2026-03-01T06:30:00Z'),
      totals: { clicks: 1200, scans: 34, fallbacks: 0 },
    },
    {
      rowNumber: 2,
      line: 3,
      outcome: 'read',
      body: {
        configuration: { smartlinkName: 'Menu, "new"', smartlinkType: 'Url' },
        shortener: { url: 'https://example.com/menu' },
      },
    },
    {
      rowNumber: 3,
      line: 4,
      outcome: 'read',
      body: {
        configuration: { smartlinkName: 'Secret1', smartlinkUrl: 'Secret1', smartlinkType: 'Url' },
        shortener: { url: 'https://example.com/secret', password: 'correct horse', protected: true },
      },
      createdAt: new Date('2026-01-02T03:04:05Z'),
      totals: { clicks: 0, scans: 0, fallbacks: 0 },
    },
  ]);
});

test('reads other types from our own CSV, lists as JSON in a cell', async () => {
  expect(await read(fixture('own-types.csv'))).toMatchObject([
    {
      body: {
        configuration: { smartlinkName: 'Our links', smartlinkType: 'Landing', smartlinkUrl: 'ourlinks' },
        landing: { title: 'Our links', layout: 'Grid' },
        landingButtons: [{ title: 'Call', link: 'tel:+15550100' }],
      },
    },
    { body: { qrMenu: { title: 'Lunch', categories: [{ items: [{ price: 4.5 }] }] } } },
  ]);
});

test('reads create bodies as JSON, and passes on the member export unchanged', async () => {
  const items = JSON.parse(await readFile(fixture('own.json'), 'utf8')) as Record<string, unknown>[];
  const { export: more, ...body } = items[1] ?? {};
  expect(await read(fixture('own.json'))).toEqual([
    { rowNumber: 1, line: 2, outcome: 'read', body: items[0] },
    { rowNumber: 2, line: 6, outcome: 'read', body, more },
  ]);
  expect(await readContent('[{"configuration":{},"export":"x"}]')).toMatchObject([{ outcome: 'refused' }]);
});

test('reads flat objects by the column names of CSV, and names the fault of one', async () => {
  const rows = [
    { name: 'One', slug: 'one', url: 'https://example.org/', clicks: 7 },
    { slug: null, url: 'https://example.org/two' },
    { url: 'https://example.org/', slgu: 'three' },
    { url: 'https://example.org/', clicks: -1, slug: 'four' },
  ];
  expect(await readContent(JSON.stringify(rows))).toMatchObject([
    { body: urlBody('One', 'one', 'https://example.org/'), totals: { clicks: 7 } },
    { body: { configuration: { smartlinkName: 'example.org' } } },
    { outcome: 'refused', reason: 'has an unknown column, "slgu" (column 2): did you mean slug?' },
    { outcome: 'read', losses: ['clicks is not a whole number of 0 or more'] },
  ]);
});

test('reads one JSON value a line, and continues after an invalid line', async () => {
  expect(await read(fixture('own.ndjson'))).toMatchObject([
    { rowNumber: 1, line: 1, outcome: 'read', body: { configuration: { smartlinkName: 'One' } } },
    { rowNumber: 2, line: 3, outcome: 'refused', reason: 'cannot be read: Must be valid JSON' },
    { rowNumber: 3, line: 4, outcome: 'read', body: { configuration: { smartlinkName: 'Three' } } },
  ]);
});

const winter = { outcome: 'read', createdAt: new Date('2025-10-13T17:11:28Z') };
const plain = {
  body: urlBody('4ghiJKL', '4ghiJKL', 'https://example.com/plain'),
  createdAt: new Date('2025-10-31T22:30:00Z'),
};

test('reads Bitly’s table and API: chosen back-halves, clicks apart from scans, dates with an offset', async () => {
  expect(await read(fixture('bitly.csv'))).toMatchObject([
    {
      ...winter,
      body: urlBody('Winter catalogue', 'winter', 'https://example.com/winter?x=1,2'),
      totals: { clicks: 3646, scans: 12, fallbacks: 0 },
    },
    plain,
  ]);
  const rows = await read(fixture('bitly.json'));
  expect(rows).toMatchObject([
    { ...winter, body: urlBody('Winter catalogue', 'winter', 'https://example.com/winter') },
    plain,
  ]);
  expect(rows[0]).not.toHaveProperty('totals');
  const engaged = 'Link,Long URL,Engagements,Scans\nbit.ly/1,https://example.com,10,3\n';
  expect(await readContent(engaged)).toMatchObject([{ totals: { clicks: 7, scans: 3 } }]);
});

test('reads Shlink’s table and API: visits of people, and when a link ran out', async () => {
  const conference = {
    body: urlBody('Conference', 'conf-24', 'https://example.com/conference'),
    createdAt: new Date('2024-05-06T05:08:09Z'),
    totals: { clicks: 87, scans: 0, fallbacks: 0 },
  };
  expect(await read(fixture('shlink.csv'))).toMatchObject([
    conference,
    { body: urlBody('team/berlin', 'team/berlin', 'https://example.com/team') },
  ]);
  const rows = await read(fixture('shlink.json'));
  const availability = { expiresAt: '2024-02-01T00:00:00.000Z' };
  expect(rows).toMatchObject([conference, { body: { availability }, totals: { clicks: 4 } }]);
  for (const row of rows) expect(row).not.toHaveProperty('status');
});

test('reads Kutt’s API and table: banned links as paused, links with a password not without a new one', async () => {
  const handbook = {
    body: urlBody('The handbook', 'handbook', 'https://example.com/handbook'),
    createdAt: new Date('2023-03-04T05:06:07Z'),
    totals: { clicks: 42 },
  };
  const hidden = { faults: [{ path: 'shortener.password' }] };
  expect(await read(fixture('kutt.json'))).toMatchObject([handbook, hidden, { status: 'Paused' }]);
  expect(await read(fixture('kutt.csv'))).toMatchObject([handbook, hidden]);
  expect(await read(fixture('kutt.csv'), { newPassword: 'correct horse' })).toMatchObject([
    handbook,
    { body: { shortener: { protected: true, password: 'correct horse' } } },
  ]);
});

test('reads YOURLS’ table and API: times as UTC, and slugs that ours cannot be as they are', async () => {
  const ozh = {
    body: urlBody('Planet Ozh', 'ozh', 'https://example.com/ozh'),
    createdAt: new Date('2019-08-07T06:05:04Z'),
    totals: { clicks: 311, scans: 0, fallbacks: 0 },
  };
  expect(await read(fixture('yourls.csv'))).toMatchObject([
    ozh,
    { body: urlBody('my-link', 'my-link', 'https://example.com/mine') },
  ]);
  expect(await read(fixture('yourls.json'))).toMatchObject([
    ozh,
    { body: urlBody('https://example.com/two', '2', 'https://example.com/two') },
  ]);
});

test('reads a table’s other rows beside rows with too many or too few cells', async () => {
  const rows = await readContent(
    'name,url\na,https://example.com/?a=1,2\nb\nc,https://example.com,,\n,\nd,https://example.com\n',
  );
  expect(rows).toMatchObject([
    { rowNumber: 1, line: 2, reason: 'has 3 cells where the heading has 2' },
    { rowNumber: 2, line: 3, reason: 'has 1 cell where the heading has 2' },
    { rowNumber: 3, line: 4, outcome: 'read' },
    { rowNumber: 4, line: 6, outcome: 'read' },
  ]);
  expect(await readContent('slug,url\na')).toMatchObject([{ outcome: 'refused', slug: 'a' }]);
});

test('reads JSON as strictly as the API does, row by row', async () => {
  const deep = `{"configuration":${'['.repeat(16)}${']'.repeat(16)}}`;
  const bad = ['{"configuration":1,"configuration":2}', '{"__proto__":1}', '{"a":"\\ud800"}', deep, 'null'];
  const rows = await readContent(`[${bad.join(',')},{"configuration":{}}]`);
  expect(rows.map(({ outcome }) => outcome)).toEqual([...bad.map(() => 'refused'), 'read']);
  expect(rows.map(({ rowNumber }) => rowNumber)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('has no rows where there is a heading or a list and nothing else', async () => {
  expect(await readContent('\ufeffname,url')).toEqual([]);
  expect(await readContent('\ufeff[]')).toEqual([]);
});

test.each([
  ['url,slgu\n', 'has an unknown column, "slgu" (column 2): did you mean slug?'],
  [Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]), 'cannot be read: its compression is damaged or cut'],
])('names the fault of a file of %j', async (content, message) => {
  await expect(readContent(content)).rejects.toThrow(Problem);
  await expect(readContent(content)).rejects.toThrow(message);
});

test('refuses a directory and a missing file', async () => {
  await expect(read(folder)).rejects.toThrow(`${folder} is a directory.`);
  await expect(read(join(folder, 'none'))).rejects.toThrow(Problem);
  await expect(fingerprintFile(folder)).rejects.toThrow(Problem);
  await expect(recogniseImportFile(folder)).rejects.toThrow(Problem);
});

test('reads a compressed file of any name, and names the end of a damaged one', async () => {
  const bytes = gzipSync(await readFile(fixture('own.json')));
  expect(await readContent(bytes)).toEqual(await read(fixture('own.json')));
  const lines = Array.from({ length: 40_000 }, (_, i) => `n${i},https://example.com/${i * 7919}\n`);
  const packed = gzipSync(`name,url\n${lines.join('')}`);
  const rows = await readContent(packed.subarray(0, packed.length - 100));
  expect(rows.length).toBeGreaterThan(1_000);
  expect(rows.at(-1)).toMatchObject({ reason: expect.stringContaining('damaged or cut') as string });
  expect(rows.slice(0, -1).every(({ outcome }) => outcome === 'read')).toBe(true);
  // Seconds of computing, on a machine that may be busy.
}, 60_000);

test('gives up a file that unpacks to two hundred times its size', async () => {
  const packed = gzipSync(`name,url\n${`${'x'.repeat(1_000_000)}\n`.repeat(20)}`);
  expect(packed.length * 200).toBeLessThan(20_000_000);
  const last = (await readContent(packed)).at(-1);
  expect(last).toMatchObject({ reason: expect.stringContaining('unpacks to more than') as string });
});

test('reports the bytes read, up to the file’s size, and its SHA-256', async () => {
  const file = fixture('bitly.json');
  const { size } = await stat(file);
  const seen: number[] = [];
  await read(file, { onBytes: (bytes) => seen.push(bytes) });
  expect(seen.at(-1)).toBe(size);
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest();
  expect(await fingerprintFile(file)).toEqual({ bytes: size, sha256 });
});

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

/** Rows of a file that is all in `bytes`; none when it is no longer recognised, cut within its heading. */
async function readHead(bytes: Buffer): Promise<ImportRow[]> {
  const layout = await recogniseFormat(bytes);
  if ('problem' in layout) return [];
  const reader = rowReader(layout, {});
  if ('problem' in reader) return [];
  const rows: ImportRow[] = [];
  for await (const row of reader(pieces(bytes))) rows.push(row);
  return rows;
}

const CUT_STEP = trialSize(4, 1);
const FIXTURES = [
  'own.csv',
  'own-types.csv',
  'own.json',
  'own.ndjson',
  'shlink.csv',
  'kutt.json',
  'yourls.json',
];

test.each(FIXTURES)(
  `reads of %s, cut at every ${CUT_STEP === 1 ? '' : `${CUT_STEP}th `}byte, every row before the cut, and never throws`,
  async (name) => {
    const bytes = readFileSync(new URL(`fixtures/${name}`, import.meta.url));
    const whole = await readHead(bytes);
    const end = bytes.toString('latin1').trimEnd().length;
    const hasLines = !name.endsWith('.json');
    for (let cut = 1; cut < end; cut += CUT_STEP) {
      const rows = await readHead(bytes.subarray(0, cut));
      // Where lines are rows, the line that is cut is the last; where they are not, its end is missed.
      const linesBefore = bytes.toString('latin1', 0, cut).split('\n').length - 1;
      const isBefore = ({ line }: ImportRow) => line <= linesBefore;
      const before = hasLines ? rows.filter(isBefore) : rows.slice(0, -1);
      expect(before, `${cut}`).toEqual(hasLines ? whole.filter(isBefore) : whole.slice(0, before.length));
      if (!hasLines && rows.length > 0) expect(rows.at(-1), `${cut}`).toMatchObject({ outcome: 'refused' });
    }
  },
  // A parser for each byte, on a machine that may be busy.
  60_000,
);
