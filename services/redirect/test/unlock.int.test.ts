import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { type RawResponse, request } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { createTryLimiter } from '../src/unlock/try-limiter.js';
import { SET_STATUS, SET_URL } from './link-store.js';
import { useTrial } from './serve.js';
import { type Redirect, startRedirect } from './start-redirect.js';

const TARGET = 'https://secret.example.org/place?a=1';
const COOKIE_SECRET = 'a secret of 32 bytes or more for tests only';
const PASSWORD = 'correct horse ü';
const PROCESSES = 2;
const TRIES_PER_MINUTE = 5;
// How soon an answer comes is shown elsewhere: here machines are busy, and each password takes one a while.
const PATIENT = { deadlineMs: 25_000 };

const trial = useTrial({ clickhouse: 'shared' }, [
  { slug: 'locked', url: TARGET, password: PASSWORD },
  { slug: 'locked2', url: TARGET, password: PASSWORD },
  { slug: 'open', url: TARGET },
]);
let redirect: Redirect;
let redisProxy: BreakableProxy;
let visitors = 0;

beforeAll(async () => {
  redisProxy = await startBreakableProxy(trial.databases.redisUrl);
  redirect = await startRedirect(
    { ...trial.databases, redisUrl: redisProxy.url },
    {
      // Every test is a visitor of its own: the limit counts by address.
      TRUSTED_PROXIES: '127.0.0.1',
      PUBLIC_BASE_URL: 'https://sl.example.com',
      COOKIE_SECRETS: COOKIE_SECRET,
      REDIRECT_PROCESSES: String(PROCESSES),
    },
  );
});

afterAll(async () => {
  await redirect.stop();
  await redisProxy.close();
});

const newVisitor = (): string => {
  visitors += 1;
  return `198.51.100.${visitors}`;
};

type Form = {
  slug?: string;
  body?: string;
  password?: string;
  visitor?: string;
  lines?: string[];
  type?: string;
};

