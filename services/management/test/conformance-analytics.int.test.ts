import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import type { EventRow } from '@smartlink/test-support/event-row';
import { addEvents, caller, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';
import { untilShown } from './until-shown.js';

let service: TestService;
let user: TestUser;
let api: Caller;

beforeAll(async () => {
  ({ service, user, api } = await startServiceWithUser());
});
afterAll(() => service.close());

const create = async (by = api) => (await by.post('/smartlink', urlSmartlink())).body.data.id as string;
const addVisits = (owner: TestUser, id: string, visits: readonly EventRow[]) =>
  addEvents(
    service.app,
    visits.map((visit) => makeEventRow(owner.userId, id, visit)),
  );

type Entry = { date: string; clicks: number; qrScans: number; fallbacks: number } & Record<
  'countries' | 'devices' | 'browsers',
  Record<string, number>
>;
type Analytics = Record<'totalClicks' | 'totalQrCodeScans' | 'totalFallBack', number> & {
  readonly analyticsData: readonly Entry[];
};
const analytics = async (id: string, query = '') =>
  (await api.get(`/smartlink/analytics?id=${id}${query}`)).body.data as Analytics;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('one smartlink’s analytics', () => {
  test('ascend by day, add up to the totals, and each map of a day to its clicks and scans', async () => {
    const id = await create();
    const days = ['2026-05-03', '2026-01-31', '2025-12-31', '2026-05-01'];
    await addVisits(
      user,
      id,
      days.flatMap((day, i) => [
        ...Array.from({ length: i + 1 }, () => ({ ts: `${day} 10:00:00.000`, country: 'AZ' })),
        { ts: `${day} 11:00:00.000`, source: 'scan' as const, device: 'mobile', browser: 'Safari' },
        { ts: `${day} 12:00:00.000`, outcome: 'fallback' as const },
        { ts: `${day} 13:00:00.000`, outcome: 'excluded' as const, exclusion: 'bot' as const },
      ]),
    );
    const data = await analytics(id);
    const entries = data.analyticsData;
    expect(entries.map(({ date }) => date)).toEqual([...days].sort());
    expect(sum(entries.map(({ clicks }) => clicks))).toBe(data.totalClicks);
    expect(sum(entries.map(({ qrScans }) => qrScans))).toBe(data.totalQrCodeScans);
    expect(sum(entries.map(({ fallbacks }) => fallbacks))).toBe(data.totalFallBack);
    expect([data.totalClicks, data.totalQrCodeScans, data.totalFallBack]).toEqual([14, 4, 4]);
    for (const { clicks, qrScans, fallbacks, countries, devices, browsers } of entries) {
      for (const map of [countries, devices, browsers])
        expect(sum(Object.values(map))).toBe(clicks + qrScans);
      expect(fallbacks).toBeLessThanOrEqual(clicks + qrScans);
    }
    const totals = { totalClicks: 14, totalQrCodeScans: 4, totalFallBack: 4 };
    await untilShown(
      async () => (await api.get(`/smartlink?id=${id}`)).body.data.analytics as unknown,
      totals,
    );
  });

  test('from and to are both included, alone and together', async () => {
    const id = await create();
    const days = ['2026-02-01', '2026-02-02', '2026-02-03'];
    await addVisits(
      user,
      id,
      days.flatMap((day) => [{ ts: `${day} 00:00:00.000` }, { ts: `${day} 23:59:59.999` }]),
    );
    const dates = async (query: string) =>
      (await analytics(id, query)).analyticsData.map(({ date, clicks }) => `${date} ${clicks}`);
    expect(await dates('&from=2026-02-02')).toEqual(['2026-02-02 2', '2026-02-03 2']);
    expect(await dates('&to=2026-02-02')).toEqual(['2026-02-01 2', '2026-02-02 2']);
    expect(await dates('&from=2026-02-02&to=2026-02-02')).toEqual(['2026-02-02 2']);
  });

  test('Professional and Enterprise may have everything that Starter may not', async () => {
    const professional = caller(service.app, (await service.createUser('Professional')).apiKey);
    for (const who of [api, professional]) {
      const id = await create(who);
      for (const query of ['from=2001-01-01', 'interval=hour', 'format=csv']) {
        expect((await who.get(`/smartlink/analytics?id=${id}&${query}`)).status).toBe(200);
      }
    }
  });
});

describe('the summary', () => {
  test('has the documented members and no others, and a paused link too', async () => {
    const owner = await service.createUser('Starter');
    const own = caller(service.app, owner.apiKey);
    const id = await create(own);
    await addVisits(owner, id, [{ source: 'scan', country: 'AZ', device: 'mobile' }]);
    await own.post('/smartlink/status', { id, status: 'Paused' });
    expect((await own.get('/analytics/summary')).body.data).toEqual({
      user: { id: owner.userId, email: owner.email, subscription: 'Starter' },
      summary: { totalSmartlinks: 1, totalClicks: 0, totalQrCodeScans: 1, totalFallbacks: 0 },
      smartlinks: [{ id, name: 'Docs', type: 'Url', clicks: 0, qrScans: 1 }],
      recentActivity: [
        {
          smartlinkId: id,
          action: 'qr_scan',
          timestamp: '2026-03-10T12:00:00.000Z',
          country: 'AZ',
          device: 'mobile',
        },
      ],
    });
  });

  test('names the 20 newest visits, newest first', async () => {
    const owner = await service.createUser();
    const own = caller(service.app, owner.apiKey);
    const id = await create(own);
    const minutes = Array.from({ length: 25 }, (_, i) => String(i).padStart(2, '0'));
    await addVisits(
      owner,
      id,
      minutes.map((minute) => ({ ts: `2026-03-10 12:${minute}:00.000` })),
    );
    const { recentActivity } = (await own.get('/analytics/summary')).body.data;
    expect((recentActivity as { timestamp: string }[]).map(({ timestamp }) => timestamp)).toEqual(
      minutes
        .slice(5)
        .reverse()
        .map((minute) => `2026-03-10T12:${minute}:00.000Z`),
    );
  });

  test('lists the 1,000 newest smartlinks, and its totals are over all of them', async () => {
    const owner = await service.createUser();
    const own = caller(service.app, owner.apiKey);
    const oldest = randomUUID();
    // Straight into the table: a thousand creates would take half a minute.
    await service.app.pg.query(
      `insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at)
       select case when i = 0 then $2::uuid else gen_random_uuid() end, $1, 'Active', 'Url', 'n' || i, 's' || i,
              '{"Url":{"shortener":{"url":"https://example.org/","protected":false}}}', i,
              timestamptz '2026-01-01' + i * interval '1 second'
       from generate_series(0, 1000) as i`,
      [owner.userId, oldest],
    );
    await addVisits(owner, oldest, [{}]);
    const { summary, smartlinks } = (await own.get('/analytics/summary')).body.data;
    expect(summary).toMatchObject({ totalSmartlinks: 1001, totalClicks: 1 });
    const names = (smartlinks as { name: string }[]).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([1000, 'n1000', 'n1']);
  });
});
