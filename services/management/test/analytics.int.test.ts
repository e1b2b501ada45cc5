import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { buttons } from './smartlink-bodies.js';
import {
  addEvents,
  caller,
  createSmartlink,
  faultsOf,
  type TestUser,
  urlSmartlink,
  useService,
} from './start-service.js';
import { untilShown } from './stored-state.js';

const { service, user, api } = useService();

const addVisits = (owner: TestUser, smartlinkId: string, visits: readonly EventRow[]) =>
  addEvents(
    service.app,
    visits.map((visit) => makeEventRow(owner.userId, smartlinkId, visit)),
  );

async function createLink(name = 'Docs', by = api): Promise<string> {
  const { body } = await by.post('/smartlink', urlSmartlink({ smartlinkName: name }));
  return body.data.id as string;
}

type Analytics = {
  readonly totalClicks: number;
  readonly excluded: Record<string, number>;
  readonly analyticsData: readonly { readonly date: string; readonly clicks: number }[];
};

const analytics = async (id: string, query = '') =>
  (await api.get(`/smartlink/analytics?id=${id}${query}`)).body.data as Analytics;

test('a new link has no days and only zeros', async () => {
  const id = await createLink();
  expect(await analytics(id)).toEqual({
    smartlinkId: id,
    smartlinkName: 'Docs',
    totalClicks: 0,
    totalQrCodeScans: 0,
    totalFallBack: 0,
    uniqueVisitors: 0,
    referrers: {},
    operatingSystems: {},
    excluded: {},
    analyticsData: [],
  });
});

test('counts clicks, scans, fallbacks, maps and visitors by UTC day, and a row that came twice once', async () => {
  const id = await createLink();
  const twice = { event_id: randomUUID(), ts: '2026-03-09 23:59:59.999', country: 'AZ', visitor_id: '7' };
  await addVisits(user, id, [twice]);
  await addVisits(user, id, [
    twice,
    { ts: '2026-03-10 00:00:00.000', source: 'scan', device: 'mobile', visitor_id: '7' },
    { outcome: 'fallback', browser: 'Firefox', os: 'Linux', referrer_host: 'example.net', visitor_id: '8' },
    { outcome: 'excluded', exclusion: 'bot', browser: 'Bot' },
  ]);
  const found = await analytics(id);
  expect(found).toMatchObject({ totalClicks: 2, totalQrCodeScans: 1, totalFallBack: 1, uniqueVisitors: 3 });
  expect(found.excluded).toEqual({ bot: 1 });
  const day = {
    ...{ clicks: 1, qrScans: 0, fallbacks: 0, uniqueVisitors: 1, countries: { AZ: 1 }, excluded: {} },
    ...{ devices: { other: 1 }, browsers: { other: 1 }, operatingSystems: { other: 1 } },
    referrers: { direct: 1 },
  };
  expect(found.analyticsData).toEqual([
    { ...day, date: '2026-03-09' },
    {
      ...{ ...day, date: '2026-03-10', qrScans: 1, fallbacks: 1, uniqueVisitors: 2, countries: { XX: 2 } },
      ...{ devices: { mobile: 1, other: 1 }, browsers: { other: 1, Firefox: 1 }, excluded: { bot: 1 } },
      ...{ operatingSystems: { other: 1, Linux: 1 }, referrers: { direct: 1, 'example.net': 1 } },
    },
  ]);
});

