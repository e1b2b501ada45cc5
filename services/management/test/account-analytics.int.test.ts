import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { type Breakdown, readData, type Series, toTs } from './count-visits.js';
import {
  addEvents,
  type Caller,
  caller,
  createSmartlink,
  urlSmartlink,
  useService,
} from './start-service.js';

const { service, user, api } = useService();

const get = <T>(path: string, by: Caller = api) => readData<T>(by, path);

test('bad parameters are faults at their paths, and foreign ids match as little as unknown ones', async () => {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID()).join(',');
  const [empty, twice] = ['Must not be empty', 'Must be given once'];
  for (const [path, faults] of [
    ['?country=', { country: empty }],
    ['?country=DE,', { country: empty }],
    ['?country=DE&country=AT', { country: twice }],
    [`?country=${'x,'.repeat(50)}x`, { country: 'Must have at most 50 values' }],
    ['?tag=a%00', { tag: 'Must not contain NUL' }],
    [`?id=${ids(101)}`, { id: 'Must have at most 100 values' }],
    [
      '?source=web&outcome=excluded&type=url&status=active&archived=maybe&tagMode=some',
      {
        source: 'Must be one of click, scan',
        outcome: 'Must be one of target, page, fallback',
        type: `Must be one of ${SMARTLINK_TYPES.join(', ')}`,
        status: 'Must be one of Active, Paused, Deleted',
        archived: 'Must be false, true or all',
        tagMode: 'Must be any or all',
      },
    ],
    ['?fields=all&compare=next', { fields: 'Must be "counts"', compare: 'Must be "previous"' }],
    ['?compare=previous&from=2026-03-10', { compare: 'Needs from and to' }],
    ['?from=2026-03-11&to=2026-03-10', { from: 'Must not be after to' }],
    ['/breakdown', { by: 'Required' }],
    [
      '/breakdown?by=__proto__&limit=1001',
      {
        by: expect.stringMatching(/^Must be one of smartlink, tag, .*, hourOfWeek$/) as string,
        limit: 'Must be a whole number from 1 to 1000',
      },
    ],
    ['/breakdown?by=outcome', { by: expect.stringContaining('Must be one of') as string }],
  ] as const) {
    const { status, body } = await api.get(`/analytics${path}`);
    expect([path, status, body.error.code]).toEqual([path, 400, 'VALIDATION_FAILED']);
    const found = body.error.details as { path: string; message: string }[];
    expect([path, Object.fromEntries(found.map((fault) => [fault.path, fault.message]))]).toEqual([
      path,
      faults,
    ]);
  }
  expect((await api.get(`/analytics?id=${ids(100)}`)).status).toBe(200);

  const other = await service.createUser();
  const { id: foreignId } = await createSmartlink(caller(service.app, other.apiKey));
  const [tagId, folderId] = [randomUUID(), randomUUID()];
  await service.app.pg.query(
    `insert into tags (id, user_id, name, key) values ($1, $2, 'Theirs', 'theirs')`,
    [...[tagId, other.userId]],
  );
  await service.app.pg.query(`insert into folders (id, user_id, name, key) values ($1, $2, 'F', 'f')`, [
    ...[folderId, other.userId],
  ]);
  await service.app.pg.query(`update smartlinks set folder_id = $1 where id = $2`, [folderId, foreignId]);
  await service.app.pg.query('insert into smartlink_tags (smartlink_id, tag_id) values ($1, $2)', [
    ...[foreignId, tagId],
  ]);
  await addEvents(service.app, [
    makeEventRow(other.userId, foreignId),
    makeEventRow(user.userId, (await createSmartlink(api)).id, { ts: toTs(Date.now() - 1_000) }),
  ]);
  const answerOf = async (path: string) => {
    const { status, body } = await api.get(path);
    return JSON.stringify([status, body.data]);
  };
  for (const [foreign, unknown] of [
    [`id=${foreignId}`, `id=${randomUUID()}`],
    [`folderId=${folderId}`, 'folderId=none-such'],
    ['tag=theirs', 'tag=unused'],
    [`createdBy=${other.userId}`, 'createdBy=x'],
  ]) {
    for (const path of ['?', '/breakdown?by=smartlink&', '/breakdown?by=tag&', '/realtime?']) {
      expect(await answerOf(`/analytics${path}${foreign}`)).toBe(
        await answerOf(`/analytics${path}${unknown}`),
      );
    }
  }
  expect(await get('/analytics/breakdown?by=smartlink&id=x')).toEqual({
    rows: [],
    other: { clicks: 0, qrScans: 0, fallbacks: 0, visits: 0 },
    total: { clicks: 0, qrScans: 0, fallbacks: 0, visits: 0 },
  });
  expect((await get<Series>('/analytics')).totalClicks).toBe(1);
});

