import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { until } from '@smartlink/test-support/until';
import type { Role } from '../src/accounts/roles.js';
import { addSession } from '../src/accounts/sessions.js';
import {
  caller,
  type Caller,
  callerWith,
  createPerson,
  createSmartlink,
  faultsOf,
  redisOf,
  sessionHeaders,
  signIn,
  startServiceOn,
  urlSmartlink,
  useSecondService,
  useService,
} from './start-service.js';

const { service, user, api: keyApi } = useService();
const second = useSecondService(service);

const pg = () => service.app.pg;
const tokenOfNone = () => randomBytes(32).toString('base64url');

async function signInAs(role: Role) {
  const person = await createPerson(service.app, { roles: { [user.userId]: role } });
  return { person, ...(await signIn(service.app, person, user.userId)) };
}

const validate = (api: Caller) => api.get('/validate');

describe('a session', () => {
  test('does what its role allows, and the audit log names the person', async () => {
    const { person, api } = await signInAs('Editor');
    const { id } = await createSmartlink(api);
    const { rows } = await pg().query('select actor from audit_entries where smartlink_id = $1', [id]);
    expect(rows).toEqual([{ actor: `session ${person.personId}` }]);
    expect((await keyApi.get(`/smartlink?id=${id}`)).status).toBe(200);
  });

  test.each<[Role, string, number, number]>([
    ['Viewer', 'Needs the role Editor', 200, 403],
    ['Editor', 'Needs the role Owner', 201, 403],
    ['Owner', '', 201, 200],
  ])('of a %s', async (role, reason, ...statuses) => {
    const { api } = await signInAs(role);
    const answers =
      role === 'Viewer'
        ? [await api.get('/smartlink?limit=1'), await api.post('/smartlink', urlSmartlink())]
        : [await api.post('/smartlink', urlSmartlink()), await api.get('/webhooks')];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const { status, body } of answers) {
      if (status === 403) {
        expect(body.error).toEqual({
          code: 'FORBIDDEN',
          message: 'You may not do this',
          details: [{ path: '', message: reason }],
        });
      }
    }
  });

  test('is ignored beside an Authorization header', async () => {
    const { token } = await signInAs('Viewer');
    const both = callerWith(service.app, {
      ...sessionHeaders(token),
      authorization: `Bearer ${user.apiKey}`,
    });
    expect((await both.post('/smartlink', urlSmartlink())).status).toBe(201);
    const bad = callerWith(service.app, { ...sessionHeaders(token), authorization: 'Bearer nothing' });
    expect((await validate(bad)).body.error.message).toBe('Invalid API key format');
  });

  test('of one account sees nothing of another', async () => {
    const other = await service.createUser();
    const { id } = await createSmartlink(caller(service.app, other.apiKey));
    const { api } = await signInAs('Owner');
    const unknown = await api.get('/smartlink?id=019aa5c4-c000-7000-8000-00000000dead');
    const foreign = await api.get(`/smartlink?id=${id}`);
    const withoutTime = (text: string) => text.replace(/"timestamp":"[^"]*"/, '');
    expect([foreign.status, withoutTime(foreign.text)]).toEqual([404, withoutTime(unknown.text)]);
    expect((await api.delete('/smartlink', { smartlinkId: id })).status).toBe(404);
  });

  test('without an account may do nothing in one', async () => {
    const person = await createPerson(service.app, { isOperator: true });
    const { api } = await signIn(service.app, person, null);
    const answers = [await api.get('/smartlink'), await api.post('/smartlink', urlSmartlink())];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  test('counts its requests for the person, not for the account', async () => {
    const { person, api } = await signInAs('Viewer');
    const res = await until(async () => {
      const answer = await validate(api);
      return answer.headers['ratelimit-remaining'] !== '600' && answer;
    }, 'a request is counted');
    expect(res.headers['ratelimit-limit']).toBe('600');
    const key = `${service.databases.redisKeyPrefix}usage:person:${person.personId}`;
    await redisOf(service.app).hset(key, 'requests', 600);
    await until(async () => (await validate(api)).status === 429, 'the person is refused');
    expect((await validate(keyApi)).status).toBe(200);
  });
});

describe('a session ends', () => {
  const days = (count: number) => `${count} days`;
  const expired = { status: 401, error: { code: 'UNAUTHORIZED', message: 'Session expired' } };
  const answerOf = async (api: Caller) => {
    const { status, body } = await validate(api);
    return status === 200 ? { status } : { status, error: body.error };
  };

  test.each([
    ['14 days after its last use', false, { seen: days(14), began: days(14) }, expired],
    ['30 days after it began', false, { seen: days(0), began: days(30) }, expired],
    ['not before', false, { seen: '13 days 23 hours', began: '29 days 23 hours' }, { status: 200 }],
    ['12 hours after the last use of an operator', true, { seen: '12 hours', began: '12 hours' }, expired],
    ['7 days after it began for an operator', true, { seen: days(0), began: days(7) }, expired],
    ['and not before for an operator', true, { seen: '11 hours', began: '167 hours' }, { status: 200 }],
  ])('%s', async (_when, isOperator, { seen, began }, expectation) => {
    const { person, token, api } = await signInAs('Viewer');
    // A person who becomes an operator has the shorter times at once.
    await pg().query('update people set is_operator = $2 where id = $1', [person.personId, isOperator]);
    await pg().query(
      `update sessions set created_at = created_at - $2::interval, ends_at = ends_at - $2::interval,
         last_seen_at = last_seen_at - $3::interval, idle_until = idle_until - $3::interval
       where person_id = $1`,
      [person.personId, began, seen],
    );
    expect(await answerOf(api)).toEqual(expectation);
    expect(service.logLines.join('')).not.toContain(token);
  });

  test('later when it is used', async () => {
    const { person, api } = await signInAs('Viewer');
    await pg().query(
      `update sessions set last_seen_at = now() - interval '13 days', idle_until = now() + interval '1 day'
       where person_id = $1`,
      [person.personId],
    );
    expect((await validate(api)).status).toBe(200);
    await until(async () => {
      const { rows } = await pg().query(
        `select from sessions where person_id = $1 and idle_until > now() + interval '13 days'
           and last_seen_at > now() - interval '1 minute'`,
        [person.personId],
      );
      return rows.length > 0;
    }, 'the use is noted');
  });

  test.each([
    ['its row is gone', 'delete from sessions where person_id = $1', 401],
    ['the person is disabled', 'update people set disabled_at = now() where id = $1', 401],
    ['the membership is removed', 'delete from memberships where person_id = $1', 403],
    ['the role is lower', `update memberships set role = 'Viewer' where person_id = $1`, 403],
  ])('or loses its rights at once, in every process, when %s', async (_why, change, status) => {
    const { person, token, api } = await signInAs('Editor');
    const others = callerWith(second.app, sessionHeaders(token));
    for (const each of [api, others])
      expect((await each.post('/smartlink', urlSmartlink())).status).toBe(201);
    await pg().query(change, [person.personId]);
    for (const each of [api, others])
      expect((await each.post('/smartlink', urlSmartlink())).status).toBe(status);
  });

  const DISABLE = 'update people set disabled_at = now() where id = $1';
  const [CREATE, UPLOAD] = [
    { url: '/api/v1/smartlink', type: 'application/json', body: JSON.stringify(urlSmartlink()) },
    { url: '/api/v1/imports', type: 'text/csv', body: 'url\nhttps://example.org/\n' },
  ];
  test.each([
    ['the role is lower', CREATE, `update memberships set role = 'Viewer' where person_id = $1`, 403],
    ['the person is disabled', CREATE, DISABLE, 401],
    ['another account is in use', CREATE, 'update sessions set user_id = null where person_id = $1', 403],
    ['the person is disabled during an upload', UPLOAD, DISABLE, 401],
  ])(
    'for a request whose body came a second later, too: %s',
    async (_why, { url, type, body }, change, status) => {
      const { person, token } = await signInAs('Editor');
      const now = performance.now.bind(performance);
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      // The request is admitted before its body is read.
      async function* lateBody() {
        await pg().query(change, [person.personId]);
        vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_000);
        yield Buffer.from(body);
      }
      const { statusCode } = await service.app.inject({
        method: 'POST',
        url,
        headers: { ...sessionHeaders(token), 'content-type': type },
        payload: Readable.from(lateBody()),
      });
      expect(statusCode).toBe(status);
    },
  );

  test.each(['', 'x', tokenOfNone(), `${tokenOfNone()}"`])('a cookie of %j is none', async (token) => {
    const { status, body, headers } = await validate(callerWith(service.app, sessionHeaders(token)));
    expect({ status, error: body.error }).toEqual(expired);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('unknown cookies are limited by client, and sessions are not', async () => {
    const from = { remoteAddress: '203.0.113.7' };
    const guess = (token: string) =>
      service.app.inject({ url: '/api/v1/validate', headers: sessionHeaders(token), ...from });
    const { token } = await signInAs('Viewer');
    expect((await guess(token)).statusCode).toBe(200);
    const answers = await Promise.all(Array.from({ length: 61 }, () => guess(tokenOfNone())));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(60);
    const refused = await guess(tokenOfNone());
    expect([refused.statusCode, refused.json().error.message]).toEqual([429, 'Too many unknown sessions']);
    expect((await guess(token)).statusCode).toBe(200);
  });
});

test('no session starts with a password that has changed since it was checked, or of a disabled person', async () => {
  const { personId } = await createPerson(service.app, { roles: { [user.userId]: 'Viewer' } });
  const start = (passwordHash: string | null) =>
    addSession(pg(), {
      personId,
      passwordHash,
      userId: user.userId,
      device: 'Firefox on Linux',
      country: null,
    });
  expect(await start(null)).not.toBeNull();
  await pg().query(`update people set password_hash = 'new' where id = $1`, [personId]);
  expect(await start(null)).toBeNull();
  expect(await start('new')).not.toBeNull();
  await pg().query('update people set disabled_at = now() where id = $1', [personId]);
  expect(await start('new')).toBeNull();
});

test('an operator sees no session that has ended after 12 hours', async () => {
  const { person, token } = await signInAs('Viewer');
  await pg().query(`update sessions set last_seen_at = now() - interval '12 hours' where person_id = $1`, [
    person.personId,
  ]);
  await pg().query('update people set is_operator = true where id = $1', [person.personId]);
  const { token: current } = await signIn(service.app, person, user.userId);
  const { body } = await callerWith(service.app, sessionHeaders(current), '/auth').get('/sessions');
  expect(body.data).toMatchObject([{ isCurrent: true }]);
  expect((await validate(callerWith(service.app, sessionHeaders(token)))).status).toBe(401);
});

test('nothing of a session is done without one', async () => {
  const calls: [keyof Omit<Caller, 'call'>, string][] = [
    ...(['patch', 'delete'] as const).map((method): ['patch' | 'delete', string] => [method, '/session']),
    ...(['get', 'delete'] as const).map((method): ['get' | 'delete', string] => [method, '/sessions']),
    ['post', '/confirm'],
    ['post', '/password'],
  ];
  for (const headers of [{}, sessionHeaders(tokenOfNone())]) {
    const guest = callerWith(service.app, { origin: 'http://localhost', ...headers }, '/auth');
    for (const [method, path] of calls) {
      const { status, body } = await guest[method](path);
      expect([path, status, body.error]).toEqual([
        path,
        401,
        { code: 'UNAUTHORIZED', message: 'Session expired' },
      ]);
    }
  }
});

test('an id of any length may be unknown', async () => {
  const { token } = await signInAs('Viewer');
  const me = callerWith(service.app, sessionHeaders(token), '/auth');
  const id = 'x'.repeat(10_000);
  expect((await me.patch('/session', { accountId: id })).status).toBe(404);
  expect((await me.delete('/sessions', { sessionId: id })).status).toBe(404);
  expect(faultsOf(await me.delete('/sessions', { sessionId: '' }))).toEqual(['sessionId']);
});

describe('a write by cookie', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await signInAs('Editor'));
  });

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost', 'sec-fetch-site': 'cross-site' }],
    [{}],
  ])('with %j creates nothing', async (headers) => {
    const count = async () => (await pg().query('select count(*) from smartlinks')).rows[0];
    const before = await count();
    const api = callerWith(service.app, { cookie: `smartlink_session=${token}`, ...headers });
    const res = await api.post('/smartlink', urlSmartlink());
    expect([res.status, res.body.error.code, faultsOf(res)]).toEqual([403, 'FORBIDDEN', ['']]);
    expect(await count()).toEqual(before);
  });

  test('needs the content type', async () => {
    const api = callerWith(service.app, sessionHeaders(token));
    const res = await api.post('/smartlink', urlSmartlink(), { 'content-type': 'text/plain' });
    expect(res.status).toBe(415);
  });
});

