import { expect, test } from 'vitest';
import { findSnapshots } from '@smartlink/links/publish';
import { caller, createSmartlink, redisOf, urlSmartlink, useService } from './start-service.js';
import { publishedAtOnce } from './stored-state.js';

const { service, api } = useService();

const create = async () =>
  (await createSmartlink(api, urlSmartlink({}, {}, { openGraph: { title: 'T' } }))).data;

const publishedStatus = async (slug: string) =>
  (await findSnapshots(service.app.pg, [slug.toLowerCase()])).get(slug.toLowerCase())?.status;

test('pauses and activates: the answer is the smartlink with its new ETag, and so is the next fetch', async () => {
  const link = await create();
  const slug = link.configuration.smartlinkUrl;
  let etag = (await api.get(`/smartlink?id=${link.id}`)).headers.etag;
  let { updatedAt } = link;
  for (const status of ['Paused', 'Active', 'Paused']) {
    const res = await api.post('/smartlink/status', { id: link.id, status });
    const message = status === 'Paused' ? 'Smartlink paused' : 'Smartlink activated';
    expect([res.status, res.body.message]).toEqual([200, message]);
    expect(res.body.data).toEqual({ ...link, status, updatedAt: res.body.data.updatedAt });
    expect(res.body.data.updatedAt > updatedAt).toBe(true);
    expect(res.headers.etag).not.toBe(etag);
    const fetched = await api.get(`/smartlink?id=${link.id}`);
    expect([fetched.body.data, fetched.headers.etag]).toEqual([res.body.data, res.headers.etag]);
    expect(await publishedStatus(slug)).toBe(status);
    etag = res.headers.etag;
    ({ updatedAt } = res.body.data);
  }
  const { rows } = await service.app.pg.query(
    'select action, details from audit_entries where smartlink_id = $1 order by id',
    [link.id],
  );
  const actions = ['create', 'pause', 'activate', 'pause'].map((action) => `smartlink.${action}`);
  expect(rows.map((row: { action: string }) => row.action)).toEqual(actions);
});

test('a change of status is published before the API answers, under every address of the link', async () => {
  const { id, configuration } = await create();
  await api.patch('/smartlink', { id, configuration: { smartlinkUrl: `new${configuration.smartlinkUrl}` } });
  let status = 'Active';
  await publishedAtOnce(service.app, () => {
    status = status === 'Active' ? 'Paused' : 'Active';
    return api.post('/smartlink/status', { id, status });
  });
  const keys = [configuration.smartlinkUrl, `new${configuration.smartlinkUrl}`].map(
    (slug) => `${service.databases.redisKeyPrefix}link:${slug.toLowerCase()}`,
  );
  const kept = await redisOf(service.app).mget(keys);
  expect(kept.map((snapshot) => snapshot?.includes(`"status":"${status}"`))).toEqual([true, true]);
});

test('the status that it has changes nothing', async () => {
  const link = await create();
  const before = await api.get(`/smartlink?id=${link.id}`);
  const res = await api.post('/smartlink/status', { id: link.id, status: 'Active' });
  expect([res.status, res.body.data, res.headers.etag]).toEqual([200, before.body.data, before.headers.etag]);
});

test('no other status is accepted', async () => {
  const { id } = await create();
  expect((await api.post('/smartlink/status', { id, status: 'Deleted' })).status).toBe(400);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Active');
});

test('a paused link leaves the list, counts against the limit and can be changed and deleted', async () => {
  const starter = await service.createUser('Starter');
  const starterApi = caller(service.app, starter.apiKey);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    ids.push((await starterApi.post('/smartlink', urlSmartlink())).body.data.id as string);
  }
  const [id] = ids;
  await starterApi.post('/smartlink/status', { id, status: 'Paused' });
  const listed = async (query: string) =>
    (await starterApi.get(`/smartlink${query}`)).body.data.length as number;
  expect([await listed(''), await listed('?status=Paused'), await listed('?status=all')]).toEqual([2, 1, 3]);
  expect((await starterApi.post('/smartlink', urlSmartlink())).body.error.code).toBe(
    'SUBSCRIPTION_LIMIT_REACHED',
  );
  const patched = await starterApi.patch('/smartlink', { id, configuration: { smartlinkName: 'Renamed' } });
  expect([patched.status, patched.body.data.status]).toEqual([200, 'Paused']);
  expect((await starterApi.delete('/smartlink', { smartlinkId: id })).status).toBe(200);
  expect((await starterApi.post('/smartlink', urlSmartlink())).status).toBe(201);
});

test.each<[body: object, faults: Record<string, string>]>([
  [{}, { id: 'Required', status: 'Must be Active or Paused' }],
  [{ id: '', status: 'Paused' }, { id: 'Must not be empty' }],
  [{ id: 'x', status: 'paused' }, { status: 'Must be Active or Paused' }],
  [{ smartlinkId: 'x', status: 'Paused' }, { id: 'Required' }],
])('a status call with %j is refused', async (body, faults) => {
  const { status, body: answer } = await api.post('/smartlink/status', body);
  const details = Object.entries(faults).map(([path, message]) => ({ path, message }));
  expect([status, answer.error]).toMatchObject([400, { code: 'VALIDATION_FAILED', details }]);
});

test('a delete erases nothing: the smartlink leaves the list and can still be fetched, with its analytics', async () => {
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

test('a deleted smartlink cannot be changed or activated: both are 404, and it stays as it was deleted', async () => {
  const { id } = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  const deleted = (await api.get(`/smartlink?id=${id}`)).body.data;
  expect((await api.patch('/smartlink', { id, configuration: { smartlinkName: 'New' } })).status).toBe(404);
  expect((await api.post('/smartlink/status', { id, status: 'Active' })).status).toBe(404);
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toEqual(deleted);
});

test('a delete takes smartlinkId and not id; every fault is 400 at smartlinkId', async () => {
  const { id } = await create();
  for (const body of [{ id }, {}, ...['', null, 5, [id]].map((smartlinkId) => ({ smartlinkId }))]) {
    const res = await api.delete('/smartlink', body);
    expect([res.status, res.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(res.body.error.details).toEqual([{ path: 'smartlinkId', message: expect.any(String) as string }]);
  }
  expect((await api.delete('/smartlink')).status).toBe(400);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Active');
});
