import { createHash, createHmac } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type RawResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { SET_STATUS } from './link-store.js';
import { serve } from './serve.js';
import { PAYLOADS } from './xss-payloads.js';

const TARGET = 'https://secret.example.org/place';
const COOKIE_SECRET = 'a secret of 32 bytes or more for tests only';
const PASSWORD = 'correct horse';
const FORM = 'application/x-www-form-urlencoded';
const MINUTE_TRIES = 5;
// How soon an answer comes is shown elsewhere: here machines are busy, and each password takes one a while.
const PATIENT = { deadlineMs: 25_000 };

const { trial, redirect } = serve(
  {
    REDIRECT_PROCESSES: '2',
    // 192.0.2.1 is no proxy of ours, 127.0.0.1 and 10.0.0.0/8 are.
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    COOKIE_SECRETS: COOKIE_SECRET,
  },
  {
    links: [
      { slug: 'other', url: TARGET, password: PASSWORD },
      { slug: 'open', url: 'https://example.org/' },
    ],
  },
);
let lockedId: string;
let visitors = 0;

beforeAll(async () => {
  lockedId = await trial.links.insert({ slug: 'locked', url: TARGET, password: PASSWORD });
});

const newVisitor = () => `198.51.${100 + Math.floor((visitors += 1) / 250)}.${visitors % 250}`;

async function post(slug: string, body: string, ...lines: string[]): Promise<RawResponse> {
  const has = (name: string) => lines.some((line) => line.startsWith(name));
  const whole = [
    `POST /${slug} HTTP/1.1`,
    ...(has('Host') ? [] : ['Host: sl.example.com']),
    ...(has('Content-Type') ? [] : [`Content-Type: ${FORM}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(has('X-Forwarded-For') ? [] : [`X-Forwarded-For: ${newVisitor()}`]),
    ...lines,
    '',
    body,
  ];
  return request(redirect.port, whole, PATIENT);
}
const tryPassword = (slug: string, password: string, ...lines: string[]) =>
  post(slug, new URLSearchParams({ password }).toString(), ...lines);
const get = (slug: string, cookie: string) =>
  request(redirect.port, [`GET /${slug} HTTP/1.1`, 'Host: a', `Cookie: ${cookie}`], PATIENT);
const cookieOf = ({ headers }: RawResponse) => headers['set-cookie']?.split(';')[0] ?? '';

test('a cookie that ran out, of another secret, link, version or name, and many at once, do not unlock', async () => {
  const now = Math.floor(Date.now() / 1000);
  const name = `unlock-${createHash('sha256').update(lockedId).digest('hex').slice(0, 16)}`;
  const make = (secret: string, id: string, version: number | string, expiry: number) =>
    `${expiry}.${createHmac('sha256', secret).update(`unlock\n${id}\n${version}\n${expiry}`).digest('base64url')}`;
  expect((await get('locked', `${name}=${make(COOKIE_SECRET, lockedId, 1, now + 60)}`)).status).toBe(302);
  const cookies = [
    `${name}=${make(COOKIE_SECRET, lockedId, 1, now - 1)}`,
    `${name}=${make('another secret of ours', lockedId, 1, now + 60)}`,
    `${name}=${make(COOKIE_SECRET, lockedId, 2, now + 60)}`,
    `${name}=${make(COOKIE_SECRET, lockedId, 0, now + 60)}`,
    `${name}=${make(COOKIE_SECRET, 'other', 1, now + 60)}`,
    `__Host-${name}=${make(COOKIE_SECRET, lockedId, 1, now + 60)}`,
    `${name.toUpperCase()}=${make(COOKIE_SECRET, lockedId, 1, now + 60)}`,
    `${name}=;`.repeat(500),
    cookieOf(await tryPassword('other', PASSWORD)),
  ];
  for (const cookie of cookies) {
    const { status, body } = await get('locked', cookie);
    expect(status).toBe(200);
    expect(body).not.toContain('secret.example.org');
  }
});

test('whatever is sent as a form, nobody is let in, told or shown anything of it', async () => {
  const bodies = [
    ...'password password= = & Password=correct+horse password[]=correct+horse {"password":"x"}'.split(' '),
    ...'password=x&password=correct+horse password=% password=%ff%fe a=b __proto__=x'.split(' '),
    ...'password=correct%20horse%00 password=correct%20hors%65%20 \ufeffpassword=correct+horse'.split(' '),
    ...['', ' password=correct+horse', `password=${'x'.repeat(129)}`],
    ...[`password=${'%00'.repeat(100)}`, `password=${'%F0%9F%98%80'.repeat(129)}`],
  ];
  const page = (await post('locked', 'password=wrong')).body;
  for (const body of bodies) {
    const answer = await post('locked', body);
    expect([body, answer.status, answer.headers['set-cookie']]).toEqual([body, 401, undefined]);
    expect(answer.body).toBe(page);
  }
  // Too many for one place at argon2, and none of them need come to it: the page is the same, byte for byte.
  const payloads = PAYLOADS.filter((_, i) => i % 8 === 0);
  while (payloads.length > 0) {
    const answers = await Promise.all(payloads.splice(0, 4).map((payload) => tryPassword('locked', payload)));
    for (const { body } of answers) expect(body).toBe(page);
  }
}, 180_000);

test('a megabyte, announced, in chunks or never ending, is refused without being kept', async () => {
  const head = `POST /locked HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\n`;
  const megabyte = 'x'.repeat(1_048_576);
  const chunks = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(16);
  const answers = await Promise.all([
    sendRaw(redirect.port, `${head}Content-Length: 1048576\r\n\r\n${megabyte}`, PATIENT),
    sendRaw(redirect.port, `${head}Content-Length: 4097\r\n\r\n${'x'.repeat(4_097)}`, PATIENT),
    sendRaw(redirect.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    sendRaw(redirect.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`),
    sendRaw(redirect.port, `${head}Content-Length: 99999999999999999999\r\n\r\n`),
    sendRaw(redirect.port, `${head}Content-Length: -1\r\n\r\npassword=x`),
  ]);
  // What uWebSockets.js itself refuses, or closes with bytes unread, has no answer or another one.
  for (const answer of answers) expect(answer).not.toMatch(/^HTTP\/1\.1 (?:200|30\d|401|5(?!05))/);
  expect(answers.slice(0, 2).map((answer) => answer.slice(9, 12))).toEqual(['413', '413']);
  expect((await get('open', '')).status).toBe(302);
});

