import { afterEach, expect, inject, test } from 'vitest';
import { openFeedRedis, openRedis, whenReady } from '@smartlink/links/redis';
import { createLogger } from '@smartlink/process/lifecycle';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { createClosers } from '@smartlink/test-support/closers';
import { until } from '@smartlink/test-support/until';
import { startSentinelStandIn } from './sentinel-stand-in.js';

const log = createLogger({ service: 'sentinel-test', level: 'silent' });
let closers = createClosers();
afterEach(async () => {
  await closers.close();
  closers = createClosers();
});

test.each([
  ['of commands', (url: string) => openRedis({ url, log, commandTimeoutMs: 10_000 })],
  ['of the feed', (url: string) => openFeedRedis({ url, log })],
])(
  'a fail-over that is told of while the sentinel is asked for the master leaves the connection %s alive',
  async (_what, open) => {
    const line = await startBreakableProxy(inject('stack').redisUrl);
    closers.add(line.close);
    const master = new URL(line.url);
    const sentinel = await startSentinelStandIn(Number(master.port));
    closers.add(sentinel.close);
    const redis = open(
      `redis+sentinel://${master.username}:${master.password}@127.0.0.1:${sentinel.port}/main/0`,
    );
    let ends = 0;
    redis.on('error', () => undefined);
    closers.add(() => {
      redis.disconnect();
    });
    (redis as unknown as NodeJS.EventEmitter).on('end', () => (ends += 1));
    await whenReady(redis, 30_000);

    sentinel.hold();
    await line.kill();
    await line.restore();
    await until(() => sentinel.held() > 0, 'the sentinel is asked for the master');
    await sentinel.switchMaster();
    sentinel.release();
    await until(() => redis.status === 'ready', 'the connection is made anew');
    expect(await redis.ping()).toBe('PONG');
    expect(ends).toBe(1);

    redis.disconnect();
    await until(() => redis.status === 'end', 'it is closed');
    expect(ends).toBe(2);
  },
);
