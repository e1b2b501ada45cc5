import { describe, expect, test } from 'vitest';
import { createSmartlink, faultsOf, urlSmartlink, useService } from './start-service.js';

const { service, api } = useService();

const create = (...parts: Parameters<typeof urlSmartlink>) => createSmartlink(api, urlSmartlink(...parts));

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

describe('a password', () => {
  async function rowOf(id: string) {
    const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
    return rows[0] as Record<string, unknown>;
  }

  test('protection without a password is a fault, with one it holds, and the password is never returned', async () => {
    const { id } = await create();
    const bare = await api.patch('/smartlink', { id, shortener: { protected: true } });
    expect(faultsOf(bare)).toEqual(['shortener.password']);
    const set = await api.patch('/smartlink', { id, shortener: { protected: true, password: 'secret-1' } });
    expect(set.body.data.shortener).toEqual({ url: 'https://example.org/', protected: true });
    expect(JSON.stringify(await rowOf(id))).not.toContain('secret-1');
    expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
    expect(service.logLines.join('')).not.toContain('secret-1');
  });

  test('a password given while unprotected is kept, and protection can use it later', async () => {
    const { id } = await create({}, { password: 'secret-2' });
    const res = await api.patch('/smartlink', { id, shortener: { protected: true } });
    expect(res.body.data.shortener.protected).toBe(true);
    const off = await api.patch('/smartlink', { id, shortener: { protected: false } });
    expect(off.body.data.shortener.protected).toBe(false);
    expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
  });

  test('null clears it when unprotected and is a fault when protected', async () => {
    const { id } = await create({}, { protected: true, password: 'secret-3' });
    const fault = await api.patch('/smartlink', { id, shortener: { password: null } });
    expect([fault.status, faultsOf(fault)]).toEqual([400, ['shortener.password']]);
    const cleared = await api.patch('/smartlink', { id, shortener: { protected: false, password: null } });
    expect(cleared.status).toBe(200);
    expect((await rowOf(id))['password_hash']).toBeNull();
  });

  test.each([
    ['12345', false],
    ['123456', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    [123456, false],
  ])('%j is taken: %s', async (password, isTaken) => {
    const { id } = await create();
    const res = await api.patch('/smartlink', { id, shortener: { protected: true, password } });
    expect(res.status).toBe(isTaken ? 200 : 400);
  });

  test('a new password moves the password version that unlock cookies are bound to; other changes do not', async () => {
    const { id } = await create({}, { protected: true, password: 'secret-4' });
    const before = (await rowOf(id))['password_version'] as number;
    await api.patch('/smartlink', { id, configuration: { smartlinkName: 'x' } });
    expect((await rowOf(id))['password_version']).toBe(before);
    await api.patch('/smartlink', { id, shortener: { password: 'secret-5' } });
    expect((await rowOf(id))['password_version']).toBe(before + 1);
  });
});