// Who is meant by the headers of a try: of one client the sixth in a minute is refused, of another one the first is not.
test.each<[title: string, lines: (try_: number) => string[], isOneClient: boolean]>([
  ['one hop', () => ['192.0.2.10'], true],
  ['each another hop', (i) => [`192.0.2.${20 + i}`], false],
  ['a forged left part', (i) => [`203.0.113.${i}, 192.0.2.11`], true],
  ['a forged line above', (i) => [`203.0.113.${i}`, '192.0.2.12'], true],
  ['trusted proxies on the right', (i) => [`203.0.113.${i}, 192.0.2.13, 10.0.0.${i}`], true],
  ['a hop behind trusted proxies', (i) => [`192.0.2.${40 + i}, 10.0.0.1, 10.0.0.2`], false],
  ['an untrusted proxy on the right', (i) => [`203.0.113.${i}, 10.0.0.1, 192.0.2.14`], true],
  ['ports that change', (i) => [`192.0.2.15:${4_000 + i}`], true],
  ['IPv6 of one network', (i) => [`2001:db8:1:1::${i}`], true],
  ['IPv6 of one network in brackets', (i) => [`[2001:db8:1:2::${i}]:${i + 1}`], true],
  ['IPv6 of other networks', (i) => [`2001:db8:2:${i}::1`], false],
  ['IPv4 mapped, then plain', (i) => [i % 2 === 0 ? '::ffff:192.0.2.16' : '192.0.2.16'], true],
  ['IPv4 mapped in hexadecimal, then plain', (i) => [i % 2 === 0 ? '::ffff:c000:213' : '192.0.2.19'], true],
  ['IPv4 of others, mapped in hexadecimal', (i) => [`::FFFF:c000:25${i}`], false],
  ['IPv4 of others, mapped with every zero', (i) => [`0:0:0:0:0:ffff:192.0.2.${90 + i}`], false],
  ['upper and lower case', (i) => [i % 2 === 0 ? '2001:DB8:3:A::1' : '2001:db8:3:a::1'], true],
  ['written long and short', (i) => [i % 2 === 0 ? '2001:db8:4::1' : '2001:0db8:0004:0:0:0:0:1'], true],
  ['spaces and tabs', (i) => [`${' '.repeat(i)}192.0.2.17${'\t'.repeat(i)}`], true],
  ['empty parts', (i) => [`192.0.2.${60 + i},`], true],
  ['rubbish on the right', (i) => [`192.0.2.${70 + i}, unknown`], true],
  ['a chain longer than any', (i) => [`203.0.113.${i}, ${'10.0.0.1, '.repeat(40)}10.0.0.2`], true],
  [
    'Forwarded, X-Real-IP and others are no header of ours',
    (i) => ['192.0.2.18', `192.0.2.18\r\nForwarded: for=203.0.113.${i}\r\nX-Real-IP: 203.0.113.${i}`],
    true,
  ],
  ['octal and hexadecimal are no addresses', (i) => [`0300.0.2.${i}`, `0xc0.0.2.${i}`], true],
])('X-Forwarded-For, %s', async (title, lines, isOneClient) => {
  // Each case has a link of its own, so that clients which several of them share count anew.
  const slug = `case${createHash('sha256').update(title).digest('hex').slice(0, 12)}`;
  await trial.links.insert({ slug, url: TARGET, password: PASSWORD });
  const statuses: number[] = [];
  for (let i = 0; i <= MINUTE_TRIES; i += 1) {
    statuses.push(
      (await tryPassword(slug, 'wrong', ...lines(i).map((line) => `X-Forwarded-For: ${line}`))).status,
    );
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, isOneClient ? 429 : 401]);
});

