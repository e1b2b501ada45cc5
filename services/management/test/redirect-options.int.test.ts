import { expect, test } from 'vitest';
import { changeChannel } from '@smartlink/links/change-feed';
import { snapshotRedisKey } from '@smartlink/links/publish';
import { until } from '@smartlink/test-support/until';
import { smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, redisOf, urlSmartlink, useService } from './start-service.js';

const { service, api } = useService();

const REDIRECT = { status: 301, cacheSeconds: 60, forwardQuery: false };
const untilOpen = () => until(() => service.app.formatGate.state() === 'open', 'the gate is open', 20_000);

test('redirect options are stored, merged, returned and published, and kept through a change of type', async () => {
  await untilOpen();
  const plain = await createSmartlink(api, urlSmartlink());
  expect(plain.data).not.toHaveProperty('redirect');
  const { id, slug, data } = await createSmartlink(api, urlSmartlink({}, {}, { redirect: REDIRECT }));
  expect(data.redirect).toEqual(REDIRECT);
  const inRedis = (of: string) =>
    redisOf(service.app).get(snapshotRedisKey(service.databases.redisKeyPrefix, of.toLowerCase()));
  expect(await inRedis(plain.slug)).toMatch(/^1/);
  expect(await inRedis(slug)).toMatch(/^2\d{16}\{.*"redirect":\{/);
  const patched = await api.patch('/smartlink', { id, redirect: { status: null, cacheSeconds: 0 } });
  expect(patched.body.data.redirect).toEqual({ cacheSeconds: 0, forwardQuery: false });
  const summaries = await api.get('/smartlink?view=summary&limit=1');
  expect(summaries.body.data[0]).not.toHaveProperty('redirect');
  const landing = await api.patch('/smartlink', typePatch(id, 'Landing', { landing: {} }));
  expect(landing.body.data).not.toHaveProperty('redirect');
  expect(await inRedis(slug)).toMatch(/^1/);
  const back = await api.patch('/smartlink', typePatch(id, 'Url'));
  expect(back.body.data.redirect).toEqual({ cacheSeconds: 0, forwardQuery: false });
  const cleared = await api.patch('/smartlink', { id, redirect: null });
  expect(cleared.body.data).not.toHaveProperty('redirect');
  expect(await inRedis(slug)).toMatch(/^1/);
  const { rows } = await service.app.pg.query(
    'select details from audit_entries where smartlink_id = $1 order by id desc limit 1',
    [id],
  );
  expect(rows).toEqual([{ details: { changed: ['redirect'] } }]);
});

const typePatch = (id: string, type: string, rest: object = {}) => {
  const { configuration, ...more } = smartlink(type, rest);
  return { id, configuration: { smartlinkType: configuration.smartlinkType }, ...more };
};

test('the merged smartlink decides whether a browser may keep its redirect', async () => {
  await untilOpen();
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { redirect: REDIRECT }));
  const PATHS = ['redirect.status', 'redirect.cacheSeconds'];
  const shortener = { protected: true, password: 'correct horse' };
  expect(faultsOf(await api.patch('/smartlink', { id, shortener }))).toEqual(PATHS);
  expect(faultsOf(await api.patch('/smartlink', { id, configuration: { smartlinkType: 'App' } }))).toEqual(
    PATHS,
  );
  const both = await api.patch('/smartlink', {
    id,
    shortener,
    redirect: { status: 307, cacheSeconds: null },
  });
  expect(both.body.data.redirect).toEqual({ status: 307, forwardQuery: false });
  expect(faultsOf(await api.patch('/smartlink', { id, redirect: { status: 308 } }))).toEqual([
    'redirect.status',
  ]);
});

const EXPIRED_URL = 'https://a.example.org/over';
async function takeVisits(id: string, count: number): Promise<number> {
  const { rows } = await service.app.pg.query('select take_visits($1, $2) as granted', [id, count]);
  return (rows[0] as { granted: number }).granted;
}
const availabilityOf = (data: Record<string, unknown>) => data['availability'];

