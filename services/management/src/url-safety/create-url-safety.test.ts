import { createLogger } from '@smartlink/process/logger';
import { beforeEach, expect, test } from 'vitest';
import { PROVIDER_BREAKER, createUrlSafety } from './create-url-safety.js';
import { ProviderError } from './safety-provider.js';
import type { SafetyProvider } from './safety-provider.js';

const GOOD = { path: 'shortener.url', url: 'https://good.example/' };
const BAD = { path: 'openGraph.imageUrl', url: 'https://bad.example/' };

let time: number;
let asked: (readonly string[])[];
let outcomes: string[];
let answer: SafetyProvider['findUnsafe'];

beforeEach(() => {
  time = 0;
  asked = [];
  outcomes = [];
  answer = () => Promise.resolve(new Set([BAD.url]));
});

const down = () => Promise.reject(new Error('connect ECONNREFUSED'));

function safety(failClosed = false) {
  return createUrlSafety({
    provider: {
      name: 'test',
      findUnsafe(urls, signal) {
        asked.push(urls);
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

test('every place of an unsafe URL is told, and each URL is asked about once', async () => {
  const again = { ...BAD, path: 'shortener.url' };
  expect(await safety().check([GOOD, BAD, again])).toEqual({ unsafe: [BAD, again], isChecked: true });
  expect([asked, outcomes]).toEqual([[[GOOD.url, BAD.url]], ['unsafe']]);
});

test('a document without URLs is safe, and nobody is asked', async () => {
  answer = down;
  expect(await safety(true).check([])).toEqual({ unsafe: [], isChecked: true });
  expect([asked, outcomes]).toEqual([[], []]);
});

test('a provider that is down leaves URLs unchecked, and after three checks costs nothing but a probe a pause', async () => {
  answer = down;
  const { check } = safety();
  for (let i = 0; i < 5; i++) expect(await check([GOOD])).toEqual({ unsafe: [], isChecked: false });
  expect([asked.length, outcomes]).toEqual([3, ['failed', 'failed', 'failed', 'skipped', 'skipped']]);
  time += PROVIDER_BREAKER.pauseMs;
  await Promise.all([check([GOOD]), check([GOOD])]);
  expect(asked).toHaveLength(4);
  answer = () => Promise.resolve(new Set());
  time += PROVIDER_BREAKER.pauseMs;
  expect(await check([GOOD])).toEqual({ unsafe: [], isChecked: true });
  await check([GOOD]);
  expect(asked).toHaveLength(6);
});

test('one failing closed refuses with 503 and says when to come again', async () => {
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
  answer = (_urls, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  expect(await safety().check([GOOD], { limitMs: 1 })).toEqual({ unsafe: [], isChecked: false });
  expect(outcomes).toEqual(['failed']);
});
