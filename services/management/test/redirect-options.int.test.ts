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
