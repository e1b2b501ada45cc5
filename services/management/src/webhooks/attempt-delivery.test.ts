import { expect, test } from 'vitest';
import { RETRIES_END_MS, RETRY_DELAYS_MS, nextDelayMs } from './attempt-delivery.js';
import { parseRetryAfter } from './send-message.js';

const HOUR_MS = 3_600_000;

test('all waits together are a little less than a day, whatever the chance', () => {
  const sum = RETRY_DELAYS_MS.reduce((total, delayMs) => total + delayMs, 0);
  expect(sum).toBe(23 * HOUR_MS + 42 * 60_000 + 35_000);
  for (const random of [0, 0.5, 0.999]) {
    let sinceFirstMs = 0;
    let attempts = 0;
    for (;;) {
      attempts += 1;
      const delayMs = nextDelayMs({ attempts, sinceFirstMs, retryAfterMs: null }, random);
      if (delayMs === null) break;
      sinceFirstMs += delayMs;
    }
    expect(attempts).toBe(11);
    expect(sinceFirstMs).toBeGreaterThan(21 * HOUR_MS);
    expect(sinceFirstMs).toBeLessThanOrEqual(RETRIES_END_MS);
  }
});

test('a receiver may make it wait longer, never shorter and never beyond the end', () => {
  const after = (retryAfterMs: number, sinceFirstMs = 0) =>
    nextDelayMs({ attempts: 1, sinceFirstMs, retryAfterMs }, 0.5);
  expect([after(1_000), after(60_000), after(48 * HOUR_MS)]).toEqual([5_000, 60_000, 24 * HOUR_MS]);
  expect(after(HOUR_MS, 24 * HOUR_MS - 10)).toBe(10);
  expect(after(HOUR_MS, 24 * HOUR_MS)).toBeNull();
});

test('Retry-After is read as seconds or as a date', () => {
  const nowMs = Date.parse('2026-03-10T12:00:00Z');
  expect(parseRetryAfter('120', nowMs)).toBe(120_000);
  expect(parseRetryAfter('Tue, 10 Mar 2026 12:01:00 GMT', nowMs)).toBe(60_000);
  expect(parseRetryAfter('Tue, 10 Mar 2026 11:00:00 GMT', nowMs)).toBe(0);
  for (const value of [null, '', '-1', '1.5', 'soon', '1e9', '99999999999']) {
    expect([value, parseRetryAfter(value, nowMs)]).toEqual([value, null]);
  }
});
