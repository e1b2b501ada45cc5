import { expect, test } from 'vitest';
import { countReasons, printSummary } from './import-summary.js';
import type { Summary } from './import-summary.js';
import type { Terminal } from './terminal.js';

const NOTHING: Summary = {
  dryRun: false,
  rows: 1,
  created: 1,
  refused: 0,
  readdressed: 0,
  refusedBy: {},
  assignable: 0,
  report: null,
  totalsWaiting: 0,
  resumedAfter: 0,
  seconds: 1,
};

test('nothing in a summary steers the terminal, and as JSON it reads back the same', () => {
  const summary = {
    ...NOTHING,
    created: 0,
    refused: 1,
    refusedBy: { 'no \u001b[31m\u009b31m \u202esuch member': 1 },
    report: 'links\u009b.csv',
  };
  for (const json of [true, false]) {
    let printed = '';
    const terminal = { stdout: (text: string) => (printed += text) } as unknown as Terminal;
    printSummary(terminal, { file: 'links\u009b.csv', owner: 'ann@example.com', json }, summary);
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    if (json) expect(JSON.parse(printed)).toEqual(summary);
  }
});

test('a summary says what would help, in the singular and the plural, and nothing else', () => {
  const told = (more: Partial<Summary>): string => {
    let printed = '';
    const terminal = { stdout: (text: string) => (printed += text) } as unknown as Terminal;
    printSummary(terminal, { file: 'f', owner: 'o', json: false }, { ...NOTHING, ...more });
    return printed.slice(printed.indexOf('\n') + 1);
  };
  expect(told({})).toBe('');
  expect(told({ readdressed: 1, report: 'r' })).toBe(
    '1 row got another address than asked for.\nWhich rows, and what they asked for: r\n',
  );
  expect(told({ refused: 2, assignable: 2, readdressed: 3, report: 'r' })).toBe(
    '2 of these would get another address with --assign-slugs.\n3 rows got another address than asked for.\nWhich rows, and why: r\n',
  );
});

test('another address would help a row that lacks nothing but one', () => {
  const reasons = countReasons();
  const slug = 'configuration.smartlinkUrl: This smartlink URL is';
  const rows = [
    [`${slug} already taken`, null],
    [`${slug} reserved; ${slug} too short`, null],
    [`${slug} already yours`, null],
    [`${slug} reserved; shortener.url: Invalid URL format`, null],
    [`${slug} already taken`, 'another'],
    ['Subscription limit reached', null],
  ] as const;
  reasons.add(
    rows.map(([reason, createdAs], i) => ({ rowNumber: i + 1, line: i + 1, slug: 's', reason, createdAs })),
  );
  expect(reasons.told().assignable).toBe(2);
});
