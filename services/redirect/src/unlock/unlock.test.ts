import { expect, test } from 'vitest';
import { createLocalTries } from '@smartlink/process/tries';
import { compileLink, type CompiledLink } from '@smartlink/visits/routing';
import type { Reply } from '../http/reply.js';
import { createHosts } from '../http/served-host.js';
import type { SystemReplies } from '../http/system-replies.js';
import type { ServedLink } from '../links/served-link.js';
import { createVisitCounters } from '../metrics/worker-metrics.js';
import { createAnswerUnlock } from './answer-unlock.js';
import { createPasswordGate } from './password-checker.js';
import { createTryLimiter } from './try-limiter.js';
import { UNLOCK_SECONDS, createUnlockCookies } from './unlock-cookie.js';

const lockedLink = (smartlinkId: string, version = 1): CompiledLink =>
  compileLink({
    version: 1,
    smartlinkId,
    ownerId: 'owner',
    slug: 'Docs',
    status: 'Active',
    type: 'Url',
    url: 'https://example.org/',
    password: { hash: 'phc', version },
  });
const link = lockedLink('11111111-1111-4111-8111-111111111111');
const SECRET = 'first secret of sixteen';
const cookiesAt = (now: number, secrets = [SECRET], isSecure = false) =>
  createUnlockCookies({ secrets, isSecure, now: () => now });
const pairOf = (header: readonly [string, string]) => header[1].split(';')[0] ?? '';

const NOW = 1_800_000_000_000;

test('a cookie unlocks its own link for 30 minutes', () => {
  const cookie = pairOf(cookiesAt(NOW).issue(link));
  expect(cookiesAt(NOW).isUnlocked(cookie, link)).toBe(true);
  expect(cookiesAt(NOW).isUnlocked(`a=b; ${cookie}; c=d`, link)).toBe(true);
  expect(cookiesAt(NOW + UNLOCK_SECONDS * 1000 - 1).isUnlocked(cookie, link)).toBe(true);
  expect(cookiesAt(NOW + UNLOCK_SECONDS * 1000).isUnlocked(cookie, link)).toBe(false);
});

test('a cookie is void for another link and after a change of the password', () => {
  const cookie = pairOf(cookiesAt(NOW).issue(link));
  const other = lockedLink('22222222-2222-4222-8222-222222222222');
  expect(cookiesAt(NOW).isUnlocked(cookie, other)).toBe(false);
  const value = cookie.slice(cookie.indexOf('='));
  const otherName = pairOf(cookiesAt(NOW).issue(other)).split('=')[0] ?? '';
  expect(cookiesAt(NOW).isUnlocked(otherName + value, other)).toBe(false);
  expect(cookiesAt(NOW).isUnlocked(cookie, lockedLink(link.smartlinkId, 2))).toBe(false);
  const [name = ''] = cookie.split('=');
  const renamed = [`__Host-${cookie}`, cookie.replace(name, name.toUpperCase()), `${name}=;`.repeat(500)];
  expect(renamed.filter((each) => cookiesAt(NOW).isUnlocked(each, link))).toEqual([]);
});

test('secrets rotate: the first signs, all verify, a dropped one is over', () => {
  const old = pairOf(cookiesAt(NOW, [SECRET]).issue(link));
  expect(cookiesAt(NOW, ['second secret of sixteen', SECRET]).isUnlocked(old, link)).toBe(true);
  expect(cookiesAt(NOW, ['second secret of sixteen']).isUnlocked(old, link)).toBe(false);
});

