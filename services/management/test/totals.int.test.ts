import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSmartlinkClient } from '@smartlink/client';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { carryTotals } from '@smartlink/visits/rollup';
import { listen } from './call-raw.js';
import type { Breakdown } from './count-visits.js';
import {
  addEvents,
  caller,
  createSmartlink,
  startServiceOn,
  type TestUser,
  urlSmartlink,
  useService,
} from './start-service.js';
import { untilShown, untilTotalsKept } from './stored-state.js';

// What the API's own client reads, which has every figure by its documented name.
let clientOf: (user: TestUser) => ReturnType<typeof createSmartlinkClient>;

const { service } = useService();
beforeAll(async () => {
  clientOf = await openFor(service.app);
});

async function openFor(app: FastifyInstance): Promise<typeof clientOf> {
  const baseUrl = `http://127.0.0.1:${await listen(app)}`;
  return ({ apiKey }) => createSmartlinkClient({ baseUrl, apiKey });
}

const DOCS = {
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/' },
} as const;

async function addVisits(owner: TestUser, smartlinkId: string, source: 'click' | 'scan', count: number) {
  const rows = Array.from({ length: count }, () => makeEventRow(owner.userId, smartlinkId, { source }));
  await addEvents(service.app, rows);
}

test('a page of more than a hundred links still carries every total', async () => {
  const user = await service.createUser();
  const client = clientOf(user);
  const ids: string[] = [];
  for (const count of [100, 5]) {
    const { data } = await client.smartlinks.bulk(Array.from({ length: count }, () => ({ create: DOCS })));
    for (const result of data) if (result.success && result.data !== null) ids.push(result.data.id);
  }
  await addVisits(user, ids[0]!, 'click', 2);
  await addVisits(user, ids[104]!, 'scan', 3);
  const listed = await until(async () => {
    const { data } = await client.smartlinks.list();
    return data.some(({ analytics }) => analytics.totalClicks > 0) && data;
  }, 'the list shows the visits');
  expect(listed).toHaveLength(105);
  expect(listed.find((link) => link.id === ids[0])?.analytics).toMatchObject({ totalClicks: 2 });
  expect(listed.find((link) => link.id === ids[104])?.analytics).toMatchObject({ totalQrCodeScans: 3 });
});

test('while ClickHouse is down analytics is 503, never zeros, and smartlinks show the last known totals', async () => {
  const user = await service.createUser();
  const gate = await startBreakableProxy(service.databases.clickhouseUrl);
  const { app } = await startServiceOn(service.databases, { CLICKHOUSE_URL: gate.url });
  onTestFinished(async () => {
    await app.close();
    await gate.close();
  });
  const { smartlinks } = (await openFor(app))(user);
  const { id } = (await smartlinks.create(DOCS)).data;
  const clicks = async () => (await smartlinks.get(id)).data.analytics.totalClicks;
  await addVisits(user, id, 'click', 1);
  await until(async () => (await clicks()) === 1, 'the visit shows');
  await untilTotalsKept(service.app, [id]);

  await gate.kill();
  await addVisits(user, id, 'click', 1);
  // More often than the breaker takes to open.
  for (let i = 0; i < 6; i += 1) expect(await clicks()).toBe(1);
  expect((await smartlinks.list()).data.map((each) => each.analytics.totalClicks)).toEqual([1]);
  for (const path of [
    ...[`/smartlink/analytics?id=${id}`, '/analytics/summary', '/analytics', '/analytics/realtime'],
    ...['/analytics/breakdown?by=country', '/analytics/breakdown?by=tag'],
  ]) {
    const { status, body } = await caller(app, user.apiKey).get(path);
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  }
  const patched = await smartlinks.update(id, { configuration: { smartlinkName: 'x' } });
  expect(patched.data.analytics.totalClicks).toBe(1);

  await gate.restore();
  await until(async () => (await clicks()) === 2, 'the new visit shows');
});

