import { expect, test } from 'vitest';
import { ownCsvReader } from './own-csv.js';

function read(header: string[], cells: string[]) {
  const reader = ownCsvReader(header);
  if (typeof reader !== 'function') throw new Error(reader.problem);
  return reader(cells);
}

function problemOf(header: string[]): string {
  const reader = ownCsvReader(header);
  return typeof reader === 'function' ? '' : reader.problem;
}

test('reads a heading in any case, with short names and paths', () => {
  expect(read([' NAME ', 'Slug', 'Shortener.URL', 'CREATEDAT'], ['n', 's', 'u', '2026-01-01'])).toMatchObject(
    {
      body: {
        configuration: { smartlinkName: 'n', smartlinkUrl: 's', smartlinkType: 'Url' },
        shortener: { url: 'u' },
      },
      createdAt: new Date('2026-01-01'),
    },
  );
});

test.each([
  [['url', 'slgu'], 'has an unknown column, "slgu" (column 2): did you mean slug?'],
  [
    ['url', 'smartlinkNmae'],
    'has an unknown column, "smartlinkNmae" (column 2): did you mean smartlinkname?',
  ],
  [['url', '__proto__'], 'has an unknown column, "__proto__" (column 2): docs/import.md lists the columns'],
  [
    ['url', 'x\u001b[2J\u202e'],
    'has an unknown column, "x\ufffd[2J\ufffd" (column 2): docs/import.md lists the columns',
  ],
  [['url', 'shortener.url'], 'has the same column twice: "url" (column 1) and "shortener.url" (column 2)'],
  [
    ['qrMenu', 'qrMenu.title'],
    'has the same column twice: "qrMenu" (column 1) and "qrMenu.title" (column 2)',
  ],
  [['name', 'Destination'], 'has an unknown column, "Destination" (column 2): did you mean url?'],
  [['slug', 'link'], 'has an unknown column, "link" (column 2): did you mean url?'],
  [['name', ' Long URL '], 'has an unknown column, "Long URL" (column 2): did you mean url?'],
  [['url', 'Short code'], 'has an unknown column, "Short code" (column 2): did you mean slug?'],
  [['createdAt', 'clicks'], 'has no column of a smartlink, such as url'],
])('refuses the heading %j', (header, problem) => {
  expect(problemOf(header)).toBe(problem);
});

test.each(["=cmd|' /C calc'!A0", '@SUM(1)', '+1', '-2', '\t=1'])('keeps %j as the text it is', (text) => {
  expect(read(['name', 'url'], [text, 'https://example.com'])).toMatchObject({
    body: { configuration: { smartlinkName: text } },
  });
});

test('names a link without a name by its slug or its host, and leaves other types to the validator', () => {
  const name = (header: string[], cells: string[]) =>
    (read(header, cells) as { body: { configuration: { smartlinkName?: string } } }).body.configuration
      .smartlinkName;
  expect(name(['url', 'slug'], ['https://example.com/x', 'abc'])).toBe('abc');
  expect(name(['url', 'slug'], ['https://example.com/x', ''])).toBe('example.com');
  expect(name(['type', 'text'], ['TxtBin', 'x'])).toBeUndefined();
});

test('asks for a password that is given, unless a column says whether to', () => {
  expect(read(['url', 'password'], ['u', ' secret ']))
    .toMatchObject({ body: { shortener: { password: ' secret ', protected: true } } }); // prettier-ignore
  expect(read(['url', 'password'], ['u', ''])).toMatchObject({ body: { shortener: { url: 'u' } } });
  expect(read(['url', 'password', 'protected'], ['u', 'secret', 'FALSE']))
    .toMatchObject({ body: { shortener: { protected: false } } }); // prettier-ignore
});

test.each([
  ['shortener.protected', 'maybe', 'Must be true or false'],
  ['landingButtons', '[{]', 'Cannot be read as JSON: Must be valid JSON'],
  ['landing', '{"__proto__":1}', 'Cannot be read as JSON: Must not have the key __proto__'],
  ['status', 'Deleted', 'Must be Active or Paused'],
  ['', 'x', 'Has a value in column 2, which has no name'],
])('refuses in column %j the cell %j', (path, cell, message) => {
  const faults = [{ path, message }];
  expect(read(['url', path], ['https://example.com', cell])).toMatchObject({ faults, losses: [] });
});

test('reads numbers, and leaves other text for validation', () => {
  const header = ['url', 'redirect.status', 'redirect.cacheSeconds', 'redirect.forwardQuery'];
  expect(read(header, ['u', ' 307', '60', 'FALSE'])).toMatchObject({
    body: { redirect: { status: 307, cacheSeconds: 60, forwardQuery: false } },
  });
  expect(read(header, ['u', 'moved', '0x10', ''])).toMatchObject({
    body: { redirect: { status: 'moved', cacheSeconds: '0x10' } },
  });
});

test('keeps a link without an unreadable date or count, and finds every fault of a row', () => {
  const header = ['url', 'createdAt', 'clicks', 'protected', 'status'];
  expect(read(header, ['u', 'spring', '-1', 'maybe', 'off'])).toMatchObject({
    faults: [{ path: 'shortener.protected' }, { path: 'status' }],
    losses: [
      'createdAt cannot be read: write it like 2026-01-31T12:00:00Z',
      'clicks is not a whole number of 0 or more',
    ],
  });
});

test('keeps status and counts, those without a column as 0', () => {
  expect(read(['url', 'status', 'scans'], ['u', 'paused', '3'])).toMatchObject({
    status: 'Paused',
    totals: { clicks: 0, scans: 3, fallbacks: 0 },
  });
  expect(read(['url', 'scans'], ['u', ''])).not.toHaveProperty('totals');
});

test('a table has every member of a link besides its content', () => {
  const table = {
    url: 'https://example.org/',
    tags: 'a, b',
    folder: 'Menus',
    notes: 'two\nlines',
    archived: 'TRUE',
    externalId: 'ext-1',
    'utm.source': 'news',
    'utm.ref': 'r',
    'appearance.buttonStyle': 'soft',
    'openGraph.title': 'T',
  };
  expect(read(Object.keys(table), Object.values(table))).toMatchObject({
    body: {
      tags: ['a', 'b'],
      notes: 'two\nlines',
      archived: true,
      externalId: 'ext-1',
      utm: { source: 'news', ref: 'r' },
      appearance: { buttonStyle: 'soft' },
      openGraph: { title: 'T' },
    },
    folder: 'Menus',
    faults: [],
  });
});