test('a change of a secret needs a confirmation within ten minutes, unless it is by key', async () => {
  const { person, api } = await signInAs('Owner');
  const { body } = await api.post('/webhooks', {
    url: 'https://example.org/hook',
    eventTypes: ['smartlink.unsafe'],
  });
  const rotate = (by: Caller) => by.post('/webhooks/rotate-secret', { id: body.data.id });
  expect((await rotate(api)).status).toBe(200);
  await pg().query(`update sessions set confirmed_at = now() - interval '10 minutes' where person_id = $1`, [
    person.personId,
  ]);
  const res = await rotate(api);
  expect([res.status, res.body.error]).toEqual([
    403,
    { code: 'CONFIRMATION_REQUIRED', message: 'Confirm that it is you' },
  ]);
  expect((await rotate(keyApi)).status).toBe(200);
});

test('without Postgres no one is signed out', async () => {
  const proxy = await startBreakableProxy(service.databases.databaseUrl);
  const { app } = await startServiceOn(service.databases, { DATABASE_URL: proxy.url });
  onTestFinished(async () => {
    await proxy.restore();
    await app.close();
    await proxy.close();
  });
  const { token } = await signInAs('Viewer');
  const api = callerWith(app, sessionHeaders(token));
  expect((await validate(api)).status).toBe(200);
  await proxy.kill();
  expect((await validate(api)).status).toBe(503);
  const about = await callerWith(app, sessionHeaders(token), '/auth').get('/session');
  expect([about.status, about.headers['set-cookie']]).toEqual([503, undefined]);
  await proxy.restore();
  await until(async () => (await validate(api)).status === 200, 'the session is found again');
});
