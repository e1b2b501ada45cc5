import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startService, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';

let service: TestService;
let api: ReturnType<typeof caller>;

beforeAll(async () => {
  service = await startService();
  api = caller(service.app, (await service.createUser()).apiKey);
});
afterAll(() => service.close());

const create = async (who = api) => String((await who.post('/smartlink', urlSmartlink())).body.data.id);
const NOT_FOUND = { code: 'NOT_FOUND', message: 'Smartlink not found' };

test('a delete marks the link, which can still be fetched and no longer be written', async () => {
  const id = await create();
  const before = (await api.get(`/smartlink?id=${id}`)).body.data;
  const res = await api.delete('/smartlink', { smartlinkId: id });
  expect(res.status).toBe(200);
  expect(res.body).toEqual({
    success: true,
    message: 'Smartlink deleted',
    data: null,
    timestamp: expect.any(String) as string,
  });
  const fetched = await api.get(`/smartlink?id=${id}`);
  expect(fetched.status).toBe(200);
  expect(fetched.body.data).toEqual({ ...before, status: 'Deleted', updatedAt: fetched.body.data.updatedAt });
  expect((await api.get('/smartlink')).text).not.toContain(id);
  for (const again of [
    await api.delete('/smartlink', { smartlinkId: id }),
    await api.patch('/smartlink', { id, configuration: { smartlinkName: 'New' } }),
  ]) {
    expect(again.status).toBe(404);
    expect(again.body.error).toEqual(NOT_FOUND);
  }
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toEqual(fetched.body.data);
});

test('a delete is in the audit log with the key that did it', async () => {
  const id = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  const { rows } = await service.app.pg.query(
    `select action, actor ~ '^key [0-9a-f-]{36}$' as "isKey", details from audit_entries where smartlink_id = $1 order by id`,
    [id],
  );
  expect(rows).toEqual([
    { action: 'smartlink.create', isKey: true, details: null },
    { action: 'smartlink.delete', isKey: true, details: null },
  ]);
});

test.each([
  ['id instead of smartlinkId', (id: string) => ({ id })],
  ['no id', () => ({})],
  ['null', () => ({ smartlinkId: null })],
  ['empty', () => ({ smartlinkId: '' })],
  ['a number', () => ({ smartlinkId: 1 })],
  ['an array', (id: string) => ({ smartlinkId: [id] })],
  ['an object', (id: string) => ({ smartlinkId: { id } })],
])('%s is 400 at smartlinkId, also with an id in the query', async (_name, body) => {
  const id = await create();
  for (const path of ['/smartlink', `/smartlink?smartlinkId=${id}&id=${id}`]) {
    const res = await api.delete(path, body(id));
    expect(res.status).toBe(400);
    expect(res.body.error.details).toEqual([{ path: 'smartlinkId', message: expect.any(String) as string }]);
  }
  expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Active');
});

describe('another user', () => {
  test('gets for a foreign id what an unknown id gets, byte for byte, from every endpoint', async () => {
    const id = await create();
    const deleted = await create();
    await api.delete('/smartlink', { smartlinkId: deleted });
    const before = (await api.get(`/smartlink?id=${id}`)).text.replace(/"timestamp":"[^"]+"/, '');
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    const own = await create(stranger);
    await stranger.delete('/smartlink', { smartlinkId: own });
    const calls: ((id: string) => ReturnType<typeof api.get>)[] = [
      (other) => stranger.get(`/smartlink?id=${other}`),
      (other) => stranger.get(`/smartlink/analytics?id=${other}`),
      (other) => stranger.patch('/smartlink', { id: other, configuration: { smartlinkName: 'Mine now' } }),
      (other) => stranger.patch('/smartlink', { id: other }, { 'if-match': '"1"' }),
      (other) => stranger.patch('/smartlink', { id: other, shortener: { url: 'bad' } }),
      (other) => stranger.delete('/smartlink', { smartlinkId: other }),
    ];
    for (const call of calls) {
      const forms = new Set<string>();
      for (const other of [
        id,
        deleted,
        crypto.randomUUID(),
        'unknown',
        `${id}0`,
        ` ${id}`.trimEnd() + '%20',
      ]) {
        const { status, headers, text } = await call(other);
        const names = Object.keys(headers).sort().join();
        forms.add(`${status} ${names} ${text.replace(/"timestamp":"[^"]+"/, '')}`);
      }
      expect([...forms]).toHaveLength(1);
      expect([...forms][0]).toMatch(/^404 .*"code":"NOT_FOUND","message":"Smartlink not found"/);
    }
    expect((await api.get(`/smartlink?id=${id}`)).text.replace(/"timestamp":"[^"]+"/, '')).toBe(before);
    for (const path of ['/smartlink', '/smartlink?status=all', '/analytics/summary']) {
      const { text } = await stranger.get(path);
      expect(text).not.toContain(id);
      expect(text).not.toContain(deleted);
    }
  });
});