test('presses of buttons are no visits; they have the titles of the present version, by zone, filter and hour, as CSV too', async () => {
  const owner = await service.createUser('Professional');
  const own = caller(service.app, owner.apiKey);
  const landing = buttons('Landing', { title: 'Book a table' });
  const { id } = await createSmartlink(own, landing);
  const press = { outcome: 'excluded', exclusion: 'press', button: 'button:0' } as const;
  const twice = { ...press, event_id: randomUUID(), ts: '2026-03-09 21:30:00.000', country: 'AZ' };
  await addVisits(owner, id, [{ ts: '2026-03-09 23:00:00.000' }, twice]);
  await addVisits(owner, id, [
    ...[twice, { ...press, country: 'DE' }, { ...press, button: 'button:7' }],
    ...[
      { ...press, button: 'contact:0' },
      { ...press, button: 'store:googlePlayLink' },
    ],
  ]);
  const buttonZero = (presses: number) => ({ 'button:0': { title: 'Book a table', presses } });
  const all = {
    ...buttonZero(2),
    'button:7': { title: null, presses: 1 },
    'contact:0': { title: null, presses: 1 },
    'store:googlePlayLink': { title: 'Google Play', presses: 1 },
  };
  type Pressed = Analytics & { readonly buttons?: object };
  const read = async (path: string) => (await own.get(path)).body.data as Pressed;
  const ofLink = `/smartlink/analytics?id=${id}`;
  for (const path of [ofLink, `/analytics?id=${id}`]) {
    const found = await read(path);
    expect(found).toMatchObject({ totalClicks: 1, totalQrCodeScans: 0, uniqueVisitors: 0 });
    expect([found.buttons, found.excluded]).toEqual([all, {}]);
    expect(found.analyticsData).toMatchObject([
      { date: '2026-03-09', clicks: 1, countries: { XX: 1 }, excluded: {}, buttons: buttonZero(1) },
      { date: '2026-03-10', clicks: 0, countries: {}, excluded: {} },
    ]);
    const entries = async (query: string) =>
      ((await read(`${path}&${query}`)).analyticsData as readonly { date: string; buttons?: object }[]).map(
        ({ date, buttons: pressed }) => [date, pressed],
      );
    expect(await entries('interval=hour&to=2026-03-09')).toEqual([
      ['2026-03-09T21:00', buttonZero(1)],
      ['2026-03-09T23:00', undefined],
    ]);
    expect(await entries('tz=Asia/Baku&country=AZ,DE')).toEqual([['2026-03-10', buttonZero(2)]]);
    expect(await entries('interval=month&country=AZ')).toEqual([['2026-03-01', buttonZero(1)]]);
    for (const filter of ['referrer=direct', 'outcome=target', 'fields=counts']) {
      expect((await read(`${path}&${filter}`)).buttons).toBeUndefined();
    }
    const csv = (await own.get(`${path}&format=csv`)).text.split('\r\n');
    expect([csv[0]?.split(',').at(-1), csv[1]?.split(',').at(-1)]).toEqual(['buttons', 'button:0=1']);
  }
  // Of several smartlinks, buttons have nothing in common, and a day of presses alone is no day of visits.
  const account = await read('/analytics');
  expect([account.buttons, account.excluded]).toEqual([undefined, {}]);
  expect(account.analyticsData.map(({ date }) => date)).toEqual(['2026-03-09']);
  for (const by of ['country', 'smartlink', 'source', 'hourOfWeek']) {
    expect(await read(`/analytics/breakdown?by=${by}`)).toMatchObject({ total: { visits: 1 } });
  }
  const rows = [
    { value: 'button:0', title: 'Book a table', presses: 2 },
    { value: 'button:7', title: null, presses: 1 },
    { value: 'contact:0', title: null, presses: 1 },
    { value: 'store:googlePlayLink', title: 'Google Play', presses: 1 },
  ];
  const by = `/analytics/breakdown?by=button&id=${id}`;
  expect(await read(by)).toEqual({ rows, other: { presses: 0 }, total: { presses: 5 } });
  expect(await read(`${by}&limit=1`)).toEqual({
    rows: rows.slice(0, 1),
    other: { presses: 3 },
    total: { presses: 5 },
  });
  expect(await read(`${by}&tz=Asia/Baku&from=2026-03-10&country=AZ`)).toEqual({
    rows: [{ ...rows[0], presses: 1 }],
    ...{ other: { presses: 0 }, total: { presses: 1 } },
  });
  expect((await own.get(`${by}&format=csv&limit=2`)).text).toBe(
    'value,title,presses\r\nbutton:0,Book a table,2\r\nbutton:7,,1\r\n',
  );
  // A foreign smartlink matches nothing.
  expect(await read(`/analytics/breakdown?by=button&id=${await createLink()}`)).toEqual({
    ...{ rows: [], other: { presses: 0 }, total: { presses: 0 } },
  });
  for (const ids of ['', `&id=${id},${randomUUID()}`]) {
    const res = await own.get(`/analytics/breakdown?by=button${ids}`);
    expect([res.status, res.body.error.code, res.body.error.details]).toEqual([
      ...[400, 'VALIDATION_FAILED', [{ path: 'id', message: 'Needs one smartlink' }]],
    ]);
  }
  await own.patch('/smartlink', { id, landingButtons: [{ title: 'Menu', link: 'https://example.org/' }] });
  expect((await read(ofLink)).buttons).toMatchObject({ 'button:0': { title: 'Menu', presses: 2 } });
  await own.patch('/smartlink', { id, landingButtons: [] });
  expect((await read(ofLink)).buttons).toMatchObject({ 'button:0': { title: null, presses: 2 } });
});

