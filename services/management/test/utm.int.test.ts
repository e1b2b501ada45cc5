import { expect, test } from 'vitest';
import { changeChannel, formatOfHeartbeat } from '@smartlink/links/change-feed';
import { findSnapshots, snapshotRedisKey } from '@smartlink/links/publish';
import { until } from '@smartlink/test-support/until';
import { smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, redisOf, urlSmartlink, useService } from './start-service.js';
import { untilPublished } from './stored-state.js';

const { service, user, api } = useService();

const UTM = { source: 'mail', campaign: 'spring sale' };
const url = (utm: unknown = UTM) => urlSmartlink({}, {}, { utm });
const untilOpen = () => until(() => service.app.formatGate.state() === 'open', 'the gate is open', 20_000);

test('utm is checked, stored, merged, returned and published', async () => {
  await untilOpen();
  const { id, slug, data } = await createSmartlink(api, url());
  expect(data.utm).toEqual(UTM);
  const key = slug.toLowerCase();
  const inRedis = () => redisOf(service.app).get(snapshotRedisKey(service.databases.redisKeyPrefix, key));
  expect(await inRedis()).toMatch(/^2\d{16}\{.*"utm":\{/);
  const resolved = await api.get(`/smartlink/resolve?id=${id}`);
  expect(resolved.body.data.location).toBe('https://example.org/?utm_source=mail&utm_campaign=spring%20sale');
  const patched = await api.patch('/smartlink', { id, utm: { source: null, ref: 'r' } });
  expect(patched.body.data.utm).toEqual({ campaign: 'spring sale', ref: 'r' });
  const landing = await api.patch('/smartlink', smartlinkPatch(id, 'Landing', { landing: {} }));
  expect(landing.body.data).not.toHaveProperty('utm');
  expect(await inRedis()).toMatch(/^1/);
  const back = await api.patch('/smartlink', smartlinkPatch(id, 'Url'));
  expect(back.body.data.utm).toEqual({ campaign: 'spring sale', ref: 'r' });
  const cleared = await api.patch('/smartlink', { id, utm: null });
  expect(cleared.body.data).toEqual({ ...data, utm: undefined, updatedAt: cleared.body.data.updatedAt });
  const { rows } = await service.app.pg.query(
    'select details from audit_entries where smartlink_id = $1 order by id desc limit 1',
    [id],
  );
  expect(rows).toEqual([{ details: { changed: ['utm'] } }]);
  const bad = { source: '', medium: 'a\nb', campaign: 'x'.repeat(256), term: 5, ref: ' ' };
  expect((await api.post('/smartlink', url(bad))).body.error.details).toEqual([
    { path: 'utm.source', message: 'Must not be empty' },
    { path: 'utm.medium', message: 'Must not contain line breaks or control characters' },
    { path: 'utm.campaign', message: 'Must be at most 255 characters' },
    { path: 'utm.term', message: 'Must be a string' },
    { path: 'utm.ref', message: 'Must not be empty' },
  ]);
  expect(faultsOf(await api.post('/smartlink', url('mail')))).toEqual(['utm']);
});

const smartlinkPatch = (id: string, type: string, rest: object = {}) => {
  const { configuration, ...more } = smartlink(type, rest);
  return { id, configuration: { smartlinkType: configuration.smartlinkType }, ...more };
};

test('a template is copied into creates, merged by PATCH, and unique by name', async () => {
  await untilOpen();
  const made = await api.post('/utm-templates', {
    name: 'Newsletter',
    utm: { source: 'mail', medium: 'email' },
  });
  expect([made.status, made.body.data.utm]).toEqual([201, { source: 'mail', medium: 'email' }]);
  const { id } = made.body.data as { id: string };
  const from = (utmTemplateId: unknown, utm?: unknown) => urlSmartlink({}, {}, { utmTemplateId, utm });
  const { data } = await createSmartlink(api, from(id, { medium: null, term: 'own' }));
  expect(data.utm).toEqual({ source: 'mail', term: 'own' });
  expect(data).not.toHaveProperty('utmTemplateId');
  const bulk = await api.post('/smartlink/bulk', {
    operations: [{ create: from(id) }, { create: from(data.id) }],
  });
  expect(bulk.body.data).toMatchObject([
    { status: 201, data: { utm: { source: 'mail', medium: 'email' } } },
    { status: 400, error: { details: [{ path: 'utmTemplateId', message: 'No such UTM template' }] } },
  ]);
  const patched = await api.patch('/utm-templates', { id, utm: { medium: null, ref: 'r' } });
  expect(patched.body.data.utm).toEqual({ source: 'mail', ref: 'r' });
  expect((await api.get(`/smartlink?id=${String(data.id)}`)).body.data.utm).toEqual(data.utm);
  expect(faultsOf(await api.patch('/utm-templates', { id, utm: { source: null, ref: null } }))).toEqual([
    'utm',
  ]);
  expect(faultsOf(await api.post('/utm-templates', { name: '', utm: {} }))).toEqual(['name', 'utm']);
  expect((await api.post('/utm-templates', { name: 'NEWSLETTER', utm: UTM })).body.error.code).toBe(
    'NAME_TAKEN',
  );
  expect((await api.delete('/utm-templates', { templateId: id })).status).toBe(200);
  const gone = await api.post('/smartlink', from(id, { source: '' }));
  expect(faultsOf(gone)).toEqual(['utmTemplateId', 'utm.source']);
  expect((await api.delete('/utm-templates', { templateId: id })).body.error.message).toBe(
    'UTM template not found',
  );
  const { rows } = await service.app.pg.query(
    `select action, details from audit_entries where details ->> 'templateId' = $1 order by id`,
    [id],
  );
  expect(rows).toEqual([
    { action: 'utm-template.create', details: { templateId: id } },
    { action: 'utm-template.update', details: { templateId: id, changed: ['utm'] } },
    { action: 'utm-template.delete', details: { templateId: id } },
  ]);
});

test('an account has 500 templates at most', async () => {
  await service.app.pg.query(
    `insert into utm_templates (id, user_id, name, key, utm)
     select gen_random_uuid(), $1, 'n' || n, 'n' || n, '{}' from generate_series(1, 500) as n`,
    [user.userId],
  );
  const tooMany = await api.post('/utm-templates', { name: 'one more', utm: UTM });
  expect(tooMany.body.error.details).toEqual([{ path: '', message: 'A user has at most 500 UTM templates' }]);
});

test('while an earlier redirect process is heard, utm is refused and everything else is stored', async () => {
  const { app, databases } = service;
  const channel = changeChannel(databases.redisKeyPrefix);
  await untilOpen();
  const stored = await createSmartlink(api, url());
  const other = await createSmartlink(api);
  const old = '~ old-host 1234.5';
  expect(formatOfHeartbeat(old)).toBe(1);
  await redisOf(app).publish(channel, old);
  await until(() => app.formatGate.state() === 'old', 'the heartbeat is heard');

  const refused = await api.post('/smartlink', url());
  expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '10',
  ]);
  expect((await api.patch('/smartlink', { id: other.id, utm: UTM })).status).toBe(503);
  const bulk = await api.post('/smartlink/bulk', {
    operations: [
      { create: url() },
      { patch: { id: other.id, utm: UTM } },
      { patch: { id: stored.id, configuration: { smartlinkName: 'Other name' } } },
      { create: urlSmartlink() },
    ],
  });
  expect(bulk.body.data.map(({ status }: { status: number }) => status)).toEqual([503, 503, 200, 201]);
  // Leaving them out, and the same ones again, is safe.
  expect((await api.patch('/smartlink', { id: stored.id, utm: { ...UTM } })).status).toBe(200);

  // The earlier process publishes the present version without utm.
  const key = stored.slug.toLowerCase();
  const redisKey = snapshotRedisKey(databases.redisKeyPrefix, key);
  await untilPublished(app);
  const snapshot = (await findSnapshots(app.pg, [key])).get(key);
  const header = `1${String(snapshot?.version).padStart(16, '0')}`;
  await redisOf(app).set(redisKey, `${header}${JSON.stringify({ ...snapshot, utm: undefined })}`);
  await until(
    async () => (await redisOf(app).get(redisKey))?.startsWith('2'),
    'it is published again',
    20_000,
  );
  expect(app.formatGate.state()).toBe('open');
  expect((await api.patch('/smartlink', { id: stored.id, utm: null })).status).toBe(200);
}, 40_000);