test('ranges, zones, hours, comparison, counts alone and CSV are as asked', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const first = (await createSmartlink(own, urlSmartlink({ smartlinkName: '=First' }))).id;
  const second = (await createSmartlink(own)).id;
  const visit = (id: string, ts: string, changes: EventRow = {}) =>
    makeEventRow(owner.userId, id, { ts, visitor_id: '7', ...changes });
  await addEvents(service.app, [
    visit(first, '2026-03-08 12:00:00.000', { source: 'scan' }),
    visit(first, '2026-03-09 21:30:00.000', { utm_campaign: '=cmd|calc', referrer_host: 'example.net' }),
    visit(second, '2026-03-10 12:00:00.000', { outcome: 'fallback' }),
    visit(second, '2026-03-10 12:30:00.000'),
    visit(second, '2026-03-10 12:30:00.000', { outcome: 'excluded', exclusion: 'bot' }),
  ]);
  const range = 'from=2026-03-09&to=2026-03-10';
  expect(await get(`/analytics?${range}&compare=previous&fields=counts`, own)).toEqual({
    ...{ totalClicks: 3, totalQrCodeScans: 0, totalFallBack: 1 },
    previous: {
      ...{ from: '2026-03-07', to: '2026-03-08' },
      ...{ totalClicks: 0, totalQrCodeScans: 1, totalFallBack: 0 },
    },
    analyticsData: [
      { date: '2026-03-09', clicks: 1, qrScans: 0, fallbacks: 0 },
      { date: '2026-03-10', clicks: 2, qrScans: 0, fallbacks: 1 },
    ],
  });
  expect(await get(`/analytics?${range}&interval=hour&tz=Asia/Baku`, own)).toMatchObject({
    ...{
      totalClicks: 3,
      uniqueVisitors: 2,
      excluded: { bot: 1 },
      referrers: { direct: 2, 'example.net': 1 },
    },
    analyticsData: [
      { date: '2026-03-10T01:00', clicks: 1 },
      { date: '2026-03-10T16:00', clicks: 2, uniqueVisitors: 1 },
    ],
  });
  expect(await get(`/smartlink/analytics?id=${second}&outcome=target&from=2026-03-11`, own)).toMatchObject({
    ...{ smartlinkName: 'Docs', totalClicks: 1, analyticsData: [] },
  });
  const hours = await get<Breakdown>(`/analytics/breakdown?by=hourOfWeek&tz=Asia/Baku&fill=zero`, own);
  expect([hours.rows.length, hours.rows[0]]).toMatchObject([168, { value: 'Tue-16', visits: 2 }]);
  const bySmartlink = await get<Breakdown>('/analytics/breakdown?by=smartlink&limit=1', own);
  expect(bySmartlink).toMatchObject({
    rows: [{ value: first, name: '=First', visits: 2, uniqueVisitors: 2 }],
    ...{ other: { visits: 2 }, total: { visits: 4 } },
  });
  const csvOf = async (path: string) => {
    const { status, headers, text } = await own.get(path);
    expect([path, status, headers['content-type']]).toEqual([
      ...[path, 200, 'text/csv; charset=utf-8; header=present'],
    ]);
    return text.split('\r\n');
  };
  expect(await csvOf(`/analytics?fields=counts&format=csv&${range}`)).toEqual([
    ...['date,clicks,qrScans,fallbacks', '2026-03-09,1,0,0', '2026-03-10,2,0,1', ''],
  ]);
  expect(await csvOf('/analytics/breakdown?by=utmCampaign&format=csv')).toEqual([
    ...['value,clicks,qrScans,fallbacks,visits', ',2,1,1,3', "'=cmd|calc,1,0,0,1", ''],
  ]);
  const [, line = ''] = await csvOf('/analytics/breakdown?by=smartlink&format=csv');
  expect(line).toMatch(new RegExp(`^${first},'=First,https://[^,]+,1,1,0,2,2$`));
});

