import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { rollUp } from '@smartlink/visits/rollup';
import {
  type Breakdown,
  type Series,
  counted,
  countOf,
  expectCountsInZones,
  groupBy,
  hourOfWeek,
  orNull,
} from './count-visits.js';
import {
  addEvents,
  type Caller,
  caller,
  createSmartlink,
  faultsOf,
  urlSmartlink,
  useService,
} from './start-service.js';

const { service, user, api } = useService({ clickhouse: 'own' });

const DAY_MS = 86_400_000;
const toTs = (timeMs: number) => new Date(timeMs).toISOString().replace('T', ' ').slice(0, -1);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

async function get<T>(path: string, by: Caller = api): Promise<T> {
  const { status, body } = await by.get(path);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return body.data as T;
}

test('bad parameters are faults at their paths, and foreign ids match as little as unknown ones', async () => {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID()).join(',');
  for (const [path, paths] of [
    ['?country=', ['country']],
    ['?country=DE,', ['country']],
    ['?country=DE&country=AT', ['country']],
    [`?country=${'x,'.repeat(50)}x`, ['country']],
    ['?tag=a%00', ['tag']],
    [`?id=${ids(101)}`, ['id']],
    [
      '?source=web&outcome=excluded&type=url&status=active&archived=maybe&tagMode=some',
      [...['type', 'status', 'archived', 'tagMode', 'source', 'outcome']],
    ],
    ['?fields=all&compare=next', ['fields', 'compare']],
    ['?compare=previous&from=2026-03-10', ['compare']],
    ['?from=2026-03-11&to=2026-03-10', ['from']],
    ['/breakdown', ['by']],
    ['/breakdown?by=__proto__&limit=1001', ['by', 'limit']],
    ['/breakdown?by=outcome', ['by']],
  ] as const) {
    const res = await api.get(`/analytics${path}`);
    expect([path, res.status]).toEqual([path, 400]);
    expect([path, faultsOf(res).toSorted()]).toEqual([path, paths.toSorted()]);
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

test('50,000 smartlinks may match, one more only by status and archived', { timeout: 60_000 }, async () => {
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
  await addEvents(service.app, [makeEventRow(owner.userId, oldest)]);
  expect((await get<Series>('/analytics?type=Url', own)).totalClicks).toBe(1);
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

// Last: visits of days that are rolled up show when the state of the rollup is read again.
const ROUNDS = trialSize(3, 40);

test(
  'breakdowns add up to the totals of the same parameters: late events, repeats, rollups in between',
  { timeout: 60_000 + ROUNDS * 20_000 },
  async () => {
    const random = createRandom(20_261_124);
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    const owner = await service.createUser();
    const own = caller(service.app, owner.apiKey);
    const links: string[] = [];
    for (const name of ['A', 'B', 'C', 'D']) {
      links.push((await createSmartlink(own, urlSmartlink({ smartlinkName: name }))).id);
    }
    const [paused = '', deleted = ''] = links;
    await own.post('/smartlink/status', { id: paused, status: 'Paused' });
    await own.delete('/smartlink', { smartlinkId: deleted });
    const [redId, blueId, folderId] = [randomUUID(), randomUUID(), randomUUID()];
    await service.app.pg.query(
      `with red as (insert into tags (id, user_id, name, key) values ($2, $1, 'Red', 'red'), ($3, $1, 'Blue', 'blue')),
            folder as (insert into folders (id, user_id, name, key) values ($4, $1, 'F', 'f'))
       select 1`,
      [owner.userId, redId, blueId, folderId],
    );
    await service.app.pg.query(
      `with red as (insert into smartlink_tags (smartlink_id, tag_id) values ($1, $3), ($1, $4), ($2, $3))
       update smartlinks set folder_id = $5 where id = $2`,
      [links[2], links[3], redId, blueId, folderId],
    );
    const tagsOf = (id: string | undefined) =>
      id === links[2] ? ['Red', 'Blue'] : id === links[3] ? ['Red'] : [];

    const sent: EventRow[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: 60 }, () => {
        const isExcluded = random(8) === 0;
        return makeEventRow(owner.userId, pick(links), {
          ts: toTs(Date.now() - random(20 * DAY_MS)),
          source: pick(['click', 'scan']),
          outcome: isExcluded ? 'excluded' : pick(['target', 'page', 'fallback']),
          exclusion: isExcluded ? 'bot' : '',
          country: pick(['AZ', 'DE', 'XX']),
          device: pick(['mobile', 'desktop']),
          language: pick(['', 'az', 'en']),
          referrer_host: pick(['', 'example.net']),
          utm_campaign: pick(['', 'spring', '=1']),
          utm_term: pick(['', 'shoes']),
          visitor_id: String(random(4)),
        });
      });
      sent.push(...rows);
      await addEvents(service.app, rows);
      if (round % 2 === 0) await addEvents(service.app, rows.slice(0, 20));
      if (round % 2 === 1) {
        await rollUp(service.app.clickhouse, {
          keptMonths: 0,
          mayGoOn: () => Promise.resolve(true),
          report: () => undefined,
        });
      }

      const known = counted(sent);
      // Late visits are known once the state of the rollup is read again.
      await until(async () => {
        const { totalClicks, totalQrCodeScans } = await get<Series>('/analytics', own);
        return totalClicks + totalQrCodeScans === known.length;
      }, 'all visits are shown');
      const range = pick(['', `&from=${daysAgo(9)}&to=${daysAgo(2)}`]);
      const filters: [string, (row: EventRow) => boolean][] = [
        ['', () => true],
        ['&country=AZ,DE', ({ country }) => country !== 'XX'],
        ['&source=scan&utmCampaign=spring', (row) => row.source === 'scan' && row.utm_campaign === 'spring'],
        ['&status=Active,Paused', ({ smartlink_id }) => smartlink_id !== deleted],
        ['&tag=RED', ({ smartlink_id }) => tagsOf(smartlink_id).length > 0],
        ['&tag=red,blue&tagMode=all', ({ smartlink_id }) => tagsOf(smartlink_id).length === 2],
        [`&excludeTag=blue&folderId=${folderId}`, ({ smartlink_id }) => smartlink_id === links[3]],
        [`&id=${paused},${randomUUID()}`, ({ smartlink_id }) => smartlink_id === paused],
      ];
      for (const [parameters, passes] of [filters[0]!, pick(filters.slice(1))]) {
        const chosen = known.filter(
          (row) =>
            passes(row) && (range === '' || (row.ts! >= daysAgo(9) && row.ts!.slice(0, 10) <= daysAgo(2))),
        );
        const query = `${range}${parameters}`;
        const series = await get<Series>(`/analytics?fill=zero${query}`, own);
        const total = countOf(chosen);
        expect([query, series]).toMatchObject([
          query,
          {
            totalClicks: total.clicks,
            totalQrCodeScans: total.qrScans,
            totalFallBack: total.fallbacks,
            uniqueVisitors: new Set(
              chosen
                .filter(({ visitor_id }) => visitor_id !== '0')
                .map((row) => `${row.smartlink_id} ${row.ts!.slice(0, 10)} ${row.visitor_id}`),
            ).size,
          },
        ]);
        const sum = (name: 'clicks' | 'qrScans' | 'fallbacks') =>
          series.analyticsData.reduce((all, entry) => all + entry[name], 0);
        expect([sum('clicks'), sum('qrScans'), sum('fallbacks')]).toEqual([
          ...[total.clicks, total.qrScans, total.fallbacks],
        ]);
        const days = range === '' ? null : { from: daysAgo(9), to: daysAgo(2) };
        await expectCountsInZones((path) => get(`${path}${query}`, own), known.filter(passes), days);
        const values: [string, (row: EventRow) => string | null][] = [
          ['country', ({ country }) => country!],
          ['language', ({ language }) => orNull(language)],
          ['referrer', ({ referrer_host }) => orNull(referrer_host) ?? 'direct'],
          ['source', ({ source }) => source!],
          ['utmCampaign', ({ utm_campaign }) => orNull(utm_campaign)],
          ['utmTerm', ({ utm_term }) => orNull(utm_term)],
          ['smartlink', ({ smartlink_id }) => smartlink_id!],
          ['folder', ({ smartlink_id }) => (smartlink_id === links[3] ? folderId : null)],
          ['hourOfWeek', hourOfWeek],
        ];
        for (const [by, valueOf] of values.filter(() => random(2) === 0)) {
          const limit = pick([1, 2, 1000]);
          const found = await get<Breakdown>(`/analytics/breakdown?by=${by}&limit=${limit}${query}`, own);
          const expected = groupBy(chosen, valueOf);
          const rows = found.rows.map(({ value, clicks, qrScans, fallbacks, visits }) => ({
            ...{ value, clicks, qrScans, fallbacks, visits },
          }));
          expect([by, query, rows]).toEqual([by, query, expected.slice(0, limit)]);
          expect([by, query, found.total]).toEqual([by, query, total]);
          expect([by, query, found.other.visits]).toEqual([
            ...[by, query, total.visits - rows.reduce((all, row) => all + row.visits, 0)],
          ]);
          if (by === 'smartlink' && limit === 1000) {
            const visitors = found.rows.reduce((all, row) => all + (row.uniqueVisitors ?? 0), 0);
            expect(visitors).toBe(series.uniqueVisitors);
          }
        }
        const byTag = await get<Breakdown>(`/analytics/breakdown?by=tag${query}`, own);
        for (const value of [null, 'Red', 'Blue']) {
          const tagged = chosen.filter(({ smartlink_id }) =>
            value === null ? tagsOf(smartlink_id).length === 0 : tagsOf(smartlink_id).includes(value),
          );
          const row = byTag.rows.find((each) => each.value === value);
          expect([value, row?.visits ?? 0]).toEqual([value, tagged.length]);
        }
      }
      const { summary } = await get<{ summary: { totalClicks: number; totalQrCodeScans: number } }>(
        ...(['/analytics/summary', own] as const),
      );
      expect(await get(`/analytics?status=Active,Paused`, own)).toMatchObject({
        totalClicks: summary.totalClicks,
        totalQrCodeScans: summary.totalQrCodeScans,
      });
    }
  },
);