test('a link that is deleted, opened or paused while its form is open lets nobody in by its password', async () => {
  const insert = async (slug: string) => trial.links.insert({ slug, url: TARGET, password: PASSWORD });
  const [gone, paused] = [await insert('going'), await insert('pausing')];
  const cookies = {
    gone: cookieOf(await tryPassword('going', PASSWORD)),
    paused: cookieOf(await tryPassword('pausing', PASSWORD)),
  };
  await trial.links.update(gone, SET_STATUS, 'Deleted');
  await trial.links.update(paused, SET_STATUS, 'Paused');
  await trial.links.publish('going', 'pausing');
  const all = async (slug: string, cookie: string, status: number) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(slug, cookie)));
    return answers.every((answer) => answer.status === status && answer.headers['location'] === undefined);
  };
  await until(() => all('going', cookies.gone, 410), 'the cookie of a deleted link is void');
  await until(() => all('pausing', cookies.paused, 404), 'the cookie of a paused link is void');
  for (const [slug, status] of [
    ['going', 410],
    ['pausing', 404],
  ] as const) {
    const answer = await tryPassword(slug, PASSWORD);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
  }
});

test('200 unlocks at once, right and wrong: each is checked or told to come again, and visits go on', async () => {
  let visits = 0;
  const state = { isDone: false };
  const visitor = (async () => {
    for (; !state.isDone; visits += 1) expect((await get('open', '')).status).toBe(302);
  })();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      tryPassword(i % 2 === 0 ? 'locked' : 'other', i % 3 === 0 ? PASSWORD : 'wrong'),
    ),
  );
  state.isDone = true;
  await visitor;
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  process.stdout.write(
    `200 unlocks at once: ${count(303)} right, ${count(401)} wrong, ${count(503)} busy; ${visits} visits\n`,
  );
  expect(count(303) + count(401) + count(503)).toBe(200);
  // What waits for the check of passwords is bounded by 33 places.
  expect(count(303) + count(401)).toBeGreaterThanOrEqual(33);
  expect(visits).toBeGreaterThan(0);
});
