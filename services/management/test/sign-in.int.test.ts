import { describe, expect, onTestFinished, test } from 'vitest';
import { createToken, hashPassword, tokenDigest } from '@smartlink/smartlink/credentials';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import type { OneTimeLink } from '../src/accounts/people.js';
import type { Role } from '../src/accounts/roles.js';
import {
  type Caller,
  callerWith,
  createPerson,
  faultsOf,
  redisOf,
  sessionHeaders,
  signIn,
  startServiceOn,
  useService,
} from './start-service.js';

const { service, user } = useService({
  env: { TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' },
});

const PASSWORD = 'correct horse ü battery';
const passwordHash = hashPassword(PASSWORD);
const pg = () => service.app.pg;

let clients = 0;
/** A caller of /auth at an address of its own, so that limits of tests do not add up. */
function visitor(headers: Record<string, string> = {}, app = service.app): Caller {
  clients += 1;
  const address = `198.51.${Math.floor(clients / 250)}.${(clients % 250) + 1}`;
  return callerWith(app, { 'x-forwarded-for': address, origin: 'http://localhost', ...headers }, '/auth');
}

const tokenOf = ({ headers }: Awaited<ReturnType<Caller['get']>>) =>
  /^smartlink_session=([\w-]*);/.exec(String(headers['set-cookie']))?.[1] ?? '';

async function createMember(role: Role = 'Owner', hasPassword = true) {
  const person = await createPerson(service.app, { roles: { [user.userId]: role } });
  const hash = hasPassword ? await passwordHash : null;
  await pg().query('update people set password_hash = $2 where id = $1', [person.personId, hash]);
  return person;
}

async function createLink(link: Partial<OneTimeLink> & { email: string }, validFor = '15 minutes') {
  const token = createToken();
  const { purpose = 'sign-in', email, userId = null, role = null } = link;
  await pg().query(
    `insert into one_time_links (token_sha256, purpose, email, user_id, role, expires_at)
     values ($1, $2, $3, $4, $5, now() + $6::interval)`,
    [tokenDigest(token), purpose, email, userId, role, validFor],
  );
  return token;
}

const errorOf = ({ status, body }: Awaited<ReturnType<Caller['get']>>) => [
  status,
  body.error?.code,
  body.error?.message,
];
const GONE = [410, 'GONE', 'This link has been used or has expired'];

describe('signing in', () => {
  test('with e-mail and password starts a session, which is shown, changed and ended', async () => {
    const person = await createMember('Editor');
    const other = await service.createUser();
    await pg().query(`insert into memberships (user_id, person_id, role) values ($1, $2, 'Viewer')`, [
      other.userId,
      person.personId,
    ]);
    const res = await visitor({
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }).post('/session', { email: person.email.toUpperCase(), password: PASSWORD.normalize('NFD') });
    expect(errorOf(res)).toEqual([200, undefined, undefined]);
    const first = { id: user.userId, name: user.email, role: 'Editor' };
    const second = { id: other.userId, name: other.email, role: 'Viewer' };
    const about = {
      id: person.personId,
      email: person.email,
      language: 'en',
      isOperator: false,
      hasPassword: true,
    };
    expect(res.body.data).toEqual({ person: about, account: first, accounts: [first, second] });
    expect(String(res.headers['set-cookie'])).toMatch(
      /^smartlink_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    const token = tokenOf(res);
    const me = visitor(sessionHeaders(token));
    expect((await me.get('/session')).body.data).toEqual(res.body.data);
    expect((await me.patch('/session', { accountId: other.userId })).body.data.account).toEqual(second);
    expect((await me.patch('/session', { language: 'az' })).body.data).toMatchObject({
      person: { language: 'az' },
      account: second,
    });
    const faulty = [{}, { language: 'de' }, { accountId: '' }].map((body) => me.patch('/session', body));
    expect((await Promise.all(faulty)).map((res) => res.status)).toEqual([400, 400, 400]);
    const api = callerWith(service.app, sessionHeaders(token));
    expect((await api.get('/validate')).status).toBe(200);
    const [session] = (await me.get('/sessions')).body.data;
    expect(session).toMatchObject({ device: 'Firefox on Linux', isCurrent: true });
    const out = await me.delete('/session');
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      200,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await api.get('/validate')).status).toBe(401);
    const after = await me.get('/session');
    expect([after.status, after.body.data, tokenOf(after)]).toEqual([200, null, '']);
  });

  test.each([
    ['its address', { 'x-forwarded-for': '85.132.0.1' }, 'AZ'],
    ['a trusted proxy', { 'x-forwarded-for': '85.132.0.1', 'cf-ipcountry': 'DE' }, 'DE'],
    ['its address, if the proxy knows none', { 'x-forwarded-for': '85.132.0.1', 'cf-ipcountry': 'T1' }, 'AZ'],
    ['neither', { 'x-forwarded-for': '192.168.1.1' }, undefined],
  ])('a session has the country that is known by %s', async (_by, headers, country) => {
    const { email } = await createMember('Viewer');
    const res = await visitor(headers).post('/session', { email, password: PASSWORD });
    const [session] = (await visitor(sessionHeaders(tokenOf(res))).get('/sessions')).body.data;
    expect(session.country).toBe(country);
  });

  test('a client that is no trusted proxy names no country', async () => {
    const { email } = await createMember('Viewer');
    const res = await service.app.inject({
      method: 'POST',
      url: '/auth/session',
      remoteAddress: '8.8.8.8',
      headers: { origin: 'http://localhost', 'cf-ipcountry': 'DE' },
      payload: { email, password: PASSWORD },
    });
    const token = /^smartlink_session=([\w-]*);/.exec(String(res.headers['set-cookie']))?.[1] ?? '';
    const [session] = (await visitor(sessionHeaders(token)).get('/sessions')).body.data;
    expect(session.country).toBe('US');
  });

  test('answers a wrong password, an unknown e-mail, and a person without a password or disabled alike', async () => {
    const known = await createMember();
    const without = await createMember('Owner', false);
    const disabled = await createMember();
    await pg().query('update people set disabled_at = now() where id = $1', [disabled.personId]);
    const tries = [
      { email: known.email, password: 'wrong' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: without.email, password: PASSWORD },
      { email: disabled.email, password: PASSWORD },
    ];
    for (const body of tries) {
      const res = await visitor().post('/session', body);
      expect(errorOf(res)).toEqual([401, 'UNAUTHORIZED', 'Wrong e-mail or password']);
      expect(res.headers['set-cookie']).toBeUndefined();
    }
  });

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }, 'Needs the Origin of this service'],
    [
      'http of a host that is not loopback',
      { host: 'links.example.com', origin: 'http://127.0.0.1:3000' },
      'Set MANAGEMENT_BASE_URL to the https address of this service',
    ],
  ])('by %s is refused', async (_what, headers, reason) => {
    const person = await createMember();
    const res = await visitor(headers).post('/session', { email: person.email, password: PASSWORD });
    expect([res.status, res.body.error.details]).toEqual([403, [{ path: '', message: reason }]]);
  });

  test.each(['with', 'without'])('is limited after 5 failed tries a minute, %s Redis', async (how) => {
    const person = await createMember();
    const proxy = await startBreakableProxy(service.databases.redisUrl);
    const { app } = await startServiceOn(service.databases, {
      REDIS_URL: proxy.url,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    onTestFinished(async () => {
      await app.close();
      await proxy.close();
    });
    if (how === 'without') await proxy.kill();
    const guest = visitor({}, app);
    const attempt = (password: string, by = guest) => by.post('/session', { email: person.email, password });
    // Right ones do not count.
    for (let i = 0; i < 6; i += 1) expect((await attempt(PASSWORD)).status).toBe(200);
    const flood = await Promise.all(Array.from({ length: 12 }, () => attempt('wrong')));
    expect(flood.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
    const refused = await attempt(PASSWORD);
    expect(errorOf(refused)).toEqual([429, 'RATE_LIMITED', 'Too many tries']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await attempt(PASSWORD, visitor({}, app))).status).toBe(200);
    if (how === 'with') {
      const keys = await redisOf(service.app).keys('*sign-in*');
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.join()).not.toMatch(/@|198\.51/);
    }
  });

  test('is limited for the person, however the e-mail is spelt', async () => {
    const { personId } = await createMember();
    const email = `i-${createToken().toLowerCase()}@example.com`;
    await pg().query('update people set email = $2 where id = $1', [personId, email]);
    const guest = visitor();
    const spellings = [email, email.toUpperCase(), `I${email.slice(1)}`, `İ${email.slice(1)}`];
    const { rows } = await pg().query('select lower($1) = lower($2) as "isOne"', [email, spellings[3]]);
    const known = (rows as { isOne: boolean }[])[0]?.isOne === true ? spellings : spellings.slice(0, 3);
    const answers: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const body = { email: known[i % known.length], password: 'wrong' };
      answers.push((await guest.post('/session', body)).status);
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('takes bodies of 16 KiB at most, of JSON alone', async () => {
    const guest = visitor();
    expect((await guest.post('/session', { email: 'x'.repeat(16_384), password: 'x' })).status).toBe(413);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/session', '/link', '/link/check'])
      expect((await guest.post(path, 'email=a&password=b&token=c', form)).status).toBe(415);
    const faults = await guest.post('/session', { email: 'a\0', password: 7 });
    expect(faults.body.error.details).toEqual([
      { path: 'email', message: 'Must not contain NUL' },
      { path: 'password', message: 'Must be a string' },
    ]);
  });

  test('is limited to 30 failed tries a minute of a network, over all e-mails', async () => {
    const guest = visitor();
    const attempt = (i: number) => guest.post('/session', { email: `p${i}@example.com`, password: 'wrong' });
    const answers = [];
    for (let i = 0; i < 32; i += 1) answers.push((await attempt(i)).status);
    expect(answers.filter((status) => status === 401)).toHaveLength(30);
    expect(answers.at(-1)).toBe(429);
  });
});

describe('a one-time link', () => {
  test('signs in once, of 100 at the same time', async () => {
    const { email, personId } = await createMember();
    const token = await createLink({ email });
    expect((await visitor().post('/link/check', { token })).body.data).toEqual({
      purpose: 'sign-in',
      email,
      needsPassword: false,
      invitation: null,
    });
    const answers = await Promise.all(Array.from({ length: 100 }, () => visitor().post('/link', { token })));
    const winners = answers.filter(({ status }) => status === 200);
    expect([winners.length, answers.filter(({ status }) => status === 410).length]).toEqual([1, 99]);
    const api = callerWith(service.app, sessionHeaders(tokenOf(winners[0]!)));
    expect((await api.get('/validate')).status).toBe(200);
    const { rows } = await pg().query('select from sessions where person_id = $1', [personId]);
    expect(rows).toHaveLength(1);
  });

  test('that is used, expired, unknown or malformed is gone, with one answer', async () => {
    const { email } = await createMember();
    const used = await createLink({ email });
    expect((await visitor().post('/link', { token: used })).status).toBe(200);
    for (const token of [used, await createLink({ email }, '-1 second'), createToken(), 'x'])
      for (const path of ['/link', '/link/check'])
        expect(errorOf(await visitor().post(path, { token }))).toEqual(GONE);
  });

  test('sets a good password, which a fault leaves unused, and ends other sessions', async () => {
    const person = await createMember('Owner', false);
    const old = await signIn(service.app, person, user.userId);
    const token = await createLink({ email: person.email, purpose: 'setup' });
    const redeem = (password?: string) => visitor().post('/link', { token, password });
    const refused: [string | undefined, string][] = [
      [undefined, 'Required'],
      ['nine char', 'Must have 10 to 128 characters'],
      ['a'.repeat(129), 'Must have 10 to 128 characters'],
      ['Password123', 'Must not be a common password'],
      [person.email.toUpperCase(), 'Must not be the e-mail address'],
    ];
    for (const [password, message] of refused) {
      expect((await redeem(password)).body.error.details).toEqual([{ path: 'password', message }]);
    }
    expect((await redeem(PASSWORD)).status).toBe(200);
    expect((await old.api.get('/validate')).status).toBe(401);
    expect((await visitor().post('/session', { email: person.email, password: PASSWORD })).status).toBe(200);
  });

  test('that sets a password uses up the others of the person, and is in the audit log', async () => {
    const { personId, email } = await createMember();
    const stolen = await createLink({ email });
    await pg().query('update one_time_links set person_id = $2 where token_sha256 = $1', [
      tokenDigest(stolen),
      personId,
    ]);
    const token = await createLink({ email, purpose: 'reset' });
    const redeemed = await visitor().post('/link', { token, password: 'a longer and better one' });
    expect(redeemed.status).toBe(200);
    expect(errorOf(await visitor().post('/link', { token: stolen }))).toEqual(GONE);
    const me = visitor(sessionHeaders(tokenOf(redeemed)));
    await me.post('/password', { current: 'a longer and better one', next: PASSWORD });
    const { rows } = await pg().query(
      'select action, user_id, details from audit_entries where actor = $1 order by id',
      [`session ${personId}`],
    );
    expect(rows).toEqual([
      { action: 'person.sign-in', user_id: null, details: { purpose: 'reset' } },
      { action: 'person.password', user_id: null, details: {} },
    ]);
  });

  test('of an invitation makes a person and a member', async () => {
    const email = `new-${createToken()}@example.com`;
    const invitation = { purpose: 'invite', email, userId: user.userId, role: 'Viewer' } as const;
    const token = await createLink(invitation);
    expect((await visitor().post('/link/check', { token })).body.data.needsPassword).toBe(true);
    const res = await visitor().post('/link', { token, password: PASSWORD });
    expect(res.body.data).toMatchObject({
      person: { email },
      account: { id: user.userId, role: 'Viewer' },
    });
  });

  test('of an invitation does not sign in as a person who exists', async () => {
    const other = await service.createUser();
    const invite = (email: string) =>
      createLink({ purpose: 'invite', email, userId: other.userId, role: 'Viewer' });
    const person = await createMember();
    const token = await invite(person.email);
    expect(faultsOf(await visitor().post('/link', { token }))).toEqual(['password']);
    const guess = await visitor().post('/link', { token, password: 'another password' });
    expect(errorOf(guess)).toEqual([401, 'UNAUTHORIZED', 'Wrong password']);
    const { token: session } = await signIn(service.app, person, user.userId);
    const res = await visitor(sessionHeaders(session)).post('/link', { token });
    expect(res.body.data.account).toMatchObject({ id: other.userId, role: 'Viewer' });

    const without = await createMember('Owner', false);
    const stolen = await visitor().post('/link', { token: await invite(without.email), password: PASSWORD });
    expect(stolen.status).toBe(403);
    const { rows } = await pg().query('select password_hash from people where id = $1', [without.personId]);
    expect(rows).toEqual([{ password_hash: null }]);
  });

  test('is limited to 60 unknown ones a minute of a client', async () => {
    const guest = visitor();
    const answers = await Promise.all(
      Array.from({ length: 62 }, () => guest.post('/link/check', { token: createToken() })),
    );
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(60);
  });
});

describe('a signed-in person', () => {
  test('confirms by the password', async () => {
    const person = await createMember();
    const { token } = await signIn(service.app, person, user.userId);
    await pg().query(`update sessions set confirmed_at = now() - interval '1 hour' where person_id = $1`, [
      person.personId,
    ]);
    const me = visitor(sessionHeaders(token));
    expect(errorOf(await me.post('/confirm', { password: 'wrong' }))).toEqual([
      401,
      'UNAUTHORIZED',
      'Wrong password',
    ]);
    const { until } = (await me.post('/confirm', { password: PASSWORD })).body.data;
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(590_000);
  });

  test('changes the password, which replaces every session', async () => {
    const person = await createMember();
    const { token } = await signIn(service.app, person, user.userId);
    const elsewhere = await signIn(service.app, person, user.userId);
    const me = visitor(sessionHeaders(token));
    const next = 'a longer and better one';
    expect(errorOf(await me.post('/password', { current: 'wrong', next }))[2]).toBe('Wrong password');
    expect(faultsOf(await me.post('/password', { current: PASSWORD, next: 'short' }))).toEqual(['next']);
    const changed = await me.post('/password', { current: PASSWORD, next });
    expect(changed.status).toBe(200);
    for (const api of [me, callerWith(service.app, sessionHeaders(elsewhere.token), '/auth')])
      expect((await api.get('/session')).body.data).toBeNull();
    const renewed = visitor(sessionHeaders(tokenOf(changed)));
    expect((await renewed.get('/session')).body.data.person.id).toBe(person.personId);
  });

  test('sees and ends own sessions, and no others', async () => {
    const person = await createMember();
    const [mine, elsewhere, last] = [
      await signIn(service.app, person, user.userId),
      await signIn(service.app, person, user.userId),
      await signIn(service.app, person, user.userId),
    ];
    const stranger = await createMember();
    const theirs = await signIn(service.app, stranger, user.userId);
    const me = visitor(sessionHeaders(mine.token));
    const [{ id: foreign }] = (await visitor(sessionHeaders(theirs.token)).get('/sessions')).body.data;
    for (const sessionId of [foreign, 'x', '019aa5c4-c000-7000-8000-00000000dead'])
      expect(errorOf(await me.delete('/sessions', { sessionId }))).toEqual([
        404,
        'NOT_FOUND',
        'Session not found',
      ]);
    expect((await theirs.api.get('/validate')).status).toBe(200);
    const sessions = (await me.get('/sessions')).body.data as { id: string; isCurrent: boolean }[];
    expect(sessions).toHaveLength(3);
    const { id: sessionId } = sessions.find(({ isCurrent }) => !isCurrent)!;
    expect((await me.delete('/sessions', { sessionId })).status).toBe(200);
    expect((await me.delete('/sessions', { others: true })).status).toBe(200);
    for (const { api } of [elsewhere, last]) expect((await api.get('/validate')).status).toBe(401);
    expect((await mine.api.get('/validate')).status).toBe(200);
    const away = await me.patch('/session', { accountId: (await service.createUser()).userId });
    expect(errorOf(away)).toEqual([404, 'NOT_FOUND', 'Account not found']);
  });
});

test('setup is needed until someone has signed in', async () => {
  const { app } = service;
  await app.pg.query('delete from audit_entries');
  const needed = async () => (await visitor().get('/setup')).body.data.needed as boolean;
  await app.pg.query('delete from sessions');
  await app.pg.query('update people set password_hash = null');
  expect(await needed()).toBe(true);
  const { email } = await createMember('Owner', false);
  const signedIn = await visitor().post('/link', { token: await createLink({ email }) });
  await visitor(sessionHeaders(tokenOf(signedIn))).delete('/session');
  expect(await needed()).toBe(false);
});

test('no token and no password is in a log line', () => {
  const lines = service.logLines.join('');
  expect(lines).not.toContain(PASSWORD);
  expect(lines).not.toMatch(/smartlink_session|[\w-]{43}/);
});
