import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { createScriptedProvider } from './recheck-fixtures.js';
import {
  addKey,
  caller,
  type Caller,
  callerWith,
  createPerson,
  faultsOf,
  sessionHeaders,
  signIn,
  urlSmartlink,
  useService,
} from './start-service.js';

// The order of checks. Each test breaks two rules at once and expects the first one in the answer.

let starter: Caller;
let id: string;
const provider = createScriptedProvider();
const { unsafe } = provider;

const BAD = 'https://bad.example.org/';
const BROKEN = '{"configuration":';

const { service, user, api } = useService({ urlSafety: provider });
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

const reasonOf = ({ status, body }: Answer) => [status, body.error.code, body.error.message];

test('authentication comes before the check of the site, and that before the rate limit and routing', async () => {
  const person = await createPerson(service.app, { roles: { [user.userId]: 'Owner' } });
  const { token } = await signIn(service.app, person, user.userId);
  const from = (cookie: string) => {
    const headers = { ...sessionHeaders(cookie), origin: 'https://evil.example' };
    return callerWith(service.app, headers).post('/nothing', 'x', { 'content-type': 'text/plain' });
  };
  expect(reasonOf(await from('x'))).toEqual([401, 'UNAUTHORIZED', 'Session expired']);
  const refused = await from(token);
  expect(reasonOf(refused)).toEqual([403, 'FORBIDDEN', 'Cross-site request']);
  expect(refused.headers['ratelimit-limit']).toBeUndefined();
});

test('scope and role come after routing and the content type, and before JSON', async () => {
  const apiKey = await addKey(service.app, user.userId);
  await service.app.pg.query(`update api_keys set scopes = '{links:read}' where display_prefix = $1`, [
    apiKey.slice(0, 17),
  ]);
  const viewer = await createPerson(service.app, { roles: { [user.userId]: 'Viewer' } });
  const { api: session } = await signIn(service.app, viewer, user.userId);
  for (const by of [caller(service.app, apiKey), session]) {
    expect(told(await by.post('/nothing', BROKEN))).toEqual([404, 'NOT_FOUND']);
    const text = await by.post('/smartlink', 'x', { 'content-type': 'text/plain' });
    expect(told(text)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(told(await by.post('/smartlink', BROKEN))).toEqual([403, 'FORBIDDEN']);
  }
});

test('the confirmation comes after the role and before JSON and schema, of every route that needs one', async () => {
  const sessionOf = async (role: 'Owner' | 'Editor') => {
    const roles = { [user.userId]: role };
    const person = await createPerson(service.app, { roles, isOperator: role === 'Owner' });
    const { api: session } = await signIn(service.app, person, user.userId);
    await service.app.pg.query(`update sessions set confirmed_at = 'epoch' where person_id = $1`, [
      person.personId,
    ]);
    return session;
  };
  const [owner, editor] = [await sessionOf('Owner'), await sessionOf('Editor')];
  const routes = service.app.apiRoutes.filter(({ access }) => access?.isConfirmed);
  expect(routes.map(({ method, path }) => `${method} ${path.slice('/api/v1'.length)}`).sort()).toEqual([
    'DELETE /keys',
    'DELETE /members',
    'PATCH /admin/accounts',
    'PATCH /admin/people',
    'PATCH /keys',
    'PATCH /members',
    'POST /admin/accounts',
    'POST /admin/people',
    'POST /keys',
    'POST /keys/rotate',
    'POST /members',
    'POST /webhooks/rotate-secret',
  ]);
  for (const { method, path } of routes) {
    const call = (by: Caller, body: unknown) => by.call(method, path.slice('/api/v1'.length), body);
    expect([path, ...told(await call(editor, BROKEN))]).toEqual([path, 403, 'FORBIDDEN']);
    for (const body of [BROKEN, {}])
      expect([path, ...told(await call(owner, body))]).toEqual([path, 403, 'CONFIRMATION_REQUIRED']);
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
