import { expect, test } from 'vitest';
import { ENGINE_BREAKER, createBreaker } from './database.js';

test('opens after three failures in a row, lets one probe through a pause, and closes by its success', () => {
  let time = 0;
  const breaker = createBreaker({ failuresMax: 3, pauseMs: 500, now: () => time });
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect([breaker.allows(), breaker.takesProbe()]).toEqual([true, false]);
  breaker.failed();
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

test('an engine is left alone after three failures, for half a second', () => {
  let time = 0;
  const breaker = createBreaker({ ...ENGINE_BREAKER, now: () => time });
  breaker.failed();
  breaker.failed();
  expect(breaker.allows()).toBe(true);
  breaker.failed();
  expect(breaker.allows()).toBe(false);
  time = 499;
  expect(breaker.takesProbe()).toBe(false);
  time = 500;
  expect(breaker.takesProbe()).toBe(true);
});
