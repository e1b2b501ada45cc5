import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startServiceOn, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;
let apiKey: string;

beforeAll(async () => {
  ({
    service,
    user: { apiKey },
    api,
  } = await startServiceWithUser());
});
afterAll(() => service.close());

const create = (key: string, body: unknown, who = api) =>
  who.post('/smartlink', body, { 'idempotency-key': key });
const countSmartlinks = async () => ((await api.get('/smartlink')).body.data as unknown[]).length;

test('a repeated create is answered as the first, byte for byte, and makes nothing', async () => {
  const first = await create('same', urlSmartlink());
  const before = await countSmartlinks();
  const again = await create('same', { ...urlSmartlink(), unknown: 'ignored' });
  expect(first.status).toBe(201);
  expect(again.status).toBe(201);
  expect(again.text).toBe(first.text);
  expect(again.headers.location).toBe(first.headers.location);
  expect(again.headers.etag).toBe(first.headers.etag);
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(await countSmartlinks()).toBe(before);
});

test('the same key with another body is 409', async () => {
  await create('reused', urlSmartlink());
  const res = await create('reused', urlSmartlink({ smartlinkName: 'Other' }));
  expect(res.status).toBe(409);
  expect(res.body.error).toEqual({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key was used with another request',
  });
});

test('a password is part of the request, and is not to be had from what is kept', async () => {
  const body = (password: string) => urlSmartlink({}, { protected: true, password });
  const first = await create('secret', body('correct horse'));
  expect((await create('secret', body('correct horse'))).text).toBe(first.text);
  expect((await create('secret', body('battery staple'))).status).toBe(409);
  expect((await create('secret', urlSmartlink())).status).toBe(409);
});

test('a refusal for a taken slug is replayed, a refused body is not kept', async () => {
  await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'mine' }));
  const taken = await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }));
  expect(taken.status).toBe(409);
  expect((await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }))).text).toBe(taken.text);
  expect((await create('mended', urlSmartlink({ smartlinkName: '' }))).status).toBe(400);
  expect((await create('mended', urlSmartlink())).status).toBe(201);
});

test('a limit that was reached is replayed, and not asked again', async () => {
  const starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (const key of ['one', 'two', 'three'])
    expect((await create(key, urlSmartlink(), starter)).status).toBe(201);
  const refused = await create('four', urlSmartlink(), starter);
  expect(refused.body.error.code).toBe('SUBSCRIPTION_LIMIT_REACHED');
  expect((await create('four', urlSmartlink(), starter)).text).toBe(refused.text);
  // At the limit the first answers still stand.
  expect((await create('one', urlSmartlink(), starter)).status).toBe(201);
});

test('20 creates at once with one key on two processes make one link and get one answer', async () => {
  const { app } = await startServiceOn(service.databases);
  try {
    const other = caller(app, apiKey);
    const before = await countSmartlinks();
    const good = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create('at-once', urlSmartlink(), i % 2 === 0 ? api : other)),
    );
    expect(new Set(good.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(good[0]?.status).toBe(201);
    expect(await countSmartlinks()).toBe(before + 1);
  } finally {
    await app.close();
  }
});

test('a key belongs to its user', async () => {
  const stranger = caller(service.app, (await service.createUser()).apiKey);
  const mine = await create('shared', urlSmartlink());
  const theirs = await create('shared', urlSmartlink({ smartlinkName: 'Theirs' }), stranger);
  expect(theirs.status).toBe(201);
  expect(theirs.body.data.id).not.toBe(mine.body.data.id);
});

test('after 24 hours a key is new', async () => {
  const first = await create('old', urlSmartlink());
  await service.app.pg.query(
    `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'old'`,
  );
  const next = await create('old', urlSmartlink({ smartlinkName: 'Next day' }));
  expect(next.status).toBe(201);
  expect(next.body.data.id).not.toBe(first.body.data.id);
  expect((await create('old', urlSmartlink({ smartlinkName: 'Next day' }))).text).toBe(next.text);
});

test.each(['', 'a b', 'k'.repeat(256), 'ä'])('the key %j is a fault', async (key) => {
  const res = await create(key, urlSmartlink());
  expect(res.status).toBe(400);
  expect(res.body.error.details).toEqual([
    { path: 'Idempotency-Key', message: 'Must be given once, as 1 to 255 visible ASCII characters' },
  ]);
});

test('an API key is no Idempotency-Key, mistyped or not: it would be kept in clear', async () => {
  for (const key of [apiKey, apiKey.slice(0, -1)]) {
    const res = await create(key, urlSmartlink());
    expect([res.status, res.body.error.details]).toEqual([
      400,
      [{ path: 'Idempotency-Key', message: 'Must not be an API key' }],
    ]);
  }
});