async function post(form: Form): Promise<RawResponse> {
  const {
    slug = 'locked',
    visitor = newVisitor(),
    lines = [],
    type = 'application/x-www-form-urlencoded',
  } = form;
  const body = form.body ?? new URLSearchParams({ password: form.password ?? PASSWORD }).toString();
  const head = [
    `POST /${slug} HTTP/1.1`,
    'Host: sl.example.com',
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Forwarded-For: ${visitor}`,
    ...lines,
  ];
  return request(redirect.port, [...head, '', body], PATIENT);
}

const get = (slug: string, cookie = '') =>
  request(
    redirect.port,
    [`GET /${slug} HTTP/1.1`, 'Host: sl.example.com', ...(cookie === '' ? [] : [`Cookie: ${cookie}`])],
    PATIENT,
  );
const cookieOf = (response: RawResponse) => response.headers['set-cookie']?.split(';')[0] ?? '';
const saysNothing = (response: RawResponse) => {
  expect(JSON.stringify(response)).not.toContain('secret.example.org');
};

test('the form is shown and gives nothing away', async () => {
  const response = await get('locked?x=1');
  expect(response.status).toBe(200);
  expect(response.body).toContain('<form method="post">');
  expect(response.headers['content-security-policy']).toContain("form-action 'self' https: http:");
  expect(response.headers['cache-control']).toBe('private, no-store');
  saysNothing(response);
});

test('the right password leads back to the link, and the cookie from there to the target', async () => {
  const response = await post({ slug: 'q/LOCKED/?x=1&qr=1' });
  expect(response.status).toBe(303);
  expect(response.headers['location']).toBe('/q/LOCKED?x=1');
  expect(response.headers['set-cookie']).toMatch(
    /^__Host-unlock-[0-9a-f]{16}=\d{10}\.[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
  );
  saysNothing(response);
  const unlocked = await get('q/LOCKED?x=1', cookieOf(response));
  expect([unlocked.status, unlocked.headers['location']]).toEqual([302, `${TARGET}&x=1`]);
});

test.each(['wrong', '', 'x'.repeat(129), 'correct horse u', `${PASSWORD} `, '\0'])(
  'the password %j is wrong: 401 with the form and no cookie',
  async (password) => {
    const response = await post({ password });
    expect([response.status, response.headers['set-cookie']]).toEqual([401, undefined]);
    expect(response.body).toContain('Wrong password. Try again.');
    expect(response.body).not.toContain('x'.repeat(129));
    saysNothing(response);
  },
);

test('a password in the address is no password', async () => {
  expect((await get(`locked?password=${encodeURIComponent(PASSWORD)}`)).status).toBe(200);
  expect((await post({ slug: `locked?password=${encodeURIComponent(PASSWORD)}`, body: '' })).status).toBe(
    401,
  );
});

test.each([
  ['none', [], 303],
  ['our public one', ['Origin: https://sl.example.com'], 303],
  ['that of the Host that was asked', ['Origin: http://sl.example.com'], 303],
  ['a foreign one', ['Origin: https://evil.com'], 403],
  ['one that begins like ours', ['Origin: https://sl.example.com.evil.com'], 403],
  ['null', ['Origin: null'], 403],
])('Origin, %s', async (_title, lines, status) => {
  expect((await post({ lines })).status).toBe(status);
});

test.each([
  ['application/x-www-form-urlencoded; charset=utf-8', 303],
  ['Application/X-WWW-Form-URLEncoded', 303],
  ['application/json', 415],
  ['multipart/form-data; boundary=x', 415],
  ['text/plain', 415],
  ['', 415],
])('Content-Type %j is %s', async (type, status) => {
  expect((await post({ type })).status).toBe(status);
});

test('a body of more than 4 KiB is refused, announced or not', async () => {
  expect((await post({ body: `password=${'x'.repeat(5_000)}` })).status).toBe(413);
  const announced = await request(
    redirect.port,
    [
      'POST /locked HTTP/1.1',
      'Host: a',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 1000000',
    ],
    PATIENT,
  );
  expect([announced.status, announced.headers['connection']]).toEqual([413, 'close']);
});

test('a link that is not protected, paused, deleted or unknown', async () => {
  expect((await post({ slug: 'open' })).headers['location']).toBe('/open');
  expect((await post({ slug: 'open', body: 'a=b' })).status).toBe(405);
  expect((await post({ slug: 'unknown' })).status).toBe(404);
  const id = await trial.links.insert({ slug: 'going', url: TARGET, password: PASSWORD });
  expect((await post({ slug: 'going' })).status).toBe(303);
  await trial.links.update(id, SET_STATUS, 'Deleted');
  await trial.links.publish('going');
  await until(async () => (await post({ slug: 'going' })).status === 410, 'the link is gone');
});

test('a cookie of another link, and one from before a change of the password, show the form', async () => {
  const cookie = cookieOf(await post({ slug: 'locked2' }));
  expect((await get('locked2', cookie)).status).toBe(302);
  expect((await get('locked', cookie)).status).toBe(200);
  await trial.pool.query(
    `update smartlinks set password_version = password_version + 1, version = nextval('smartlink_version') where slug = 'locked2'`,
  );
  await trial.links.publish('locked2');
  await until(
    async () =>
      (await Promise.all(Array.from({ length: 20 }, () => get('locked2', cookie)))).every(
        ({ status }) => status === 200,
      ),
    'the cookie is void on every process',
  );
});

test('the target may change under an unlocked link', async () => {
  const id = await trial.links.insert({ slug: 'shifting', url: TARGET, password: PASSWORD });
  const cookie = cookieOf(await post({ slug: 'shifting' }));
  await trial.links.update(id, SET_URL, 'https://example.org/new');
  await trial.links.publish('shifting');
  await until(
    async () => (await get('shifting', cookie)).headers['location'] === 'https://example.org/new',
    'the new target is served',
  );
});

/** Posts the right password until the answer is 429: while Redis is slow, a process lets its own share through. */
const untilRefused = (visitor: string): Promise<RawResponse> =>
  until(async () => {
    const response = await post({ visitor });
    return response.status === 429 && response;
  }, 'the tries are used up');

test('40 tries at once from one client: a few are checked, the rest are told to wait', async () => {
  const visitor = newVisitor();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 40 }, () => post({ password: 'wrong', visitor })));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  process.stdout.write(`40 unlock tries at once over 2 processes: ${count(401)} checked\n`);
  expect(count(401)).toBeGreaterThanOrEqual(TRIES_PER_MINUTE);
  // While Redis takes a tenth of a second each process lets its own five through.
  expect(count(401)).toBeLessThanOrEqual(TRIES_PER_MINUTE * PROCESSES);
  expect(count(401) + count(429)).toBe(40);
  const refused = await untilRefused(visitor);
  // A minute from the first of them on.
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(
    59 - (performance.now() - startedAt) / 1_000,
  );
  expect(refused.body).toContain('Too many attempts.');
  expect((await post({ slug: 'locked2', visitor })).status).toBe(303);
  expect((await post({})).status).toBe(303);
});

test('one client’s tries at all links together have a bound, whose answer is a page of its own', async () => {
  const visitor = newVisitor();
  const limiter = createLimiter(trial.redis);
  const startedAt = performance.now();
  const verdicts: (string | null)[] = [];
  for (let i = 0; i < 60; i += 1) verdicts.push((await limiter.take(`link ${i}`, visitor)).reason);
  expect(new Set(verdicts)).toEqual(new Set([null]));
  expect(await limiter.take('one more', visitor)).toMatchObject({ reason: 'network' });
  const refused = await untilRefused(visitor);
  expect(refused.body).toContain('Too many requests came from your network.');
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(
    59 - (performance.now() - startedAt) / 1_000,
  );
  expect((await post({})).status).toBe(303);
});

const createLimiter = (redis: Redis) =>
  createTryLimiter({
    redis,
    keyPrefix: trial.databases.redisKeyPrefix,
    secret: COOKIE_SECRET,
    now: () => Date.now(),
  });

/** Connections without a time-out for their commands, so that no limiter ever counts alone. */
function connect(): readonly [Redis, Redis] {
  const connections = [new Redis(trial.databases.redisUrl), new Redis(trial.databases.redisUrl)] as const;
  onTestFinished(() => {
    for (const redis of connections) redis.disconnect();
  });
  return connections;
}

test('40 tries at once of one client over two connections: Redis lets 5 through', async () => {
  const limiters = connect().map(createLimiter);
  const takes = limiters.map(({ take }) => Array.from({ length: 20 }, () => take('link', '192.0.2.1')));
  const verdicts = await Promise.all(takes.flat());
  expect(verdicts.filter(({ reason }) => reason === null)).toHaveLength(TRIES_PER_MINUTE);
  expect(verdicts.filter(({ reason }) => reason === 'link')).toHaveLength(40 - TRIES_PER_MINUTE);
});

test('20 tries within the hour are counted in Redis, for a process that has seen none of them', async () => {
  const [redis] = connect();
  const client = '192.0.2.2';
  expect(await createLimiter(redis).take('hour', client)).toMatchObject({ reason: null });
  const [key] = await redis.keys(`${trial.databases.redisKeyPrefix}unlock:1:hour:*`);
  // The try above and 18 others, made 59 minutes ago: the 20th passes, the 21st does not.
  const times = Array.from({ length: 19 }, () => Date.now() - 59 * 60_000);
  await redis
    .multi()
    .del(key!)
    .lpush(key!, ...times)
    .exec();
  expect(await createLimiter(redis).take('hour', client)).toMatchObject({ reason: null });
  const refused = await createLimiter(redis).take('hour', client);
  expect(refused.reason).toBe('link');
  expect(refused.ms).toBeGreaterThan(30_000);
  expect(refused.ms).toBeLessThanOrEqual(60_000);
});

test('no address stands in Redis', async () => {
  const keys = await trial.redis.keys(`${trial.databases.redisKeyPrefix}unlock*`);
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((key) => key.includes('198.51.100'))).toEqual([]);
  // -1 would be a key for ever; one whose life ends just now is gone, -2.
  for (const key of keys) expect(await trial.redis.pttl(key)).not.toBe(-1);
});

test('without Redis each process counts for itself', async () => {
  await redisProxy.kill();
  const visitor = newVisitor();
  const responses = await Promise.all(Array.from({ length: 40 }, () => post({ password: 'wrong', visitor })));
  const checked = responses.filter(({ status }) => status === 401).length;
  process.stdout.write(`40 unlock tries without Redis over 2 processes: ${checked} checked\n`);
  expect(checked).toBeLessThanOrEqual(TRIES_PER_MINUTE * PROCESSES);
  expect(checked).toBeGreaterThanOrEqual(TRIES_PER_MINUTE);
});

test('no log line holds a password, a target or an address', () => {
  const text = JSON.stringify(redirect.log);
  for (const secret of [PASSWORD, 'secret.example.org', '198.51.100.', 'a secret for tests']) {
    expect(text).not.toContain(secret);
  }
});
