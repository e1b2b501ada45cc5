import { expect, test } from 'vitest';
import { changeChannel } from '@smartlink/links/change-feed';
import { snapshotRedisKey } from '@smartlink/links/publish';
import { until } from '@smartlink/test-support/until';
import { createJob, createScriptedProvider, setDue } from './recheck-fixtures.js';
import { smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, redisOf, urlSmartlink, useService } from './start-service.js';

const provider = createScriptedProvider();
const { service, api } = useService({
  env: { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' },
  urlSafety: provider,
});

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const URL = 'https://example.org/de';
const ROUTING = {
  rules: [
    {
      id: 'de-phones',
      name: 'Phones in Germany',
      url: URL,
      when: { countries: ['DE', 'AT'], devices: ['mobile'] },
    },
    {
      id: 'evening',
      when: { weekly: { timeZone: 'Asia/Baku', days: ['Mon', 'Tue'], from: '18:00', to: '02:00' } },
      variants: [
        { id: 'a', weight: 1, url: 'https://example.org/a' },
        { id: 'b', weight: 3, url: 'https://example.org/b' },
      ],
    },
  ],
  variants: [
    { id: 'control', weight: 80 },
    { id: 'new', weight: 20, url: 'https://example.org/new' },
  ],
  sticky: 'visitor',
};
const withRouting = (routing: unknown) => urlSmartlink({}, {}, { routing });
const untilOpen = () => until(() => service.app.formatGate.state() === 'open', 'the gate is open', 20_000);

test('routing is checked, stored, returned, published and kept whatever the type', async () => {
  await untilOpen();
  const { id, slug, data } = await createSmartlink(api, withRouting(ROUTING));
  expect(data.routing).toEqual(ROUTING);
  const redisKey = snapshotRedisKey(service.databases.redisKeyPrefix, slug.toLowerCase());
  const inRedis = () => redisOf(service.app).get(redisKey);
  expect(await inRedis()).toMatch(/^2\d{16}\{.*"routing":\{"rules":/);
  const unchanged = await api.patch('/smartlink', { id, routing: ROUTING });
  expect(unchanged.body.message).toBe('Smartlink unchanged');
  const { configuration } = smartlink('TxtBin', {});
  const asText = await api.patch('/smartlink', {
    ...{ id, configuration: { smartlinkType: configuration.smartlinkType }, txtBin: { text: 'x' } },
    routing: { variants: null, sticky: 'none' },
  });
  expect(asText.body.data.routing).toEqual({ rules: ROUTING.rules, sticky: 'none' });
  const listed = await api.get('/smartlink?view=summary&limit=1');
  expect(listed.body.data[0]).not.toHaveProperty('routing');
  const cleared = await api.patch('/smartlink', { id, routing: { rules: [] } });
  expect(cleared.body.data).not.toHaveProperty('routing');
  expect(await inRedis()).toMatch(/^1/);
  const { rows } = await service.app.pg.query(
    'select details from audit_entries where smartlink_id = $1 order by id desc limit 1',
    [id],
  );
  expect(rows).toEqual([{ details: { changed: ['routing'] } }]);
});

test('a rule that is sent without an id gets one, which stays when it is sent again', async () => {
  await untilOpen();
  const rules = [{ url: URL, when: { countries: ['az'] } }];
  const { id, data } = await createSmartlink(api, withRouting({ rules }));
  const [stored] = (data.routing as { rules: { id: string; when: object }[] }).rules;
  expect(stored?.id).toMatch(/^[\w-]{8}$/);
  expect(stored?.when).toEqual({ countries: ['AZ'] });
  const again = await api.patch('/smartlink', { id, routing: { rules } });
  expect(again.body.message).toBe('Smartlink unchanged');
  expect(again.body).not.toHaveProperty('ignored');
});

test('faults stand at their paths, and an unknown condition is one, not ignored', async () => {
  const rules = [
    { url: URL, when: { city: 'Baku', countries: ['AZ'] }, note: 'x' },
    { url: URL, when: { countries: ['AZ'] }, variants: [{ weight: 1, url: URL }] },
  ];
  const refused = await api.post('/smartlink', withRouting({ rules }));
  expect(refused.body.error.details).toEqual([
    { path: 'routing.rules.0.when.city', message: 'Unknown condition' },
    { path: 'routing.rules.1.variants', message: 'Must have at least 2 elements' },
    { path: 'routing.rules.1', message: 'Must have exactly one of url and variants' },
  ]);
  expect(refused.body.ignored).toEqual(['routing.rules.0.note']);
});

test('every address of rules and variants is judged at the write and daily, and one bad one pauses the link', async () => {
  await untilOpen();
  provider.reset();
  provider.unsafe.add('https://example.org/b');
  const refused = await api.post('/smartlink', withRouting(ROUTING));
  expect([refused.body.error.code, faultsOf(refused)]).toEqual([
    'UNSAFE_URL',
    ['routing.rules.1.variants.1.url'],
  ]);
  provider.reset();
  const { id } = await createSmartlink(api, withRouting(ROUTING));
  expect(provider.questions.flat()).toContain('https://example.org/new');
  provider.unsafe.add('https://example.org/new');
  await setDue(service.app.pg, [id]);
  provider.forget();
  await createJob(service, provider).runOnce();
  const { body } = await api.get(`/smartlink?id=${id}`);
  expect(body.data).toMatchObject({
    status: 'Paused',
    pauseReason: { code: 'UNSAFE_URL', details: [{ path: 'routing.variants.1.url' }] },
  });
  provider.reset();
});

test('the address for afterwards is judged when it is written, and daily', async () => {
  await untilOpen();
  const expiredUrl = 'https://example.org/over';
  const body = urlSmartlink({}, {}, { availability: { expiredUrl } });
  provider.unsafe.add(expiredUrl);
  expect(faultsOf(await api.post('/smartlink', body))).toEqual(['availability.expiredUrl']);
  provider.reset();
  const { id } = await createSmartlink(api, body);
  provider.unsafe.add(expiredUrl);
  await setDue(service.app.pg, [id]);
  provider.forget();
  await createJob(service, provider).runOnce();
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toMatchObject({
    status: 'Paused',
    pauseReason: { details: [{ path: 'availability.expiredUrl' }] },
  });
  provider.reset();
});

test('while an earlier redirect process is heard, routing is refused and what is stored stays', async () => {
  const { app, databases } = service;
  await untilOpen();
  const { id, data } = await createSmartlink(api, withRouting(ROUTING));
  await redisOf(app).publish(changeChannel(databases.redisKeyPrefix), '~ old-host 1234.5');
  await until(() => app.formatGate.state() === 'old', 'the heartbeat is heard');
  const refused = await api.post('/smartlink', withRouting(ROUTING));
  expect([refused.status, refused.body.error.message]).toEqual([
    503,
    'routing cannot be stored while a redirect process of an earlier version is running',
  ]);
  expect((await api.patch('/smartlink', { id, routing: { sticky: 'none' } })).status).toBe(503);
  const renamed = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Other' } });
  expect(renamed.body.data.routing).toEqual(data.routing);
  expect((await api.patch('/smartlink', { id, routing: null })).status).toBe(200);
  await untilOpen();
}, 40_000);

test('resolve names the rule that fits, why those before do not, and the shares of a split', async () => {
  await untilOpen();
  const { id } = await createSmartlink(api, withRouting(ROUTING));
  const resolve = async (query: Record<string, string>) => {
    const text = new URLSearchParams({ id, userAgent: ANDROID, ...query }).toString();
    return (await api.get(`/smartlink/resolve?${text}`)).body.data as object;
  };
  const monday = { at: '2026-11-23T20:00:00+04:00' };
  expect(await resolve({ country: 'DE', ...monday })).toMatchObject({
    decision: 'redirect',
    location: URL,
    rule: 'routing',
    counted: { outcome: 'target' },
    routing: { rule: 'de-phones', passed: [] },
  });
  expect(await resolve({ country: 'TR', ...monday })).toMatchObject({
    decision: 'split',
    location: null,
    counted: null,
    routing: {
      rule: 'evening',
      passed: [{ id: 'de-phones', unfit: ['countries'] }],
      variants: [
        { id: 'a', share: 0.25, location: 'https://example.org/a' },
        { id: 'b', share: 0.75, location: 'https://example.org/b' },
      ],
    },
  });
  const bot = await resolve({
    userAgent: `${ANDROID} Googlebot/2.1`,
    country: 'TR',
    at: '2026-11-25T12:00:00Z',
  });
  expect(bot).toMatchObject({
    visitor: { isBot: true, device: 'other' },
    decision: 'redirect',
    location: 'https://example.org/',
    rule: 'url',
    routing: {
      rule: null,
      passed: [
        // Read as a person's, its device fits.
        { id: 'de-phones', unfit: ['countries'] },
        { id: 'evening', unfit: ['weekly'] },
      ],
      variants: [
        { id: 'control', share: 0.8, location: null },
        { id: 'new', share: 0.2 },
      ],
    },
  });
  const when = {
    languages: ['de'],
    query: [{ name: 'a', value: 'b c' }],
    referrers: ['example.com'],
    sources: ['scan'],
  };
  await api.patch('/smartlink', { id, routing: { rules: [{ id: 'all', url: URL, when }], variants: [] } });
  const fitting = {
    language: 'de-AT,en',
    query: '?a=b%20c',
    referrer: 'https://news.example.com/x',
    source: 'scan',
  };
  expect(await resolve(fitting)).toMatchObject({
    visitor: { language: 'de-AT', referrer: 'news.example.com', source: 'scan' },
    location: URL,
    counted: { source: 'scan' },
    routing: { rule: 'all', passed: [] },
  });
  expect(await resolve({})).toMatchObject({
    visitor: { language: '', referrer: 'direct', source: 'click' },
    location: 'https://example.org/',
    routing: { rule: null, passed: [{ id: 'all', unfit: ['sources', 'languages', 'referrers', 'query'] }] },
  });
  const bad = await api.get(`/smartlink/resolve?id=${id}&source=qr&at=today`);
  expect(faultsOf(bad).sort()).toEqual(['at', 'source']);
});