test('attributes: HttpOnly always, Secure and __Host- under https', () => {
  expect(cookiesAt(NOW).issue(link)).toEqual([
    'Set-Cookie',
    expect.stringMatching(
      /^unlock-[0-9a-f]{16}=\d{10}\.[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  expect(cookiesAt(NOW, [SECRET], true).issue(link)[1]).toMatch(
    /^__Host-unlock-.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('1,000 mutations of a cookie: none is accepted', () => {
  const cookies = cookiesAt(NOW);
  const cookie = pairOf(cookies.issue(link));
  const start = cookie.indexOf('=') + 1;
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
  let accepted = 0;
  let tried = 0;
  for (let at = start; tried < 1_000; at = at + 1 < cookie.length ? at + 1 : start) {
    const character = characters.charAt((tried * 7) % characters.length);
    const mutated = cookie.slice(0, at) + character + cookie.slice(at + (tried % 3 === 0 ? 0 : 1));
    tried += 1;
    // A space at the end is not part of the value.
    if (mutated.trim() === cookie) continue;
    if (cookies.isUnlocked(mutated, link)) accepted += 1;
  }
  process.stdout.write(`unlock cookies: ${accepted} of ${tried} mutations accepted\n`);
  expect(accepted).toBe(0);
});

test('the last character has one spelling only', () => {
  const cookies = cookiesAt(NOW);
  const cookie = pairOf(cookies.issue(link));
  const spellings = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
  const accepted = spellings.filter((last) => cookies.isUnlocked(cookie.slice(0, -1) + last, link));
  expect(accepted).toEqual([cookie.slice(-1)]);
});

test('5 tries in any minute and 20 in any hour, each pair for itself', () => {
  const { take } = createLocalTries({ perMinute: 5, perHour: 20 }, 10_000);
  const tries: number[] = [];
  for (let time = 0; time < 3_600_000; time += 1_000) if (take('a', time) === 0) tries.push(time);
  for (const time of tries) {
    expect(tries.filter((other) => other >= time && other < time + 60_000).length).toBeLessThanOrEqual(5);
  }
  expect(tries).toHaveLength(20);
  expect(take('b', 0)).toBe(0);
  expect(take('a', 3_599_000)).toBe(1_000);
  expect(take('a', 3_600_000)).toBe(0);
});

test('one hash at a time, a bounded number behind it, and a broken one breaks nothing else', async () => {
  let running = 0;
  let most = 0;
  const checker = {
    verify: async (_phc: string, password: string) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (password === 'broken') throw new Error('broken');
      return password === 'right';
    },
  };
  const gate = createPasswordGate(checker, 3);
  const check = (password: string) => gate.check({ ownerId: 'o', smartlinkId: 'a', hash: 'phc', password });
  const checks = ['right', 'broken', 'wrong', 'right', 'late'].map(check);
  const results = await Promise.allSettled(checks);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'threw'))).toEqual([
    true,
    'threw',
    false,
    true,
    'busy',
  ]);
  expect(most).toBe(1);
  expect(await check('right')).toBe(true);
});

test('links take turns at the hasher, and one with a long queue makes room for others', async () => {
  const order: string[] = [];
  const checker = {
    verify: (_phc: string, password: string) => {
      order.push(password);
      return Promise.resolve(true);
    },
  };
  const gate = createPasswordGate(checker, 4);
  const check = (password: string) =>
    gate.check({ ownerId: 'o', smartlinkId: password.charAt(0), hash: 'phc', password });
  const results = await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'a6'].map(check));
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  expect(results).toEqual([true, true, true, 'busy', 'busy', true, true, 'busy']);
});

test('owners take turns at the hasher, however many links an owner has', async () => {
  const order: string[] = [];
  const checker = {
    verify: (_phc: string, password: string) => {
      order.push(password);
      return Promise.resolve(true);
    },
  };
  const gate = createPasswordGate(checker, 4);
  const check = (password: string) =>
    gate.check({ ownerId: password.charAt(0), smartlinkId: password.slice(0, 2), hash: 'phc', password });
  const results = await Promise.all(
    ['aA1', 'aB1', 'aC1', 'aD1', 'aE1', 'bA1', 'bB1', 'aF1', 'cA1'].map(check),
  );
  expect(order).toEqual(['aA1', 'aB1', 'bA1', 'cA1', 'aC1']);
  expect(results).toEqual([true, true, true, 'busy', 'busy', true, 'busy', 'busy', true]);
});

test('120 tries in any minute and 2,000 in any hour at one link, from however many addresses', async () => {
  let time = NOW;
  const limiter = createTryLimiter({
    redis: { eval: () => Promise.reject(new Error('Connection is closed')) },
    keyPrefix: '',
    secret: SECRET,
    now: () => time,
  });
  let addresses = 0;
  const tryAll = async (count: number) => {
    let taken = 0;
    for (let i = 0; i < count; i += 1) {
      addresses += 1;
      const verdict = await limiter.take('link', `2001:db8:${addresses.toString(16)}::1`);
      if (verdict.reason === null) taken += 1;
    }
    return taken;
  };
  expect(await tryAll(200)).toBe(120);
  expect(await limiter.take('link', '203.0.113.9')).toEqual({ reason: 'link', ms: 60_000 });
  expect((await limiter.take('other', '203.0.113.9')).reason).toBe(null);
  let taken = 120;
  for (let minute = 1; minute < 60; minute += 1) {
    time = NOW + minute * 60_000;
    taken += await tryAll(121);
  }
  expect(taken).toBe(2_000);
});

test('a /56 of IPv6 is one client of a link, a /48 one client of all links', async () => {
  const limiter = createTryLimiter({
    redis: { eval: () => Promise.reject(new Error('Connection is closed')) },
    keyPrefix: '',
    secret: SECRET,
    now: () => NOW,
  });
  for (let i = 0; i < 5; i += 1) {
    expect((await limiter.take('link', `2001:db8:0:${(i * 50).toString(16)}::1`)).reason).toBe(null);
  }
  expect((await limiter.take('link', '2001:db8:0:ff::1')).reason).toBe('link');
  for (let i = 1; i <= 55; i += 1) {
    expect((await limiter.take('link', `2001:db8:0:${i.toString(16)}00::1`)).reason).toBe(null);
  }
  expect((await limiter.take('another', '2001:db8:0:ff00::1')).reason).toBe('network');
});

test('a try that was given back, or refused by a later limit, does not count', async () => {
  const counts = new Map<string, number>();
  const limiter = createTryLimiter({
    redis: {
      eval: (script, _, key) => {
        const isTake = script.includes('lpush');
        if (isTake && key.includes('unlock-link')) return Promise.resolve(1_000);
        counts.set(key, (counts.get(key) ?? 0) + (isTake ? 1 : -1));
        return Promise.resolve(0);
      },
    },
    keyPrefix: '',
    secret: SECRET,
    now: () => NOW,
  });
  expect(await limiter.take('link', '192.0.2.1')).toEqual({ reason: 'link', ms: 1_000 });
  expect([...counts.values()]).toEqual([0, 0]);
  const local = createLocalTries({ perMinute: 5, perHour: 20 }, 10_000);
  for (let i = 0; i < 20; i += 1) {
    expect(local.take('a', NOW)).toBe(0);
    local.giveBack('a');
  }
});

test('tries that Redis allowed still count when it stops answering', async () => {
  let answers = true;
  const limiter = createTryLimiter({
    redis: { eval: () => (answers ? Promise.resolve(0) : Promise.reject(new Error('Command timed out'))) },
    keyPrefix: '',
    secret: SECRET,
    now: () => NOW,
  });
  for (let i = 0; i < 5; i += 1) expect((await limiter.take('link', '192.0.2.1')).reason).toBe(null);
  answers = false;
  expect(await limiter.take('link', '192.0.2.1')).toEqual({ reason: 'link', ms: 60_000 });
  expect((await limiter.take('other', '192.0.2.1')).reason).toBe(null);
  expect((await limiter.take('link', '198.51.100.1')).reason).toBe(null);
});

test('tries allowed without Redis still count when it is back, and a refused try is not counted in Redis', async () => {
  let isAway = true;
  let countedByRedis = 0;
  const count = () => {
    countedByRedis += 1;
    return Promise.resolve(0);
  };
  const limiter = createTryLimiter({
    redis: { eval: () => (isAway ? Promise.reject(new Error('Connection is closed')) : count()) },
    keyPrefix: '',
    secret: SECRET,
    now: () => NOW,
  });
  for (let i = 0; i < 5; i += 1) expect((await limiter.take('link', '192.0.2.1')).reason).toBe(null);
  isAway = false;
  expect(await limiter.take('link', '192.0.2.1')).toEqual({ reason: 'link', ms: 60_000 });
  expect(countedByRedis).toBe(0);
  expect((await limiter.take('other', '192.0.2.1')).reason).toBe(null);
});

test('a try that is answered busy is given back, and its form is made once', async () => {
  let given = 0;
  const giveBack = () => {
    given += 1;
    return Promise.resolve();
  };
  const answerUnlock = createAnswerUnlock({
    links: { find: () => Promise.resolve(link as ServedLink) },
    allowances: { findClosed: () => null },
    gate: { check: () => Promise.resolve('busy') },
    limiter: { take: () => Promise.resolve({ reason: null, ms: 0, giveBack }) },
    cookies: cookiesAt(NOW),
    // No answer of theirs is due.
    replies: {} as SystemReplies,
    counters: createVisitCounters(),
    site: {
      publicBaseUrl: 'https://sl.example.com',
      abuseContactUrl: null,
      scriptPath: '/-/assets/p.js',
      shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
    },
    onFault: (err) => {
      throw err;
    },
  });
  const request = {
    ...{ slug: 'Docs', isScan: false, query: '', contentType: 'application/x-www-form-urlencoded' },
    ...{ origin: '', secFetchSite: '', hostLine: 'sl.example.com', address: '192.0.2.1' },
    host: createHosts({ PUBLIC_BASE_URL: 'https://sl.example.com', REDIRECT_PORT: 80, STRICT_HOSTS: false })
      .own,
    ...{ body: 'password=secret', language: 'en' as const, tally: { outcome: null } },
  };
  const answer = (await answerUnlock(request)) as Reply;
  expect([answer.head.status, given]).toEqual(['503 Service Unavailable', 1]);
  expect(await answerUnlock(request)).toBe(answer);
  expect(await answerUnlock({ ...request, language: 'ru' as const })).not.toBe(answer);
});
