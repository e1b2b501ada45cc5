import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { createScriptedProvider } from './recheck-fixtures.js';
import { caller, type Caller, faultsOf, urlSmartlink, useService } from './start-service.js';

// The order of checks. Each test breaks two rules at once and expects the first one in the answer.

let starter: Caller;
let id: string;
const provider = createScriptedProvider();
const { unsafe } = provider;

const BAD = 'https://bad.example.org/';
const BROKEN = '{"configuration":';

const { service, api } = useService({ urlSafety: provider });
beforeAll(async () => {
  starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (let i = 0; i < 3; i += 1) await starter.post('/smartlink', urlSmartlink());
  id = (await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'taken' }))).body.data.id as string;
});
beforeEach(() => {
  unsafe.clear();
});

type Answer = Awaited<ReturnType<Caller['get']>>;
const told = ({ status, body }: Answer): [number, string] => [status, body.error.code as string];

/** Every kind of request that a later check would refuse. */
const refusable: readonly ((by: Caller) => Promise<Answer>)[] = [
  (by) => by.get('/nothing'),
  (by) => by.call('PUT', '/smartlink'),
  (by) => by.post('/smartlink', 'x', { 'content-type': 'text/plain' }),
  (by) => by.post('/smartlink', BROKEN),
  (by) => by.post('/smartlink', {}),
  (by) => by.get('/smartlink?id='),
];

test('the key comes before everything else', async () => {
  const nobody = caller(service.app, 'none');
  for (const answer of await Promise.all(refusable.map((refused) => refused(nobody))))
    expect(told(answer)).toEqual([401, 'UNAUTHORIZED']);
});

test('the rate limit comes before routing, JSON and schema', async () => {
  await service.app.pg.query(`insert into plans values ('One a minute', null, 1, null, true)`);
  const slow = caller(service.app, (await service.createUser('One a minute')).apiKey);
  expect((await slow.get('/validate')).status).toBe(200);
  // While Redis takes longer than 100 ms nothing is counted, and a new minute begins with one that passes.
  await until(async () => (await slow.get('/validate')).status === 429, 'the limit is reached');
  for (const refused of refusable) {
    const answer = await until(
      async () => {
        const found = await refused(slow);
        return found.status === 429 && found;
      },
      `the limit comes before ${String(refused)}`,
    );
    expect(told(answer)).toEqual([429, 'RATE_LIMITED']);
  }
});

test('routing comes before JSON', async () => {
  for (const [body, headers] of [
    [BROKEN, {}],
    ['x', { 'content-type': 'text/plain' }],
  ] as const) {
    expect(told(await api.post('/nothing', body, headers))).toEqual([404, 'NOT_FOUND']);
    expect(told(await api.call('PUT', '/smartlink', body, headers))).toEqual([405, 'METHOD_NOT_ALLOWED']);
  }
});

test('JSON comes before the schema', async () => {
  const res = await api.post('/smartlink', '{"configuration":5,"constructor":1}');
  expect([res.status, faultsOf(res)]).toEqual([400, ['']]);
});

describe('a create', () => {
  const create = (by: Caller, configuration: object, shortener: object, key?: string) =>
    by.post(
      '/smartlink',
      urlSmartlink(configuration, shortener),
      key === undefined ? {} : { 'idempotency-key': key },
    );

  test('the schema comes before the replay', async () => {
    await create(api, {}, {}, 'schema');
    expect(told(await create(api, { smartlinkName: '' }, {}, 'schema'))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('the replay comes before plan, URL safety and uniqueness', async () => {
    const other = caller(service.app, (await service.createUser('Starter')).apiKey);
    const first = await create(other, { smartlinkUrl: 'replayed' }, { url: BAD }, 'replay');
    expect(first.status).toBe(201);
    for (let i = 0; i < 2; i += 1) await create(other, {}, {});
    unsafe.add(BAD);
    const again = await create(other, { smartlinkUrl: 'replayed' }, { url: BAD }, 'replay');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(told(await create(other, {}, {}, 'replay'))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('the schema comes before the plan, and the plan before URL safety and uniqueness', async () => {
    unsafe.add(BAD);
    expect(told(await create(starter, { smartlinkUrl: 'a-b' }, {}))).toEqual([400, 'VALIDATION_FAILED']);
    expect(told(await create(starter, { smartlinkUrl: 'taken' }, { url: BAD }))).toEqual([
      403,
      'SUBSCRIPTION_LIMIT_REACHED',
    ]);
  });

  test('URL safety comes before uniqueness', async () => {
    unsafe.add(BAD);
    expect(told(await create(api, { smartlinkUrl: 'taken' }, { url: BAD }))).toEqual([422, 'UNSAFE_URL']);
    expect(told(await create(api, { smartlinkUrl: 'taken' }, {}))).toEqual([409, 'SMARTLINK_URL_TAKEN']);
  });
});

describe('a PATCH', () => {
  test('ownership comes before the merged document', async () => {
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    expect(told(await stranger.patch('/smartlink', { id, shortener: { url: 'x' } }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  test('the merged document comes before URL safety, and that before uniqueness', async () => {
    unsafe.add(BAD);
    const own = (await api.post('/smartlink', urlSmartlink())).body.data.id as string;
    const patch = (smartlinkUrl: string, shortener: object) =>
      api.patch('/smartlink', { id: own, configuration: { smartlinkUrl }, shortener });
    expect(told(await patch('a-b', { url: BAD }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(told(await patch('taken', { url: BAD }))).toEqual([422, 'UNSAFE_URL']);
    expect(told(await patch('taken', {}))).toEqual([409, 'SMARTLINK_URL_TAKEN']);
  });
});