test('presses of contacts and stores have their titles, and Starter may see the buttons of its days', async () => {
  const starter = await service.createUser('Starter');
  const own = caller(service.app, starter.apiKey);
  const { id } = await createSmartlink(own, buttons('DigiCard', { title: 'Call' }));
  const today = new Date().toISOString().slice(0, 10);
  const press = { ts: `${today} 00:00:00.000`, outcome: 'excluded', exclusion: 'press' } as const;
  await addVisits(starter, id, [
    ...[
      { ...press, button: 'contact:0' },
      { ...press, button: 'button:0' },
    ],
    { ...press, ts: '2020-01-01 00:00:00.000', button: 'contact:0' },
  ]);
  const by = `/analytics/breakdown?by=button&id=${id}`;
  expect((await own.get(by)).body.data).toEqual({
    rows: [
      { value: 'button:0', title: null, presses: 1 },
      { value: 'contact:0', title: 'Call', presses: 1 },
    ],
    ...{ other: { presses: 0 }, total: { presses: 2 } },
  });
  for (const query of ['from=2020-01-01', 'country=AZ', 'format=csv']) {
    const { status, body } = await own.get(`${by}&${query}`);
    expect([query, status, body.error.code]).toEqual([query, 403, 'PLAN_RESTRICTED']);
  }
});

test('a range leaves the totals whole; zones, intervals, zero filling and CSV are as asked', async () => {
  const id = await createLink();
  await addVisits(user, id, [
    { ts: '2026-03-09 21:30:00.000' },
    { ts: '2026-03-10 12:00:00.000' },
    { ts: '2026-04-01 00:00:00.000' },
  ]);
  const dates = async (query: string) =>
    (await analytics(id, query)).analyticsData.map(({ date, clicks }) => `${date} ${clicks}`);
  const ranged = await analytics(id, '&from=2026-03-10&to=2026-03-31');
  expect(ranged.totalClicks).toBe(3);
  expect(await dates('&from=2026-03-10&to=2026-03-31')).toEqual(['2026-03-10 1']);
  expect(await dates('&tz=Asia/Baku&to=2026-03-10')).toEqual(['2026-03-10 2']);
  expect(await dates('&interval=hour&to=2026-03-10')).toEqual(['2026-03-09T21:00 1', '2026-03-10T12:00 1']);
  expect(await dates('&interval=week')).toEqual(['2026-03-09 2', '2026-03-30 1']);
  expect(await dates('&interval=month')).toEqual(['2026-03-01 2', '2026-04-01 1']);
  expect(await dates('&fill=zero&from=2026-03-09&to=2026-03-12')).toEqual([
    '2026-03-09 1',
    '2026-03-10 1',
    '2026-03-11 0',
    '2026-03-12 0',
  ]);
  const csv = await api.get(`/smartlink/analytics?id=${id}&format=csv`);
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  expect(csv.text.split('\r\n')[1]).toBe('2026-03-09,1,0,0,0,XX=1,other=1,other=1,other=1,direct=1,');
});

test('bad queries are VALIDATION_FAILED with every fault', async () => {
  const id = await createLink();
  for (const [query, paths] of [
    ['', ['id']],
    ['id=', ['id']],
    [`id=${id}&id=${id}`, ['id']],
    [`id=${id}&from=2026-02-30&to=x&tz=Nowhere&interval=year`, ['from', 'to', 'tz', 'interval']],
    [`id=${id}&from=2026-02-02&to=2026-02-01`, ['from']],
    // Dates beyond years of four digits, which sort as text, once made the service loop without end.
    [`id=${id}&from=9999-12-01&to=9999-12-31&fill=zero`, ['from', 'to']],
    [`id=${id}&from=0000-01-01&to=0000-12-31&fill=zero`, ['from', 'to']],
  ] as const) {
    const res = await api.get(`/smartlink/analytics?${query}`);
    expect([query, res.status, faultsOf(res)]).toEqual([query, 400, paths]);
  }
});

test('the figures of a Deleted link stay for its owner', async () => {
  const id = await createLink();
  await addVisits(user, id, [{}]);
  await api.delete('/smartlink', { smartlinkId: id });
  expect((await analytics(id)).totalClicks).toBe(1);
});

