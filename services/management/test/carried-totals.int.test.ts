import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryTotals } from '@smartlink/visit-analytics/carry-totals';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, caller, startService, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';
import { untilShown } from './until-shown.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

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
    // Nobody knows the hour of a visit that was counted elsewhere.
    ['&interval=hour', ['2026-03-10T12:00']],
  ] as const) {
    const { data } = (await api.get(`/smartlink/analytics?id=${id}${query}`)).body;
    expect(data).toMatchObject(totals);
    const days = data.analyticsData as Day[];
    expect(days.map(({ date }) => date)).toEqual(dates);
    const sum = days.reduce((visits, day) => visits + day.clicks + day.qrScans, 0);
    expect(sum).toBe(query === '&interval=hour' ? 1 : 31);
  }
  const { data } = (await api.get(`/smartlink/analytics?id=${id}&to=2024-12-31`)).body;
  expect(data.analyticsData).toMatchObject([
    { clicks: 20, qrScans: 10, countries: { XX: 30 }, devices: { other: 30 }, referrers: { other: 30 } },
  ]);
});