test('the last 30 whole minutes and the present one', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const { id } = await createSmartlink(own);
  const twice = makeEventRow(owner.userId, id, { ts: toTs(Date.now() - 5 * 60_000), country: 'AZ' });
  await addEvents(service.app, [twice]);
  await addEvents(service.app, [
    twice,
    makeEventRow(owner.userId, id, { ts: toTs(Date.now()), source: 'scan', device: 'mobile' }),
    makeEventRow(owner.userId, id, { ts: toTs(Date.now() - 40 * 60_000) }),
    makeEventRow(owner.userId, id, { ts: toTs(Date.now()), outcome: 'excluded', exclusion: 'bot' }),
  ]);
  type Realtime = { visits: number; minutes: { time: string; clicks: number; qrScans: number }[] };
  const found = await get<Realtime>('/analytics/realtime', own);
  expect(found).toMatchObject({
    visits: 2,
    smartlinks: [{ value: id, visits: 2, name: 'Docs' }],
    countries: [
      { value: 'AZ', visits: 1 },
      { value: 'XX', visits: 1 },
    ],
    devices: [{ value: 'mobile' }, { value: 'other' }],
    referrers: [{ value: 'direct', visits: 2 }],
  });
  expect(found.minutes).toHaveLength(31);
  expect(found.minutes.reduce((sum, each) => sum + 10 * each.clicks + each.qrScans, 0)).toBe(11);
  expect((await get<Realtime>('/analytics/realtime?country=DE', own)).visits).toBe(0);
});

test('Starter may not filter visits, read real time, hours of the week or CSV', async () => {
  const starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (const path of [
    ...['?country=DE', '?format=csv', '?interval=hour', '?from=2020-01-01', '/realtime'],
    ...['/breakdown?by=hourOfWeek', '/breakdown?by=country&format=csv', '/breakdown?by=country&source=click'],
  ]) {
    const { status, body } = await starter.get(`/analytics${path}`);
    expect([path, status, body.error?.code]).toEqual([path, 403, 'PLAN_RESTRICTED']);
  }
  for (const path of ['?', '?status=Active&fields=counts', '/breakdown?by=smartlink', '/breakdown?by=tag']) {
    expect([path, (await starter.get(`/analytics${path}`)).status]).toEqual([path, 200]);
  }
});

test('50,000 smartlinks may match, one more only by status and archived', { timeout: 120_000 }, async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const oldest = randomUUID();
  // In parts: a statement may take five seconds.
  for (let from = 0; from <= 50_000; from += 5_000) {
    await service.app.pg.query(
      `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
       select case when i = 0 then $2::uuid else gen_random_uuid() end, $1, 'Active',
              case when i = 50000 then 'TxtBin' else 'Url' end, 'n', 'm' || i, '{}', i
       from generate_series($3::int, least(50000, $3::int + 4999)) as i`,
      [owner.userId, oldest, from],
    );
  }
  for (const [query, count] of [
    ['status=all', '10000+'],
    ['type=TxtBin', '1'],
  ]) {
    const { headers } = await own.get(`/smartlink?limit=1&count=true&${query}`);
    expect(headers['x-total-count']).toBe(count);
  }
  await addEvents(service.app, [makeEventRow(owner.userId, oldest)]);
  await until(async () => {
    const { status, body } = await own.get('/analytics?type=Url');
    // A busy machine does not read 50,000 smartlinks in five seconds.
    return status !== 503 && body.data.totalClicks === 1;
  }, 'the visit is counted');
  const res = await own.get('/analytics?type=Url,TxtBin');
  expect([res.status, res.body.error.details]).toEqual([
    ...[400, [{ path: '', message: 'Matches more than 50000 smartlinks' }]],
  ]);
  for (const status of ['Active', 'Deleted']) {
    const { totalClicks } = await get<Series>(`/analytics?status=${status}&archived=false`, own);
    expect([status, totalClicks]).toEqual([status, status === 'Active' ? 1 : 0]);
  }
  expect(await get('/analytics/breakdown?by=folder', own)).toMatchObject({
    rows: [{ value: null, visits: 1 }],
  });
});