test('availability is stored, merged, published and answered with its state, and kept through a change of type', async () => {
  await untilOpen();
  const availability = { startsAt: '2020-01-01T04:00:00+04:00', maxVisits: 3, expiredUrl: EXPIRED_URL };
  const { id, slug, data } = await createSmartlink(api, urlSmartlink({}, {}, { availability }));
  const stored = { ...availability, startsAt: '2020-01-01T00:00:00.000Z' };
  expect(availabilityOf(data)).toEqual({ ...stored, visitsUsed: 0, state: 'live' });
  const inRedis = () =>
    redisOf(service.app).get(snapshotRedisKey(service.databases.redisKeyPrefix, slug.toLowerCase()));
  expect(await inRedis()).toMatch(
    /^2\d{16}\{.*"availability":\{"startsAt":1577836800000,"expiredUrl":"[^"]+","isLimited":true\}/,
  );
  expect(await takeVisits(id, 2)).toBe(2);
  for (const path of [`/smartlink?id=${id}`, '/smartlink?limit=1', '/smartlink?view=summary&limit=1']) {
    const [fetched] = [(await api.get(path)).body.data].flat();
    expect(fetched.availability).toEqual({ ...stored, visitsUsed: 2, state: 'live' });
  }
  const patch = async (change: object) => (await api.patch('/smartlink', { id, ...change })).body.data;
  const change = async (members: object) => availabilityOf(await patch({ availability: members }));
  expect(await change({ maxVisits: 2 })).toEqual({
    ...stored,
    maxVisits: 2,
    visitsUsed: 2,
    state: 'exhausted',
  });
  expect(await takeVisits(id, 1)).toBe(0);
  expect(await change({ maxVisits: 1 })).toMatchObject({ visitsUsed: 2, state: 'exhausted' });
  expect(await takeVisits(id, 1)).toBe(0);
  expect(await change({ maxVisits: 5 })).toMatchObject({ visitsUsed: 2, state: 'live' });
  expect(await takeVisits(id, 9)).toBe(3);
  expect(await change({ startsAt: '2199-01-01T00:00:00Z' })).toMatchObject({ state: 'scheduled' });
  expect(await change({ startsAt: null, expiresAt: '2020-01-01T00:00:00Z' })).toEqual({
    ...{ expiresAt: '2020-01-01T00:00:00.000Z', maxVisits: 5, expiredUrl: EXPIRED_URL },
    ...{ visitsUsed: 5, state: 'expired' },
  });
  const landing = await patch(typePatch(id, 'Landing', { landing: {} }));
  expect(landing.availability).toMatchObject({ maxVisits: 5, visitsUsed: 5 });
  expect(await change({ maxVisits: null })).toEqual({
    ...{ expiresAt: '2020-01-01T00:00:00.000Z', expiredUrl: EXPIRED_URL, state: 'expired' },
  });
  expect(await takeVisits(id, 3)).toBe(3);
  expect(await change({ maxVisits: 1 })).toMatchObject({ visitsUsed: 0 });
  expect(await patch({ availability: null })).not.toHaveProperty('availability');
  expect(await inRedis()).toMatch(/^1/);
  const { rows } = await service.app.pg.query(
    'select details from audit_entries where smartlink_id = $1 order by id desc limit 1',
    [id],
  );
  expect(rows).toEqual([{ details: { changed: ['availability'] } }]);
});

test('of a smartlink that does not exist nothing is granted', async () => {
  expect(await takeVisits('00000000-0000-0000-0000-000000000000', 1)).toBe(0);
});

test('of 40 takers at once exactly as many visits are granted as there are', async () => {
  await untilOpen();
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { availability: { maxVisits: 50 } }));
  const granted = await Promise.all(Array.from({ length: 40 }, () => takeVisits(id, 3)));
  expect(granted.reduce((sum, count) => sum + count, 0)).toBe(50);
  const { body } = await api.get(`/smartlink?id=${id}`);
  expect(body.data.availability).toEqual({ maxVisits: 50, visitsUsed: 50, state: 'exhausted' });
});

test('resolve explains times and limits', async () => {
  await untilOpen();
  const startsAt = '2030-01-01T00:00:00Z';
  const availability = { startsAt, expiresAt: '2030-02-01T00:00:00Z', maxVisits: 1, expiredUrl: EXPIRED_URL };
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { availability }));
  const resolve = async (at: string, userAgent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0') => {
    const query = new URLSearchParams({ id, at, userAgent });
    const { decision, location, rule, counted } = (await api.get(`/smartlink/resolve?${query.toString()}`))
      .body.data;
    return [decision, location, rule, counted.excluded];
  };
  const [own] = (await resolve(startsAt)).slice(1);
  expect(await resolve('2029-12-31T23:59:59.999Z')).toEqual(['scheduled', null, 'startsAt', 'scheduled']);
  expect(await resolve(startsAt)).toEqual(['redirect', own, 'url', null]);
  expect(await resolve(startsAt, 'Googlebot/2.1')).toEqual(['openGraph', null, 'maxVisits', 'bot']);
  expect(await takeVisits(id, 1)).toBe(1);
  expect(await resolve(startsAt)).toEqual(['exhausted', EXPIRED_URL, 'maxVisits', 'exhausted']);
  expect(await resolve('2030-02-01T00:00:00Z')).toEqual(['expired', EXPIRED_URL, 'expiresAt', 'expired']);
});

test('while an earlier redirect process is heard, redirect options are refused', async () => {
  await untilOpen();
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { redirect: REDIRECT }));
  await redisOf(service.app).publish(changeChannel(service.databases.redisKeyPrefix), '~ old-host 1234.5');
  await until(() => service.app.formatGate.state() === 'old', 'the heartbeat is heard');
  const refused = await api.post(
    '/smartlink',
    urlSmartlink({}, {}, { redirect: REDIRECT, utm: { ref: 'r' } }),
  );
  expect([refused.status, refused.body.error.message]).toEqual([
    503,
    'utm, redirect cannot be stored while a redirect process of an earlier version is running',
  ]);
  expect((await api.patch('/smartlink', { id, redirect: { ...REDIRECT } })).status).toBe(200);
  expect((await api.patch('/smartlink', { id, redirect: { cacheSeconds: 5 } })).status).toBe(503);
});