test('visits that were counted elsewhere are the same figures in list, fetch, summary and analytics', async () => {
  const user = await service.createUser();
  const api = caller(service.app, user.apiKey);
  const id = (await api.post('/smartlink', urlSmartlink())).body.data.id as string;
  const carried = { clicks: 20, scans: 10, fallbacks: 0 };
  await carryTotals(
    service.app.clickhouse,
    [{ ownerId: user.userId, smartlinkId: id, date: '2024-02-29', ...carried }],
    10_000,
  );
  await addEvents(service.app, [makeEventRow(user.userId, id)]);

  const totals = { totalClicks: 21, totalQrCodeScans: 10, totalFallBack: 0 };
  await untilShown(async () => (await api.get('/smartlink')).body.data[0].analytics as unknown, totals);
  await untilShown(async () => (await api.get(`/smartlink?id=${id}`)).body.data.analytics as unknown, totals);
  const { summary } = (await api.get('/analytics/summary')).body.data;
  expect(summary).toMatchObject({ totalClicks: 21, totalQrCodeScans: 10, totalFallbacks: 0 });

  type Day = { date: string; clicks: number; qrScans: number };
  for (const [query, dates] of [
    ['', ['2024-02-29', '2026-03-10']],
    ['&interval=week', ['2024-02-26', '2026-03-09']],
    ['&interval=month', ['2024-02-01', '2026-03-01']],
    ['&tz=Asia/Tokyo', ['2024-02-29', '2026-03-10']],
    ['&tz=America/New_York&interval=month', ['2024-02-01', '2026-03-01']],
    // The hour of a visit counted elsewhere is unknown.
    ['&interval=hour', ['2026-03-10T12:00']],
  ] as const) {
    for (const path of [
      `/smartlink/analytics?id=${id}`,
      '/analytics?',
      `/analytics?id=${id}&fields=counts`,
    ]) {
      const { data } = (await api.get(`${path}${query}`)).body;
      expect([path, data]).toMatchObject([path, totals]);
      const days = data.analyticsData as Day[];
      expect([path, days.map(({ date }) => date)]).toEqual([path, dates]);
      const sum = days.reduce((visits, day) => visits + day.clicks + day.qrScans, 0);
      expect([path, sum]).toEqual([path, query === '&interval=hour' ? 1 : 31]);
    }
  }
  for (const by of ['smartlink', 'tag', 'country', 'language', 'hourOfWeek']) {
    const { rows, other, total } = (await api.get(`/analytics/breakdown?by=${by}`)).body.data as Breakdown;
    const sum = (name: 'clicks' | 'qrScans' | 'visits') =>
      rows.reduce((all, row) => all + row[name], other[name]);
    expect([by, sum('clicks'), sum('qrScans'), sum('visits')]).toEqual([by, 21, 10, 31]);
    expect([by, total]).toEqual([by, { clicks: 21, qrScans: 10, fallbacks: 0, visits: 31 }]);
  }
  const { data } = (await api.get(`/smartlink/analytics?id=${id}&to=2024-12-31`)).body;
  expect(data.analyticsData).toMatchObject([
    { clicks: 20, qrScans: 10, countries: { XX: 30 }, devices: { other: 30 }, referrers: { other: 30 } },
  ]);
});

test.each([
  ['few', 40],
  ['most', 1_020],
])(
  'the summary of an account with more links than it lists, %s of them deleted, adds up all others',
  async (_share, deleted) => {
    const user = await service.createUser();
    const { rows } = await service.app.pg.query<{ id: string }>(
      `insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at)
     select gen_random_uuid(), $1, case when n <= $2 then 'Deleted' when n % 2 = 0 then 'Paused' else 'Active' end, 'Url',
            'Link ' || n, 'slug' || n, '{}', nextval('smartlink_version'), now() - n * interval '1 minute'
     from generate_series(1, 1010 + $2::integer) as n
     returning id`,
      [user.userId, deleted],
    );
    const ids = rows.map(({ id }) => id);
    // Deleted, listed, and too old to be listed.
    for (const [i, visits] of [
      [0, 3],
      [deleted, 5],
      [ids.length - 1, 7],
    ] as const)
      await addVisits(user, ids[i]!, 'click', visits);
    await addVisits(user, ids[1]!, 'scan', 2);
    await addVisits(user, ids.at(-1)!, 'scan', 4);
    const api = caller(service.app, user.apiKey);
    const { data } = (await api.get('/analytics/summary')).body;
    expect(data.summary).toEqual({
      totalSmartlinks: 1_010,
      totalClicks: 12,
      totalQrCodeScans: 4,
      totalFallbacks: 0,
    });
    expect(data.smartlinks).toHaveLength(1_000);
    expect(data.smartlinks[0]).toMatchObject({ id: ids[deleted], clicks: 5 });
    expect(data.recentActivity).toHaveLength(16);
  },
);

test('a ClickHouse that never answers is given up, and the answer holds no internals', async () => {
  const user = await service.createUser();
  const { id } = await createSmartlink(caller(service.app, user.apiKey));
  const gate = await startBreakableProxy(service.databases.clickhouseUrl);
  const { app } = await startServiceOn(service.databases, { CLICKHOUSE_URL: gate.url });
  onTestFinished(async () => {
    await app.close();
    await gate.close();
  });
  gate.freeze();
  const { status, text } = await caller(app, user.apiKey).get(`/smartlink/analytics?id=${id}`);
  expect(status).toBe(503);
  expect(text).not.toMatch(/127\.0\.0\.1|timeout|clickhouse/i);
});
