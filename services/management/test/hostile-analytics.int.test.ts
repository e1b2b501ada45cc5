import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, caller, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';

// What visitors and clients can put into analytics.

let service: TestService;
let user: TestUser;
let api: Caller;
let id: string;

beforeAll(async () => {
  ({ service, user, api } = await startServiceWithUser());
  id = String((await api.post('/smartlink', urlSmartlink())).body.data.id);
});
afterAll(() => service.close());

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=cmd|calc!A1',
  '@SUM(1)',
  '+1',
  '-1',
  'a,b;c"d',
  'a\r\nb',
  '\u202eevil',
  '\ud83d\ude00',
  "'; drop table events; --",
  '{x:String}',
  'x'.repeat(10_000),
];

test('hostile names of browsers, systems and referrers are counted under their names and are nothing else', async () => {
  await addEvents(
    service.app,
    NAMES.map((name) =>
      makeEventRow(user.userId, id, { browser: name, os: name, device: name, referrer_host: name }),
    ),
  );
  const { status, body } = await api.get(`/smartlink/analytics?id=${id}`);
  expect([status, body.data.totalClicks]).toEqual([200, NAMES.length]);
  for (const member of ['browsers', 'operatingSystems', 'devices', 'referrers']) {
    const [entry] = body.data.analyticsData as Record<string, Record<string, number>>[];
    const counts =
      member in entry! ? entry![member]! : (body.data as Record<string, Record<string, number>>)[member]!;
    for (const name of NAMES)
      expect([member, name.slice(0, 20), Object.getOwnPropertyDescriptor(counts, name)?.value]).toEqual([
        member,
        name.slice(0, 20),
        1,
      ]);
  }
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  const summary = await api.get('/analytics/summary');
  expect([summary.status, summary.body.data.recentActivity.length]).toEqual([200, NAMES.length]);
});

// Each by itself, so that its name stands first in the cells.
test.each(NAMES)('no cell of the CSV is a formula or ends its line, with the name %j', async (name) => {
  const { id: own } = (await api.post('/smartlink', urlSmartlink())).body.data as { id: string };
  await addEvents(service.app, [
    makeEventRow(user.userId, own, { browser: name, os: name, device: name, referrer_host: name }),
  ]);
  const { status, text } = await api.get(`/smartlink/analytics?id=${own}&format=csv`);
  expect(status).toBe(200);
  const cells = [...text.matchAll(/"((?:[^"]|"")*)"|([^,\r\n"]+)/g)].map((cell) => cell[1] ?? cell[2] ?? '');
  expect(cells.filter((cell) => cell.replaceAll('""', '"').includes(`${name}=1`))).toHaveLength(4);
  expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
  expect(text.replaceAll(/"(?:[^"]|"")*"/g, '').split('\r\n')).toHaveLength(3);
});

test('a user without a smartlink has a summary of zeros', async () => {
  const nobody = caller(service.app, (await service.createUser()).apiKey);
  expect((await nobody.get('/analytics/summary')).body.data).toMatchObject({
    summary: { totalSmartlinks: 0, totalClicks: 0, totalQrCodeScans: 0, totalFallbacks: 0 },
    smartlinks: [],
    recentActivity: [],
  });
});

describe('a bad range', () => {
  const values = [
    '',
    ' ',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00',
    '1969-12-31',
    '2200-01-01',
    '-1',
    '0',
    'NaN',
    '２０２６-01-01',
    "2026-01-01' or 1=1",
    '2026-01-01%00',
    '2026-01-01\n',
    'x'.repeat(8_000),
  ];
  const zones = [
    '',
    ' ',
    '+01:00',
    'Mars/Olympus',
    '../../etc/passwd',
    '/etc/localtime',
    'Europe/Berlin%00',
    "UTC'",
    'x'.repeat(8_000),
    '__proto__',
  ];
  test.each([
    ['from', values],
    ['to', values],
    ['tz', zones],
    ['interval', ['', 'Day', 'minute', 'year', 'day;', '__proto__', 'constructor']],
    ['fill', ['', 'one', 'ZERO', 'true']],
    ['format', ['', 'xml', 'CSV', '../csv']],
  ])('in %s is 400 at its path, in any spelling', async (name, bad) => {
    const written = [
      ...bad.map((value) => `${name}=${encodeURIComponent(value)}`),
      `${name}=day&${name}=day`,
      `${name}[]=day`,
      `${name}%5Bx%5D=day`,
    ];
    for (const query of written) {
      const res = await api.get(`/smartlink/analytics?id=${id}&${query}`);
      expect([query.slice(0, 60), res.status]).toEqual([query.slice(0, 60), 400]);
      expect(new Set((res.body.error.details as { path: string }[]).map(({ path }) => path))).toEqual(
        new Set([name]),
      );
    }
  });
});
