import { randomUUID } from 'node:crypto';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishedAtOnce } from './published-at-once.js';
import { caller, redisOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

async function create() {
  const { body } = await api.post('/smartlink', urlSmartlink({}, {}, { openGraph: { title: 'T' } }));
  return body.data as { id: string; updatedAt: string; configuration: { smartlinkUrl: string } };
}

const publishedStatus = async (slug: string) =>
  (await findSnapshots(service.app.pg, [slug.toLowerCase()])).get(slug.toLowerCase())?.status;

test('pauses and activates: the answer is the smartlink with its new ETag, and so is the next fetch', async () => {
  const link = await create();
  const slug = link.configuration.smartlinkUrl;
  let etag = (await api.get(`/smartlink?id=${link.id}`)).headers.etag;
  let { updatedAt } = link;
  for (const status of ['Paused', 'Active', 'Paused']) {
    const res = await api.post('/smartlink/status', { id: link.id, status });
    expect([res.status, res.body.message]).toEqual([
      200,
      status === 'Paused' ? 'Smartlink paused' : 'Smartlink activated',
    ]);
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
  expect(rows.map((row: { action: string }) => row.action)).toEqual([
    'smartlink.create',
    'smartlink.pause',
    'smartlink.activate',
    'smartlink.pause',
  ]);
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

test.each([
  [
    'nothing',
    {},
    [
      ['id', 'Required'],
      ['status', 'Must be Active or Paused'],
    ],
  ],
  ['an empty id', { id: '', status: 'Paused' }, [['id', 'Must not be empty']]],
  [
    'Deleted, which DELETE alone makes',
    { id: 'x', status: 'Deleted' },
    [['status', 'Must be Active or Paused']],
  ],
  ['another spelling', { id: 'x', status: 'paused' }, [['status', 'Must be Active or Paused']]],
  ['smartlinkId', { smartlinkId: 'x', status: 'Paused' }, [['id', 'Required']]],
  ['an array', [], [['', 'Must be an object']]],
])('%s is refused', async (_name, body, details) => {
  const { status, body: answer } = await api.post('/smartlink/status', body);
  expect([status, answer.error]).toEqual([
    400,
    {
      code: 'VALIDATION_FAILED',
      message: 'Request validation failed',
      details: details.map(([path, message]) => ({ path, message })),
    },
  ]);
});

test('an unknown, foreign or deleted link is 404', async () => {
  const { id } = await create();
  await api.delete('/smartlink', { smartlinkId: id });
  const foreign = caller(service.app, (await service.createUser()).apiKey);
  const own = await create();
  for (const res of [
    await api.post('/smartlink/status', { id, status: 'Active' }),
    await api.post('/smartlink/status', { id: randomUUID(), status: 'Active' }),
    await api.post('/smartlink/status', { id: 'ß', status: 'Active' }),
    await foreign.post('/smartlink/status', { id: own.id, status: 'Paused' }),
  ]) {
    expect([res.status, res.body.error]).toEqual([
      404,
      { code: 'NOT_FOUND', message: 'Smartlink not found' },
    ]);
  }
  expect((await api.get(`/smartlink?id=${own.id}`)).body.data.status).toBe('Active');
});
