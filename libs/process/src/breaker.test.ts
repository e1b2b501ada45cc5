import { expect, test } from 'vitest';
import { ENGINE_BREAKER, createBreaker } from './database.js';

test('the breaker of an engine opens after three consecutive failures, admits a probe per half second and closes on its success', () => {
  let time = 0;
  const breaker = createBreaker({ ...ENGINE_BREAKER, now: () => time });
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect([breaker.allows(), breaker.takesProbe()]).toEqual([true, false]);
  breaker.failed();
  time = 499;
  expect([breaker.allows(), breaker.takesProbe()]).toEqual([false, false]);
  time = 500;
  expect([breaker.takesProbe(), breaker.takesProbe(), breaker.allows()]).toEqual([true, false, false]);
  breaker.failed();
  time = 999;
  expect(breaker.takesProbe()).toBe(false);
  time = 1_000;
  expect(breaker.takesProbe()).toBe(true);
  breaker.succeeded();
  expect(breaker.allows()).toBe(true);
});
