import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

async function create(configuration: object = {}, shortener: object = {}, rest: object = {}) {
  const res = await api.post('/smartlink', urlSmartlink(configuration, shortener, rest));
  expect(res.text).toContain('"success":true');
  return { id: res.body.data.id as string, etag: String(res.headers.etag), data: res.body.data };
}

describe('merging', () => {
  test('changes the members it names and no others', async () => {
    const { id, data } = await create({}, {}, { openGraph: { title: 'T', description: 'D' } });
    const res = await api.patch('/smartlink', {
      id,
      configuration: { smartlinkName: 'New' },
      openGraph: { title: 'U' },
    });
    expect(res.status).toBe(200);
    expect(res.body.data).toEqual({
      ...data,
      updatedAt: res.body.data.updatedAt,
      configuration: { ...data.configuration, smartlinkName: 'New' },
      openGraph: { title: 'U', description: 'D' },
    });
    expect(res.body.data.updatedAt > data.updatedAt).toBe(true);
  });

  test('null clears what is optional, at every depth', async () => {
    const { id } = await create({}, {}, { openGraph: { title: 'T', description: 'D' } });
    const one = await api.patch('/smartlink', { id, openGraph: { title: null } });
    expect(one.body.data.openGraph).toEqual({ description: 'D' });
    const all = await api.patch('/smartlink', { id, openGraph: null });
    expect(all.body.data).not.toHaveProperty('openGraph');
  });

  test('null is a fault on what is required, and nothing is written', async () => {
    const { id, etag } = await create();
    for (const [patch, paths] of [
      [{ configuration: { smartlinkName: null } }, ['configuration.smartlinkName']],
      [{ configuration: { smartlinkType: null } }, ['configuration.smartlinkType']],
      [{ configuration: { smartlinkUrl: null } }, ['configuration.smartlinkUrl']],
      [{ configuration: null }, ['configuration']],
      [{ shortener: { url: null } }, ['shortener.url']],
      [{ shortener: null }, ['shortener']],
    ] as const) {
      const res = await api.patch('/smartlink', { id, openGraph: { title: 'never' }, ...patch });
      expect([res.status, faultsOf(res)]).toEqual([400, paths]);
    }
    const after = await api.get(`/smartlink?id=${id}`);
    expect(after.headers.etag).toBe(etag);
    expect(after.body.data).not.toHaveProperty('openGraph');
  });

  test('lists every fault of the merged document at once', async () => {
    const { id } = await create();
    const res = await api.patch('/smartlink', {
      id,
      configuration: { smartlinkName: ' ', smartlinkUrl: 'a-b' },
      openGraph: { imageUrl: 'nope' },
      shortener: { url: 'javascript:1', protected: 'yes' },
    });
    expect(res.body.error).toMatchObject({ code: 'VALIDATION_FAILED', message: 'Request validation failed' });
    expect(faultsOf(res)).toEqual([
      'configuration.smartlinkName',
      'configuration.smartlinkUrl',
      'openGraph.imageUrl',
      'shortener.url',
      'shortener.protected',
    ]);
  });

  test('fields outside the schema are ignored: status, userId, analytics, version, ids inside', async () => {
    const { id, etag, data } = await create();
    const res = await api.patch('/smartlink', {
      id,
      status: 'Paused',
      userId: 'x',
      type: 'App',
      relink: 'x',
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: 'x',
      version: 1,
      analytics: { totalClicks: 9 },
      landing: { title: 5 },
      configuration: { id: 'x', userId: 'x', status: 'Deleted' },
      shortener: { passwordHash: 'x' },
    });
    expect(res.status).toBe(200);
    expect(res.body.data).toEqual(data);
    expect(res.headers.etag).toBe(etag);
  });
});

describe('what moves', () => {
  test('only the id, or the same values again, change nothing: no version, no time, no outbox row', async () => {
    const { id, etag, data } = await create({}, {}, { openGraph: { title: 'T' } });
    for (const patch of [
      { id },
      { id, configuration: data.configuration, openGraph: data.openGraph, shortener: data.shortener },
      { id, configuration: {}, shortener: {} },
    ]) {
      const res = await api.patch('/smartlink', patch);
      expect([res.status, res.headers.etag, res.body.data]).toEqual([200, etag, data]);
    }
  });

  test('a change moves version and updatedAt, and says in the audit log which members, not what', async () => {
    const { id, etag } = await create();
    const res = await api.patch('/smartlink', { id, shortener: { url: 'https://secret.example.net/x' } });
    expect(Number(String(res.headers.etag).slice(1, -1))).toBeGreaterThan(Number(etag.slice(1, -1)));
    const { rows } = await service.app.pg.query(
      `select action, details, actor from audit_entries where smartlink_id = $1 order by id`,
      [id],
    );
    expect(rows).toMatchObject([
      { action: 'smartlink.create' },
      { action: 'smartlink.update', details: { changed: ['shortener'] } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret.example.net');
  });
});

describe('If-Match', () => {
  test('takes the present ETag, a list with it, and *; refuses any other with 412', async () => {
    const { id, etag } = await create();
    const patch = (name: string, ifMatch: string) =>
      api.patch('/smartlink', { id, configuration: { smartlinkName: name } }, { 'if-match': ifMatch });
    const stale = await patch('a', '"0"');
    expect([stale.status, stale.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect(stale.body.error).not.toHaveProperty('details');
    for (const ifMatch of ['', 'W/' + etag, etag.slice(1, -1), 'garbage']) {
      expect((await patch('a', ifMatch)).status).toBe(412);
    }
    const first = await patch('a', `"1", ${etag}`);
    expect(first.status).toBe(200);
    expect((await patch('b', etag)).status).toBe(412);
    expect((await patch('b', '*')).status).toBe(200);
  });

  test('of two patches at once with the same ETag exactly one is written', async () => {
    const { id, etag } = await create();
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((smartlinkName) =>
        api.patch('/smartlink', { id, configuration: { smartlinkName } }, { 'if-match': etag }),
      ),
    );
    expect(results.map((res) => res.status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('without it, patches at once of different members all hold', async () => {
    const { id } = await create();
    await Promise.all([
      api.patch('/smartlink', { id, configuration: { smartlinkName: 'Both' } }),
      api.patch('/smartlink', { id, openGraph: { title: 'T' } }),
      api.patch('/smartlink', { id, openGraph: { description: 'D' } }),
    ]);
    const { body } = await api.get(`/smartlink?id=${id}`);
    expect(body.data.configuration.smartlinkName).toBe('Both');
    expect(body.data.openGraph).toEqual({ title: 'T', description: 'D' });
  });
});

test.each([
  [{}, ['id']],
  [{ id: '' }, ['id']],
  [{ id: 5 }, ['id']],
  [{ id: null }, ['id']],
  [{ id: ['x'] }, ['id']],
  [{ smartlinkId: 'x' }, ['id']],
  [[], ['']],
  ['null', ['']],
])('%j is 400 at %j', async (body, paths) => {
  const res = await api.patch('/smartlink', body);
  expect([res.status, faultsOf(res)]).toEqual([400, paths]);
});

test.each(['x', '0', crypto.randomUUID(), 'ß'.repeat(5000), "' or 1=1 --", '\u0000', '%00'])(
  'an unknown id is 404: %j',
  async (id) => {
    const res = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'x' } });
    expect(res.status).toBe(404);
    expect(res.body.error).toEqual({ code: 'NOT_FOUND', message: 'Smartlink not found' });
  },
);

test('a deleted smartlink is 404', async () => {
  const { id } = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  expect((await api.patch('/smartlink', { id })).status).toBe(404);
});
