import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MONTH_FIRST, NO_PASSWORD } from '@smartlink/import/files';
import { shownAt } from '@smartlink/import/store';
import type { Terminal } from '../cli/terminal.js';
import { countReasons, printSummary, requireReportName, type Summary, writeReport } from './report.js';

const HEADING = 'row,line,slug,reason,created as\r\n';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'smartlink-report-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

test('nothing in a report steers the terminal that shows it', async () => {
  const name = join(folder(), 'report.csv');
  async function* remarks() {
    const texts = { slug: '\u001b[31m\u009b', reason: '\u202eno' };
    yield await Promise.resolve([{ rowNumber: 1, line: 2, ...texts, createdAs: null }]);
  }
  await writeReport({} as Terminal, name, remarks(), new AbortController().signal);
  expect(readFileSync(name, 'utf8')).toBe(`${HEADING}1,2,\ufffd[31m\ufffd,\ufffdno,\r\n`);
});

test('a report replaces an earlier report, and no other file', async () => {
  const path = folder();
  const earlier = join(path, 'earlier.csv');
  writeFileSync(earlier, HEADING);
  await expect(requireReportName(earlier)).resolves.toBeUndefined();
  await expect(requireReportName(join(path, 'none.csv'))).resolves.toBeUndefined();
  const pipe = join(path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  writeFileSync(join(path, 'links.csv'), 'name,url\n');
  for (const name of [pipe, path, join(path, 'links.csv')])
    await expect(requireReportName(name)).rejects.toThrow(
      `${name} exists already, and is not a report of an import.`,
    );
});

const NOTHING: Summary = {
  dryRun: false,
  rows: 1,
  created: 1,
  refused: 0,
  readdressed: 0,
  refusedBy: {},
  losses: {},
  assignable: 0,
  report: null,
  refusedRows: null,
  totalsWaiting: 0,
  resumedAfter: 0,
  seconds: 1,
};

function printed(json: boolean, more: Partial<Summary>, file = 'f'): string {
  let text = '';
  const terminal = { stdout: (more: string) => (text += more) } as unknown as Terminal;
  printSummary(terminal, { file, owner: 'ann@example.com', json }, { ...NOTHING, ...more });
  return text;
}

test('nothing in a summary steers the terminal, and as JSON it reads back the same', () => {
  const summary = {
    ...NOTHING,
    created: 0,
    refused: 1,
    refusedBy: { 'no \u001b[31m\u009b31m \u202esuch member': 1 },
    report: 'links\u009b.csv',
  };
  for (const json of [true, false]) {
    const text = printed(json, summary, 'links\u009b.csv');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    if (json) expect(JSON.parse(text)).toEqual(summary);
  }
});

test('a summary names the remedies, in the singular and the plural', () => {
  const lines = (more: Partial<Summary>) => printed(false, more).replace(/^.*\n/, '');
  expect(lines({})).toBe('');
  expect(lines({ readdressed: 1, report: 'r' })).toBe(
    '1 row got another address than requested.\nWhich rows, and why: r\n',
  );
  expect(lines({ losses: { 'its tags are not kept': 3 }, report: 'r' })).toBe(
    'Created, but lost something:\n        3  its tags are not kept\nWhich rows, and why: r\n',
  );
  expect(
    lines({ refused: 1, refusedBy: { [`shortener.password: ${NO_PASSWORD.message}; a: b`]: 1 } }),
  ).toContain('\nWith --new-password-file ');
  expect(lines({ losses: { [MONTH_FIRST]: 1 } })).toContain('\nWith --date-format dmy ');
  expect(lines({ refused: 2, assignable: 2, readdressed: 3, report: 'r' })).toBe(
    'The same command with --assign-slugs imports 2 of these under another address.\n3 rows got another address than requested.\nWhich rows, and why: r\n',
  );
});

test('losses of created rows are counted one by one, and addresses are not among them', () => {
  const reasons = countReasons();
  const address = 'configuration.smartlinkUrl: This smartlink URL is reserved';
  const remarks = ['its tags are not kept', `${address}; its tags are not kept; createdAt cannot be read`];
  reasons.add(
    remarks.map((reason, i) => ({ rowNumber: i + 1, line: i + 1, slug: 's', reason, createdAs: 'x' })),
  );
  const losses = { 'its tags are not kept': 2, 'createdAt cannot be read': 1 };
  expect(reasons.counted(null)).toEqual({ refusedBy: {}, assignable: 0, losses });
});

test('another address would help a row that lacks nothing but one, while the plan has room', () => {
  const reasons = countReasons();
  const slug = 'configuration.smartlinkUrl: This smartlink URL is';
  const rows = [
    [`${slug} already taken`, null],
    [`${slug} reserved; ${slug} too short`, null],
    [`${slug} already yours`, null],
    [`${slug} already yours (row 3)`, null],
    ['configuration.smartlinkUrl: This smartlink URL differs only in case from your s (row 1)', null],
    [`${slug} reserved; shortener.url: Invalid URL format`, null],
    [`${slug} already taken`, 'another'],
    ['Subscription limit reached', null],
  ] as const;
  reasons.add(
    rows.map(([reason, createdAs], i) => ({ rowNumber: i + 1, line: i + 1, slug: 's', reason, createdAs })),
  );
  expect(reasons.counted(null).assignable).toBe(3);
  expect(reasons.counted(1).assignable).toBe(1);
  expect(reasons.counted(null).refusedBy).toMatchObject({ [`${slug} already yours`]: 2 });
});

test.each([
  ['2020-02-29T23:59:59.999Z', '2026-03-10T12:00:00Z', '2020-02-29'],
  ['2026-03-10T11:00:00Z', '2026-03-10T12:00:00Z', '2026-03-09'],
  ['2026-03-09T23:00:00Z', '2026-03-10T12:00:00Z', '2026-03-09'],
  // A server that is an hour behind still counts visits at yesterday.
  ['2026-03-09T23:00:00Z', '2026-03-10T00:59:59Z', '2026-03-08'],
  ['2026-03-09T23:00:00Z', '2026-03-10T01:00:00Z', '2026-03-09'],
])('totals of a link created at %s and imported at %s are booked at %s', (createdAt, now, day) => {
  expect(shownAt(new Date(createdAt), Date.parse(now))).toBe(day);
});
