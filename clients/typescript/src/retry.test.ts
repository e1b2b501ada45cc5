import { describe, expect, test } from 'vitest';
import { type Members, smartlinkError } from './errors.js';
import { parseRetryAfterMs, waitBeforeRetryMs } from './retry.js';

const NOW = Date.UTC(2026, 2, 10, 12, 0, 0);

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Tue, 10 Mar 2026 12:00:09 GMT', 9_000],
    ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
    // A day at most.
    ['99999999999999999999999', 86_400_000],
    ['Tue, 10 Mar 2099 12:00:00 GMT', 86_400_000],
  ])('%j is %d ms', (value, ms) => {
    expect(parseRetryAfterMs(value, NOW)).toBe(ms);
  });

  test.each([null, '', '-1', '1.5', 'soon', '2026-03-10', 'Tue, 45 Foo 2026 12:00:00 GMT', '7, 8'])(
    '%j is ignored',
    (value) => {
      expect(parseRetryAfterMs(value, NOW)).toBeNull();
    },
  );
});

const common = { operation: 'updateSmartlink', attempts: 1 } as const;
const answered = (status: number, retryAfterMs: number | null = null): Members => ({
  ...common,
  kind: 'answer',
  fault: 'notJson',
  status,
  requestId: null,
  retryAfterMs,
});
const wait = (members: Members, isRepeatable: boolean, attempt = 1, random = 1) =>
  waitBeforeRetryMs(smartlinkError('', members), attempt, isRepeatable, () => random);

describe('a request is repeated', () => {
  const network: Members = { ...common, kind: 'network' };
  const timeout: Members = { ...common, kind: 'timeout' };
  const aborted: Members = { ...common, kind: 'aborted', reason: null };

  test('after 429 for every operation, because nothing was done', () => {
    expect(wait(answered(429, 3_000), false)).not.toBeNull();
    expect(wait(answered(429), false)).not.toBeNull();
  });

  test.each([network, timeout, answered(500), answered(502), answered(503, 1_000), answered(504)])(
    'after %o only if it may be carried out twice',
    (members) => {
      expect(wait(members, true)).not.toBeNull();
      expect(wait(members, false)).toBeNull();
    },
  );

  test.each([aborted, answered(200), answered(302), answered(400), answered(401), answered(409)])(
    'never after %o',
    (members) => {
      expect(wait(members, true)).toBeNull();
    },
  );
});

test('Retry-After is a minimum, with up to half a second of jitter', () => {
  expect(wait(answered(429, 3_000), false, 1, 0)).toBe(3_000);
  expect(wait(answered(429, 3_000), false, 9, 0.999)).toBeLessThanOrEqual(3_500);
});

test('without Retry-After the limit of the random wait doubles up to 8 s', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => wait(answered(500), true, attempt));
  expect(bounds).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(wait(answered(500), true, 5, 0)).toBe(0);
});
