import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { ProviderError, type SafetyProvider } from './provider.js';
import { PROVIDER_BREAKER, createUrlSafety } from './url-check.js';

const GOOD = { path: 'shortener.url', url: 'https://good.example/' };
const OWN = 'https://example.com/?';
const BAD = { path: 'openGraph.imageUrl', url: 'https://bad.example/' };

let time: number;
let asked: (readonly string[])[];
let outcomes: string[];
let answer: SafetyProvider['findUnsafe'];
let isLocal: boolean;
/** Number of probes; the provider answers them like other requests. */
let own: number;

beforeEach(() => {
  time = 0;
  asked = [];
  outcomes = [];
  answer = () => Promise.resolve(new Set([BAD.url]));
  isLocal = false;
  own = 0;
});

const untilAborted: SafetyProvider['findUnsafe'] = (_urls, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
const down = () => Promise.reject(new Error('connect ECONNREFUSED'));

function safety(failClosed = false) {
  return createUrlSafety({
    provider: {
      name: 'test',
      ...(isLocal ? { isLocal } : {}),
      findUnsafe(urls, signal) {
        if (urls[0]?.startsWith(OWN) === true) own += 1;
        else asked.push(urls);
        return answer(urls, signal);
      },
      close: () => Promise.resolve(),
    },
    failClosed,
    limitMs: 60_000,
    log: createLogger({ service: 'test', level: 'silent' }),
    observer: { onCheck: (outcome) => outcomes.push(outcome) },
    now: () => time,
  });
}

test('every place of an unsafe URL is reported, and each URL is asked about once', async () => {
  const again = { ...BAD, path: 'shortener.url' };
  expect(await safety().check([GOOD, BAD, again])).toEqual({ unsafe: [BAD, again], isChecked: true });
  expect([asked, outcomes]).toEqual([[[GOOD.url, BAD.url]], ['unsafe']]);
});

test('a document without URLs is safe, and no provider is asked', async () => {
  answer = down;
  expect(await safety(true).check([])).toEqual({ unsafe: [], isChecked: true });
  expect([asked, outcomes]).toEqual([[], []]);
});

test('a provider that is down leaves URLs unchecked, and after three checks costs nothing but a probe a pause', async () => {
  answer = down;
  const { check } = safety();
  for (let i = 0; i < 5; i++) {
    expect(await check([GOOD])).toEqual({
      unsafe: [],
      isChecked: false,
      ...(i < 3 ? {} : { isProviderDown: true }),
    });
  }
  expect([asked.length, own, outcomes]).toEqual([3, 1, ['failed', 'failed', 'failed', 'skipped', 'skipped']]);
  time += PROVIDER_BREAKER.pauseMs;
  await Promise.all([check([GOOD]), check([GOOD])]);
  expect([asked.length, own]).toEqual([3, 2]);
  answer = () => Promise.resolve(new Set());
  time += PROVIDER_BREAKER.pauseMs;
  expect(await check([GOOD])).toEqual({ unsafe: [], isChecked: true });
  await check([GOOD]);
  expect([asked.length, own]).toEqual([5, 3]);
});

test.each([
  ['fails', () => Promise.reject(new Error('the provider answered with status 500'))],
  ['is not answered within the time', untilAborted],
])('a URL on which a question %s never switches the check off for others', async (_how, onBad) => {
  answer = (urls, signal) => (urls.includes(BAD.url) ? onBad(urls, signal) : Promise.resolve(new Set()));
  const { check } = safety();
  for (let i = 0; i < 7; i++) await check([BAD], { limitMs: 1 });
  expect(await check([GOOD])).toEqual({ unsafe: [], isChecked: true });
  expect([asked.length, own, outcomes.includes('skipped')]).toEqual([8, 2, false]);
});

test('a local provider has all the time that a document takes, and is never left alone', async () => {
  isLocal = true;
  const aborted: boolean[] = [];
  answer = async (_urls, signal) => {
    // Timers of one length fire in their order: that of a limit, if there were one, comes first.
    await new Promise((resolve) => setTimeout(resolve, 1));
    aborted.push(signal.aborted);
    return new Set([BAD.url]);
  };
  const { check } = safety();
  expect(await check([BAD], { limitMs: 1 })).toEqual({ unsafe: [BAD], isChecked: true });
  answer = down;
  for (let i = 0; i < 5; i++) await check([GOOD]);
  expect([aborted, asked.length, own, outcomes.includes('skipped')]).toEqual([[false], 6, 0, false]);
});

test('a recheck is never refused, even if creates fail closed', async () => {
  answer = down;
  const { check } = safety(true);
  expect(await check([GOOD], { failClosed: false })).toMatchObject({ unsafe: [], isChecked: false });
});

test('a fail-closed check refuses with 503 and Retry-After', async () => {
  answer = down;
  const { check } = safety(true);
  for (let i = 0; i < 5; i++) {
    await expect(check([GOOD])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      headers: { 'retry-after': '10' },
    });
  }
});

test('questions that a provider could not answer whole never switch the check off for others', async () => {
  const { check } = safety();
  answer = () => Promise.reject(new ProviderError('too many', { isProviderUp: true }));
  for (let i = 0; i < 10; i++) await check([GOOD]);
  expect(asked).toHaveLength(10);
});

test.each([false, true])(
  'what was known to be unsafe before the failure is told (failing closed: %s)',
  async (closed) => {
    answer = () =>
      Promise.reject(new ProviderError('half', { unsafe: new Set([BAD.url]), isProviderUp: true }));
    expect(await safety(closed).check([GOOD, BAD])).toEqual({ unsafe: [BAD], isChecked: false });
  },
);

test('a provider that never answers is given up at the limit', async () => {
  answer = untilAborted;
  expect(await safety().check([GOOD], { limitMs: 1 })).toMatchObject({ unsafe: [], isChecked: false });
  expect(outcomes).toEqual(['failed']);
});
