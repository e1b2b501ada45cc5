import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startServiceOn, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';
import { untilPublished } from './stored-rows.js';

let service: TestService;
let other: Awaited<ReturnType<typeof startServiceOn>>;
let user: TestUser;
let api: Caller;

beforeAll(async () => {
  ({ service, user, api } = await startServiceWithUser());
  other = await startServiceOn(service.databases);
});
afterAll(async () => {
  await other.app.close();
  await service.close();
});

async function create(configuration: object = {}) {
  const { status, body } = await api.post('/smartlink', urlSmartlink(configuration));
  expect(status).toBe(201);
  return { id: body.data.id as string, slug: body.data.configuration.smartlinkUrl as string };
}

test('marks the link and erases nothing: it leaves the list and can still be fetched, with its analytics', async () => {
  const { id } = await create();
  const res = await api.delete('/smartlink', { smartlinkId: id });
  expect([res.status, res.body]).toEqual([
    200,
    { success: true, message: 'Smartlink deleted', data: null, timestamp: res.body.timestamp },
  ]);
  const listed = (await api.get('/smartlink')).body.data as { id: string }[];
  expect(listed.some((link) => link.id === id)).toBe(false);
  const fetched = await api.get(`/smartlink?id=${id}`);
  expect([fetched.status, fetched.body.data.status]).toEqual([200, 'Deleted']);
  expect((await api.get(`/smartlink/analytics?id=${id}`)).status).toBe(200);
  const { rows } = await service.app.pg.query(
    `select deleted_at is not null as deleted from smartlinks where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ deleted: true }]);
});

test('takes smartlinkId and not id; every fault is 400 at smartlinkId', async () => {
  const { id } = await create();
  for (const body of [
    { id },
    {},
    { smartlinkId: '' },
    { smartlinkId: null },
    { smartlinkId: 5 },
    { smartlinkId: [id] },
  ]) {
    const res = await api.delete('/smartlink', body);
    expect([res.status, res.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(res.body.error.details).toEqual([{ path: 'smartlinkId', message: expect.any(String) as string }]);
  }
  expect((await api.delete('/smartlink')).status).toBe(400);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Active');
});

test('twice, and of any unknown id, is 404 without details', async () => {
  const { id } = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  for (const smartlinkId of [id, 'x', id.toUpperCase(), 'a'.repeat(10_000), '\u0000', "' or 1=1"]) {
    const res = await api.delete('/smartlink', { smartlinkId });
    expect(res.status).toBe(404);
    expect(res.body.error).toEqual({ code: 'NOT_FOUND', message: 'Smartlink not found' });
  }
});

test('of ten deletes at once on two processes one succeeds', async () => {
  const { id } = await create();
  const apis = [api, caller(other.app, user.apiKey)];
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, i) => apis[i % 2]!.delete('/smartlink', { smartlinkId: id })),
  );
  expect(results.map((res) => res.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  const { rows } = await service.app.pg.query(
    `select count(*)::integer as count from audit_entries where smartlink_id = $1 and action = 'smartlink.delete'`,
    [id],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('PATCH and DELETE at once: the link ends Deleted and its tombstone is the newest snapshot', async () => {
  for (let i = 0; i < 10; i += 1) {
    const { id, slug } = await create();
    const [patched, deleted] = await Promise.all([
      caller(other.app, user.apiKey).patch('/smartlink', { id, configuration: { smartlinkName: 'late' } }),
      api.delete('/smartlink', { smartlinkId: id }),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(patched.status);
    expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Deleted');
    // What a request could not publish within its 150 ms the relay publishes.
    await untilPublished(service.app);
    const value = await service.app.redis.get(`${service.databases.redisKeyPrefix}link:${slug}`);
    expect(value).toContain('"status":"Deleted"');
  }
});

test('leaves nothing to write: PATCH is 404, and the link stays as it was deleted', async () => {
  const { id } = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  const deleted = (await api.get(`/smartlink?id=${id}`)).body.data;
  const patched = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'New' } });
  expect([patched.status, patched.body.error]).toEqual([
    404,
    { code: 'NOT_FOUND', message: 'Smartlink not found' },
  ]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toEqual(deleted);
});
