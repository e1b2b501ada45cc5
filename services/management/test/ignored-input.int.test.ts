import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bulkCaller, createMany, createOperation } from './bulk-calls.js';
import { caller, createSmartlink, urlSmartlink, useService } from './start-service.js';

const { service, api } = useService();

const newCaller = async (plan?: string) => caller(service.app, (await service.createUser(plan)).apiKey);

describe('an answer lists what its request holds in vain', () => {
  test('a PATCH of members that no PATCH reads changes nothing and says so', async () => {
    const { id } = await createSmartlink(api);
    const none = await api.patch('/smartlink', { id, status: 'Paused', url: 'https://example.org/new' });
    expect([none.status, none.body.message, none.body.ignored]).toEqual([
      200,
      'Smartlink unchanged',
      ['status', 'url'],
    ]);
    const some = await api.patch('/smartlink', { id, status: 'Paused', openGraph: { title: 'T', x: 1 } });
    expect([some.body.message, some.body.ignored]).toEqual(['Smartlink updated', ['status', 'openGraph.x']]);
    const one = await api.patch('/smartlink', { id, openGraph: { title: 'U' }, landing: { title: 'T' } });
    expect([one.body.message, 'ignored' in one.body]).toEqual(['Smartlink updated', false]);
  });

  test('a refusal too, once the body has been read', async () => {
    const { id } = await createSmartlink(api);
    const ignored = ['status'];
    const patch = (body: object, headers = {}) => api.patch('/smartlink', { status: 1, ...body }, headers);
    expect(await patch({ id: 'unknown' })).toMatchObject({ status: 404, body: { ignored } });
    expect(await patch({})).toMatchObject({ status: 400, body: { ignored } });
    expect(await patch({ id, shortener: { url: 'x' } })).toMatchObject({ status: 400, body: { ignored } });
    expect(await patch({ id }, { 'if-match': '"0"' })).toMatchObject({ status: 412, body: { ignored } });
    const create = await api.post('/smartlink', { url: 'https://example.org' });
    expect([create.status, create.body.ignored, create.body.error.details]).toEqual([
      400,
      ['url'],
      [{ path: 'configuration', message: 'Required, with smartlinkName and smartlinkType' }],
    ]);
    const bad = await api.post('/smartlink?x=1', '{');
    expect([bad.status, 'ignored' in bad.body]).toEqual([400, false]);
    const unknown = await caller(service.app, 'x').get('/smartlink?x=1');
    expect([unknown.status, 'ignored' in unknown.body]).toEqual([401, false]);
  });

  test.each([
    ['/smartlink?smartlinkUrl=menu&limit=5', ['?smartlinkUrl']],
    ['/smartlink?id=unknown&limit=5&page[]=x', ['?page[]']],
    ['/analytics/summary?from=2026-11-01', ['?from']],
    ['/smartlink/analytics?groupBy=utm_campaign', ['?groupBy']],
    ['/validate?x&y', ['?x', '?y']],
    ['/webhooks?limit=1', ['?limit']],
    ['/smartlink?limit=5', undefined],
  ])('GET %s: %j', async (url, ignored) => {
    expect((await api.get(url)).body.ignored).toEqual(ignored);
  });

  test('a parameter beside a body that is read', async () => {
    const { id } = await createSmartlink(api);
    const paused = await api.post('/smartlink/status?dryRun', { id, status: 'Paused', reason: 'x' });
    expect([paused.status, paused.body.ignored]).toEqual([200, ['reason', '?dryRun']]);
    const created = await api.post('/smartlink?dryRun=true', urlSmartlink());
    expect([created.status, created.body.ignored]).toEqual([201, ['?dryRun']]);
    const removed = await api.delete(`/smartlink?id=${id}`);
    expect([removed.status, removed.body.error.details, removed.body.ignored]).toEqual([
      400,
      [{ path: '', message: 'Send {smartlinkId} as the JSON body' }],
      ['?id'],
    ]);
  });

  test('20 at most, and a list of several pages too', async () => {
    const own = await newCaller();
    await createMany(own, 100);
    await createMany(own, 1);
    const names = Array.from({ length: 30 }, (_, i) => `x${i}`);
    const list = await own.get(`/smartlink?${names.join('&')}`);
    expect([list.body.data.length, list.body.ignored]).toEqual([
      101,
      names.slice(0, 20).map((name) => `?${name}`),
    ]);
  });

  test('in the replay of an answer as in the answer', async () => {
    const own = await newCaller('Professional');
    const headers = { 'idempotency-key': randomUUID() };
    const first = await own.post('/smartlink', urlSmartlink({}, {}, { expiresAt: 1 }), headers);
    expect([first.status, first.body.ignored]).toEqual([201, ['expiresAt']]);
    const again = await own.post('/smartlink', urlSmartlink({}, {}, { other: 1 }), headers);
    expect(again.text).toBe(first.text);
    await createMany(own, 9);
    const full = { 'idempotency-key': randomUUID() };
    const refused = await own.post('/smartlink', urlSmartlink({}, {}, { expiresAt: 1 }), full);
    expect([refused.status, refused.body.ignored]).toEqual([403, ['expiresAt']]);
    expect((await own.post('/smartlink', urlSmartlink(), full)).text).toBe(refused.text);
  });

  test('of a bulk call, by the place in it', async () => {
    const { id } = await createSmartlink(api);
    const bulk = bulkCaller(api);
    const { results, body } = await bulk(
      [
        createOperation({ tag: 1 }),
        { patch: { id, status: 'Paused' }, ifMatch: '*' },
        { delete: { smartlinkId: 'unknown', id }, ifMatch: '"1"', note: 1 },
      ],
      { mode: 'all' },
    );
    expect(results.map(({ status, message }) => [status, message])).toEqual([
      [201, 'Smartlink created'],
      [200, 'Smartlink unchanged'],
      [404, undefined],
    ]);
    expect(body.ignored).toEqual([
      'mode',
      'operations.0.create.configuration.tag',
      'operations.1.patch.status',
      'operations.2.delete.id',
      'operations.2.ifMatch',
      'operations.2.note',
    ]);
    const malformed = await bulk([5, { patch: { id, x: 1 } }]);
    expect([malformed.status, malformed.body.ignored]).toEqual([400, ['operations.1.patch.x']]);
    expect('ignored' in (await bulk([createOperation()])).body).toBe(false);
  });
});
