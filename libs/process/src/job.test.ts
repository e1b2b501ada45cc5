import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startJob } from './lifecycle.js';

const warn = vi.fn();
const log = { warn };

beforeEach(() => {
  vi.useFakeTimers();
  warn.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs again only after the run before has ended', async () => {
  let runs = 0;
  let end: () => void = () => undefined;
  const run = () => {
    runs += 1;
    return new Promise<void>((resolve) => (end = resolve));
  };
  const job = startJob({ everyMs: 100, run, failure: 'it fails', log });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
  end();
  await job.stop();
});

test('a run decides the next pause', async () => {
  let runs = 0;
  const run = () => Promise.resolve(++runs === 1 ? 500 : undefined);
  const job = startJob({ everyMs: 100, firstAfterMs: 0, run, failure: 'it fails', log });
  await vi.advanceTimersByTimeAsync(499);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(3);
  await job.stop();
});

test('logs consecutive failures once, and counts each', async () => {
  let isBroken = true;
  let failures = 0;
  const job = startJob({
    everyMs: 100,
    run: () => (isBroken ? Promise.reject(new Error('away')) : Promise.resolve()),
    failure: 'it fails',
    log,
    onFailure: () => (failures += 1),
  });
  await vi.advanceTimersByTimeAsync(300);
  expect(failures).toBe(3);
  expect(warn.mock.calls).toEqual([[{ err: { message: 'away' } }, 'it fails']]);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(100);
  isBroken = true;
  await vi.advanceTimersByTimeAsync(100);
  expect(warn).toHaveBeenCalledTimes(2);
  await job.stop();
});

test('stop aborts and awaits the run in progress, and no run follows', async () => {
  let runs = 0;
  const run = (signal: AbortSignal) => {
    runs += 1;
    return new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
  };
  const job = startJob({ everyMs: 100, run, failure: 'it fails', log });
  await vi.advanceTimersByTimeAsync(100);
  await job.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  expect(warn).not.toHaveBeenCalled();
});

test('jitter shortens the pause by its share at most', async () => {
  let runs = 0;
  const run = () => Promise.resolve(void (runs += 1));
  const job = startJob({ everyMs: 100, jitter: 0.5, run, failure: 'it fails', log });
  await vi.advanceTimersByTimeAsync(49);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(51);
  expect(runs).toBeGreaterThanOrEqual(1);
  await job.stop();
});
