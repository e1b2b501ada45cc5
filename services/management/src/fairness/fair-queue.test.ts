import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFairQueue, QueueRefusal } from './fair-queue.js';

const LIMITS = { runningMax: 2, runningPerKeyMax: 1, waitingPerKeyMax: 3, waitMsMax: 5_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Enters for each key in order and records who got a turn; `end` releases the oldest turn of a key. */
async function enterAll(keys: readonly string[], limits = LIMITS) {
  const queue = createFairQueue(limits);
  const granted: string[] = [];
  const releases = new Map<string, (() => void)[]>();
  const refused: string[] = [];
  for (const key of keys) {
    queue.enter(key).then(
      (release) => {
        granted.push(key);
        releases.set(key, [...(releases.get(key) ?? []), release]);
      },
      (err: unknown) => {
        expect(err).toBeInstanceOf(QueueRefusal);
        refused.push(key);
      },
    );
  }
  await vi.advanceTimersByTimeAsync(0);
  return {
    queue,
    granted,
    refused,
    async end(key: string) {
      releases.get(key)?.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe('a fair queue', () => {
  test('a key with a long queue delays another by no turn of its own', async () => {
    const { granted, end } = await enterAll(['a', 'a', 'a', 'b', 'c']);
    expect(granted).toEqual(['a', 'b']);
    await end('a');
    // c has waited for the total only; a comes after it.
    expect(granted).toEqual(['a', 'b', 'a']);
    await end('b');
    expect(granted).toEqual(['a', 'b', 'a', 'c']);
  });

  test('keys take turns', async () => {
    const { granted, end } = await enterAll(['a', 'a', 'a', 'b', 'b', 'b'], { ...LIMITS, runningMax: 1 });
    for (const key of ['a', 'a', 'b', 'a', 'b']) await end(key);
    expect(granted).toEqual(['a', 'a', 'b', 'a', 'b', 'b']);
  });

  test('more waiting than allowed are refused, for that key alone', async () => {
    const { granted, refused } = await enterAll(['a', 'a', 'a', 'a', 'a', 'a', 'b']);
    expect(granted).toEqual(['a', 'b']);
    expect(refused).toEqual(['a', 'a']);
  });

  test('waiting ends after the time limit', async () => {
    const { refused, granted, end, queue } = await enterAll(['a', 'a', 'b']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(refused).toEqual(['a']);
    await end('a');
    expect(granted).toEqual(['a', 'b']);
    expect(queue.counts()).toEqual({ running: 1, waiting: 0 });
  });

  test('a turn that is ended twice counts once', async () => {
    const queue = createFairQueue(LIMITS);
    const release = await queue.enter('a');
    release();
    release();
    expect(queue.counts()).toEqual({ running: 0, waiting: 0 });
  });
});
