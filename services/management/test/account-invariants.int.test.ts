import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { rollUp } from '@smartlink/visits/rollup';
import {
  type Breakdown,
  type Series,
  buttonsOf,
  counted,
  countOf,
  DAY_MS,
  daysAgo,
  expectCountsInZones,
  groupBy,
  hourOfWeek,
  mapsOf,
  orNull,
  readData,
  sumOf,
  toTs,
} from './count-visits.js';
import {
  addEvents,
  type Caller,
  caller,
  createSmartlink,
  urlSmartlink,
  useService,
} from './start-service.js';

// Analytics over many smartlinks, held against visits that are counted one by one.

const { service } = useService({ clickhouse: 'own' });

const get = <T>(path: string, by: Caller) => readData<T>(by, path);

/** Rolls up all days, as if no insert could be on its way any more: later ones are late, and past days are read from cells. */
async function rollUpAll(): Promise<void> {
  const { clickhouse } = service.app;
  const mayGoOn = () => Promise.resolve(true);
  await rollUp(clickhouse, { keptMonths: 0, mayGoOn, report: () => undefined });
  await clickhouse.command({
    query: `insert into rollup_state select * replace (now() + interval 1 second as late_from, version + 1 as version)
            from rollup_state final`,
  });
  await until(async () => {
    const query = 'select now() >= late_from as isOver from rollup_state final';
    const [row] = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ isOver: number }>();
    return row?.isOver === 1;
  }, 'the second is over');
}