test('summary, fetch, PATCH and analytics agree, and the summary names the newest visits', async () => {
  const owner = await service.createUser('Professional');
  const own = caller(service.app, owner.apiKey);
  expect((await own.get('/analytics/summary')).body.data).toMatchObject({
    summary: { totalSmartlinks: 0, totalClicks: 0, totalQrCodeScans: 0, totalFallbacks: 0 },
    ...{ smartlinks: [], recentActivity: [] },
  });
  const first = await createLink('First', own);
  const second = await createLink('Second', own);
  const gone = await createLink('Gone', own);
  const at = (seconds: number) =>
    new Date(Date.now() - seconds * 1000).toISOString().replace('T', ' ').slice(0, -1);
  await addVisits(owner, first, [
    { ts: at(30), source: 'scan', country: 'AZ', device: 'mobile' },
    { ts: at(20), outcome: 'excluded', exclusion: 'bot' },
    { ts: at(10), outcome: 'fallback' },
  ]);
  await addVisits(owner, second, [{ ts: at(5) }]);
  await addVisits(owner, gone, [{ ts: at(1) }]);
  await own.delete('/smartlink', { smartlinkId: gone });

  const { data } = (await own.get('/analytics/summary')).body;
  expect((await own.get(`/smartlink/analytics?id=${first}`)).body.data).toMatchObject({
    totalClicks: 1,
    totalQrCodeScans: 1,
    totalFallBack: 1,
  });
  expect(data.user).toEqual({ id: owner.userId, email: owner.email, subscription: 'Professional' });
  expect(data.summary).toEqual({
    totalSmartlinks: 2,
    totalClicks: 2,
    totalQrCodeScans: 1,
    totalFallbacks: 1,
  });
  expect(data.smartlinks).toEqual([
    { id: second, name: 'Second', type: 'Url', clicks: 1, qrScans: 0 },
    { id: first, name: 'First', type: 'Url', clicks: 1, qrScans: 1 },
  ]);
  expect(
    (data.recentActivity as { smartlinkId: string; action: string }[]).map(({ smartlinkId, action }) => [
      smartlinkId,
      action,
    ]),
  ).toEqual([
    [second, 'click'],
    [first, 'fallback'],
    [first, 'qr_scan'],
  ]);
  expect(data.recentActivity[2]).toMatchObject({ country: 'AZ', device: 'mobile' });
  const totalsOfFirst = { totalClicks: 1, totalQrCodeScans: 1, totalFallBack: 1 };
  const fetchTotals = async () => (await own.get(`/smartlink?id=${first}`)).body.data.analytics as unknown;
  await untilShown(fetchTotals, totalsOfFirst);
  expect((await own.patch('/smartlink', { id: first })).body.data.analytics).toEqual(totalsOfFirst);
  await own.post('/smartlink/status', { id: first, status: 'Paused' });
  expect((await own.get('/analytics/summary')).body.data.smartlinks).toEqual(data.smartlinks);
});

test('Starter may not look farther back than 120 days, by the hour, or as CSV, as Professional may; its totals stay whole', async () => {
  const starter = await service.createUser('Starter');
  const own = caller(service.app, starter.apiKey);
  const id = await createLink('Old', own);
  await addVisits(starter, id, [{ ts: '2020-01-01 00:00:00.000' }]);
  const { data } = (await own.get(`/smartlink/analytics?id=${id}`)).body;
  expect(data).toMatchObject({ totalClicks: 1, analyticsData: [] });
  for (const query of ['from=2020-01-01', 'interval=hour', 'format=csv']) {
    const { status, body } = await own.get(`/smartlink/analytics?id=${id}&${query}`);
    expect([status, body.error.code]).toEqual([403, 'PLAN_RESTRICTED']);
    const professional = caller(service.app, (await service.createUser('Professional')).apiKey);
    const ownId = await createLink('Old', professional);
    expect((await professional.get(`/smartlink/analytics?id=${ownId}&${query}`)).status).toBe(200);
  }
});

test('the summary names the 20 newest visits, newest first', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const id = await createLink('Docs', own);
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

test('the summary lists the 1,000 newest smartlinks, and its totals are over all of them', async () => {
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

// What visitors and clients can put into analytics.

const NAMES = [
  ...['__proto__', 'constructor', '<script>alert(1)</script>', '=cmd|calc!A1', 'a,b;c"d', 'a\r\nb'],
  ...["'; drop table events; --", '{x:String}'],
  'x'.repeat(10_000),
];

test('hostile names of browsers, systems and referrers are counted under their names and are nothing else', async () => {
  const id = await createLink();
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
  expect([summary.status, summary.body.data.recentActivity.length >= NAMES.length]).toEqual([200, true]);
});

// Bad dates and zones: calendar.test.ts.
test.each([
  ['from', ['', '2026-02-30']],
  ['to', ['', '2026-02-30']],
  ['tz', ['', '+01:00']],
  ['interval', ['', 'Day', 'minute', 'year', 'day;', '__proto__', 'constructor']],
  ['fill', ['', 'one', 'ZERO', 'true']],
  ['format', ['', 'xml', 'CSV', '../csv']],
])('a bad %s is 400 at its path, and so is one that is repeated or an array', async (name, bad) => {
  const id = await createLink();
  const written = [
    ...bad.map((value) => `${name}=${encodeURIComponent(value)}`),
    `${name}=day&${name}=day`,
    `${name}[]=day`,
    `${name}%5Bx%5D=day`,
  ];
  for (const query of written) {
    const res = await api.get(`/smartlink/analytics?id=${id}&${query}`);
    expect([query, res.status, [...new Set(faultsOf(res))]]).toEqual([query, 400, [name]]);
  }
});
