import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { followChanges } from './change-feed.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a second and a half without a message is a gap', async () => {
  const redis = Object.assign(new EventEmitter(), { status: 'ready', subscribe: () => Promise.resolve(1) });
  const gaps: string[] = [];
  const feed = followChanges({
    redis: redis as unknown as Redis,
    keyPrefix: '',
    log: createLogger({ service: 'test', level: 'silent' }),
    onChange: () => undefined,
    onGap: (reason) => gaps.push(reason),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  redis.emit('message', 'changes', '~ other 0');
  await vi.advanceTimersByTimeAsync(1_400);
  expect(gaps).toEqual(['subscribed']);
  expect(feed.isLive()).toBe(true);
  // The feed checks every 500 ms.
  await vi.advanceTimersByTimeAsync(350);
  expect(gaps).toEqual(['subscribed', 'silence']);
  expect(feed.isLive()).toBe(false);
  feed.close();
});