type Dimension = [by: string, valueOf: (row: EventRow) => string | null];

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

    const one = (column: keyof EventRow): Dimension => [
      column.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase()),
      (row) => orNull(row[column]),
    ];
    const dimensions: Dimension[] = [
      ...(['country', 'device', 'os', 'browser', 'language', 'source'] as const).map(one),
      ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const).map(one),
      ...(['rule', 'variant'] as const).map(one),
      ['referrer', ({ referrer_host }) => orNull(referrer_host) ?? 'direct'],
      ['domain', ({ domain }) => orNull(domain) ?? 'default'],
      ['smartlink', ({ smartlink_id }) => smartlink_id!],
      ['folder', ({ smartlink_id }) => (smartlink_id === links[3] ? folderId : null)],
      ['hourOfWeek', hourOfWeek],
    ];
    const visitFilters: [string, (row: EventRow) => boolean][] = [
      ['&country=AZ,DE', ({ country }) => country !== 'XX'],
      ['&source=scan&utmCampaign=spring', (row) => row.source === 'scan' && row.utm_campaign === 'spring'],
      ['&device=mobile&os=iOS,none', (row) => row.device === 'mobile' && row.os === 'iOS'],
      ['&browser=Safari&language=az,en', (row) => row.browser === 'Safari' && row.language !== ''],
      // Presses have no referrer.
      ['&referrer=direct', (row) => row.referrer_host === '' && row.exclusion !== 'press'],
      ['&outcome=fallback,page', ({ outcome }) => outcome === 'fallback' || outcome === 'page'],
      ['&utmSource=mail&utmMedium=email', (row) => row.utm_source === 'mail' && row.utm_medium === 'email'],
      ['&rule=phones&variant=a', (row) => row.rule === 'phones' && row.variant === 'a'],
      ['&device=none', () => false],
    ];

    /** Holds every answer about the buttons of one smartlink against the rows. */
    const expectPresses = async (rows: readonly EventRow[], query: string, limit: number) => {
      const pressed = buttonsOf(rows);
      const { analyticsData, ...series } = await get<Series>(`/analytics?${query}`, own);
      expect([query, series.buttons ?? {}]).toEqual([query, pressed]);
      for (const { date, buttons = {} } of analyticsData) {
        expect([query, date, buttons]).toEqual([
          ...[query, date, buttonsOf(rows.filter(({ ts }) => ts!.startsWith(date)))],
        ]);
      }
      const sumOfDays = analyticsData.flatMap(({ buttons = {} }) =>
        Object.values(buttons).map(({ presses }) => presses),
      );
      const order = Object.entries(pressed)
        .map(([value, of]) => ({ value, ...of }))
        .toSorted((a, b) => b.presses - a.presses || (a.value < b.value ? -1 : 1));
      const pressesOf = (of: typeof order) => ({
        presses: of.reduce((all, { presses }) => all + presses, 0),
      });
      expect(sumOfDays.reduce((all, presses) => all + presses, 0)).toBe(pressesOf(order).presses);
      const found = await get(`/analytics/breakdown?by=button&limit=${limit}&${query}`, own);
      expect([query, found]).toMatchObject([
        query,
        { rows: order.slice(0, limit), other: pressesOf(order.slice(limit)), total: pressesOf(order) },
      ]);
    };

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
          os: pick(['Android', 'iOS']),
          browser: pick(['Chrome', 'Safari']),
          language: pick(['', 'az', 'en']),
          referrer_host: pick(['', 'example.net']),
          utm_source: pick(['', '', 'mail']),
          utm_medium: pick(['', 'email']),
          utm_campaign: pick(['', 'spring', '=1']),
          utm_term: pick(['', 'shoes']),
          utm_content: pick(['', 'banner']),
          domain: pick(['', 'go.example.com']),
          rule: pick(['', '', 'phones']),
          variant: pick(['', 'a', 'b']),
          visitor_id: String(random(4)),
          ...(random(6) === 0
            ? {
                ...({
                  outcome: 'excluded',
                  exclusion: 'press',
                  referrer_host: '',
                  rule: '',
                  variant: '',
                } as const),
                button: pick(['button:0', 'button:12', 'contact:1']),
              }
            : {}),
        });
      });
      sent.push(...rows);
      await addEvents(service.app, rows);
      if (round % 2 === 0) await addEvents(service.app, rows.slice(0, 20));
      if (round % 2 === 1) await rollUpAll();

      const known = counted(sent);
      // Late visits are known once the state of the rollup is read again.
      await until(async () => {
        const { totalClicks, totalQrCodeScans } = await get<Series>('/analytics', own);
        return totalClicks + totalQrCodeScans === known.length;
      }, 'all visits are shown');
      const range = pick(['', `&from=${daysAgo(9)}&to=${daysAgo(2)}`]);
      const filters: [string, (row: EventRow) => boolean][] = [
        ['', () => true],
        pick(visitFilters),
        pick(visitFilters),
        ['&status=Active,Paused', ({ smartlink_id }) => smartlink_id !== deleted],
        ['&tag=RED', ({ smartlink_id }) => tagsOf(smartlink_id).length > 0],
        ['&tag=red,blue&tagMode=all', ({ smartlink_id }) => tagsOf(smartlink_id).length === 2],
        [`&excludeTag=blue&folderId=${folderId}`, ({ smartlink_id }) => smartlink_id === links[3]],
        [`&id=${paused},${randomUUID()}`, ({ smartlink_id }) => smartlink_id === paused],
      ];
      for (const [parameters, passes] of [filters[0]!, pick(filters.slice(1))]) {
        const within = (first: number, last: number) =>
          sent.filter(
            (row) => passes(row) && row.ts! >= daysAgo(first) && row.ts!.slice(0, 10) <= daysAgo(last),
          );
        const rows = range === '' ? sent.filter(passes) : within(9, 2);
        const chosen = counted(rows);
        const query = `${range}${parameters}`;
        const compare = range === '' ? '' : '&compare=previous';
        const series = await get<Series>(`/analytics?fill=zero${query}${compare}`, own);
        const { countries: _, devices: _d, browsers: _b, ...extras } = mapsOf(rows);
        const total = countOf(chosen);
        expect([query, series]).toMatchObject([
          query,
          {
            totalClicks: total.clicks,
            totalQrCodeScans: total.qrScans,
            totalFallBack: total.fallbacks,
            ...extras,
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
        const entry = pick(series.analyticsData);
        const { date, clicks: _c, qrScans: _q, fallbacks: _f, uniqueVisitors: _v, ...maps } = entry;
        expect([query, date, maps]).toEqual([
          ...[query, date],
          mapsOf(rows.filter(({ ts }) => ts!.startsWith(date))),
        ]);
        if (compare !== '') {
          const before = countOf(counted(within(17, 10)));
          expect([query, series.previous]).toMatchObject([
            query,
            {
              ...{ from: daysAgo(17), to: daysAgo(10) },
              ...{ totalClicks: before.clicks, totalQrCodeScans: before.qrScans },
            },
          ]);
        }
        const days = range === '' ? null : { from: daysAgo(9), to: daysAgo(2) };
        await expectCountsInZones((path) => get(`${path}${query}`, own), known.filter(passes), days);
        const wanted = Array.from({ length: trialSize(2, 4) }, () => pick(dimensions));
        for (const [by, valueOf] of wanted) {
          const limit = pick([1, 2, 1000]);
          const found = await get<Breakdown>(`/analytics/breakdown?by=${by}&limit=${limit}${query}`, own);
          const expected = groupBy(chosen, valueOf);
          const listed = found.rows.map(({ value, clicks, qrScans, fallbacks, visits }) => ({
            ...{ value, clicks, qrScans, fallbacks, visits },
          }));
          expect([by, query, listed]).toEqual([by, query, expected.slice(0, limit)]);
          expect([by, query, found.total]).toEqual([by, query, total]);
          expect([by, query, found.other]).toEqual([by, query, sumOf(expected.slice(limit))]);
          if (by === 'smartlink' && limit === 1000) {
            const visitors = found.rows.reduce((all, row) => all + (row.uniqueVisitors ?? 0), 0);
            expect(visitors).toBe(series.uniqueVisitors);
          }
        }
        const link = pick(links);
        const ofLink = rows.filter(({ smartlink_id }) => smartlink_id === link);
        if (!parameters.startsWith('&id=')) await expectPresses(ofLink, `id=${link}${query}`, pick([1, 100]));
        const byTag = await get<Breakdown>(`/analytics/breakdown?by=tag${query}`, own);
        expect([query, byTag.total]).toEqual([query, total]);
        for (const value of [null, 'Red', 'Blue']) {
          const tagged = chosen.filter(({ smartlink_id }) =>
            value === null ? tagsOf(smartlink_id).length === 0 : tagsOf(smartlink_id).includes(value),
          );
          const row = byTag.rows.find((each) => each.value === value);
          expect([value, row?.visits ?? 0]).toEqual([value, tagged.length]);
        }
      }
      // Days of presses alone are not shown.
      const { analyticsData } = await get<Series>('/analytics', own);
      const visited = sent.filter(({ exclusion }) => exclusion !== 'press').map(({ ts }) => ts!.slice(0, 10));
      expect(analyticsData.map(({ date }) => date)).toEqual([...new Set(visited)].toSorted());
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

test('a past day keeps the 1,000 values with the most visits, and those without one', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const { id } = await createSmartlink(own);
  const values = ['', ...Array.from({ length: 1_100 }, (_, i) => `c${i % 1_050}`)];
  await addEvents(
    service.app,
    values.map((utm_campaign) =>
      makeEventRow(owner.userId, id, { ts: `${daysAgo(3)} 12:00:00.000`, utm_campaign }),
    ),
  );
  const read = () => get<Breakdown>('/analytics/breakdown?by=utmCampaign&limit=1000', own);
  // Late visits are known once the state of the rollup is read again.
  await until(async () => (await read()).total.visits === values.length, 'all visits are shown');
  const before = await read();
  expect([before.rows.length, before.other.visits]).toEqual([1_000, 51]);
  await rollUpAll();
  const { clickhouse } = service.app;
  await clickhouse.command({ query: `delete from events where owner_id = '${owner.userId}'` });
  await until(async () => isDeepStrictEqual(await read(), before), 'the figures by day are read');
});

test('days of UTC, and counts in zones of whole hours, stay when the events are gone; all else says since when it is', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const { id } = await createSmartlink(own);
  const [gone, kept] = [daysAgo(500), daysAgo(300)];
  const row = (ts: string, changes: EventRow = {}) =>
    makeEventRow(owner.userId, id, { ts, country: 'DE', utm_term: 'shoes', ...changes });
  await addEvents(service.app, [row(`${gone} 23:30:00.000`), row(`${kept} 12:00:00.000`, { country: 'AZ' })]);
  const rollUpKept = () =>
    rollUp(service.app.clickhouse, {
      keptMonths: 13,
      mayGoOn: () => Promise.resolve(true),
      report: () => undefined,
    });
  await rollUpKept();
  // As if a minute had passed, in which running answers learn that the cells of those months are final.
  await service.app.clickhouse.command({
    query: `insert into rollup_state select * replace (raw_from_set_at - interval 1 minute as raw_from_set_at,
            version + 1 as version) from rollup_state final`,
  });
  await rollUpKept();
  const state = await service.app.clickhouse.query({
    query: `select toString(max(raw_from)) as rawFrom, (select count() from events where smartlink_id = {id:UUID}) as events
            from rollup_state`,
    query_params: { id },
    format: 'JSONEachRow',
  });
  const [{ rawFrom, events } = { rawFrom: '', events: 0 }] = await state.json<{
    rawFrom: string;
    events: number;
  }>();
  expect(events).toBe(1);
  await until(
    async () => (await get<Series>('/analytics?country=DE', own)).availableFrom === rawFrom,
    'the state of the rollup is read again',
  );
  const dayAfter = daysAgo(499);
  for (const [query, totalClicks, dates, since] of [
    ['', 2, [gone, kept], undefined],
    ['&interval=month', 2, [`${gone.slice(0, 7)}-01`, `${kept.slice(0, 7)}-01`], undefined],
    ['&fields=counts', 2, [gone, kept], undefined],
    ['&fields=counts&tz=Asia/Baku', 2, [dayAfter, kept], undefined],
    ['&fields=counts&tz=Asia/Baku&interval=hour', 2, [`${dayAfter}T03:00`, `${kept}T16:00`], undefined],
    [`&fields=counts&tz=Asia/Baku&to=${gone}`, 0, [], undefined],
    ['&fields=counts&tz=Asia/Kathmandu', 1, [kept], rawFrom],
    ['&tz=Asia/Baku', 1, [kept], rawFrom],
    ['&interval=hour', 1, [`${kept}T12:00`], rawFrom],
    ['&country=AZ,DE', 1, [kept], rawFrom],
    [`&country=AZ,DE&from=${kept}`, 1, [kept], undefined],
  ] as const) {
    for (const of of ['', `&id=${id}`]) {
      const { analyticsData, ...series } = await get<Series>(`/analytics?${query}${of}`, own);
      expect([
        query,
        series.totalClicks,
        analyticsData.map(({ date }) => date),
        series.availableFrom,
      ]).toEqual([...[query, totalClicks, dates, since]]);
    }
  }
  for (const [by, values, others, since] of [
    ['smartlink', [id], 0, undefined],
    ['tag', [null], 0, undefined],
    ['country', ['AZ', 'DE'], 0, undefined],
    ['utmTerm', ['shoes'], 1, rawFrom],
    ['source', ['click'], 0, undefined],
    ['hourOfWeek', [expect.any(String), expect.any(String)], 0, undefined],
  ] as const) {
    const found = await get<Breakdown & { availableFrom?: string }>(`/analytics/breakdown?by=${by}`, own);
    expect([by, found.rows.map(({ value }) => value), found.availableFrom]).toEqual([by, values, since]);
    expect([by, found.other.visits, found.total.visits]).toEqual([by, others, 2]);
  }
});
