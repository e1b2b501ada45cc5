import { createTestDatabases } from '@smartlink/embedded/test-databases';
import { Redis } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { createTryLimiter } from '../src/unlock/try-limiter.js';

const TRIES_PER_MINUTE = 5;

test('40 tries at once of one client over two connections: Redis lets 5 through', async () => {
  const databases = await createTestDatabases(inject('stack'));
  // Neither has a time-out for its commands, and so neither ever counts alone.
  const connections = [new Redis(databases.redisUrl), new Redis(databases.redisUrl)];
  try {
    const limiters = connections.map((redis) =>
      createTryLimiter({
        redis,
        keyPrefix: databases.redisKeyPrefix,
        secret: 'a secret of 32 bytes or more for tests only',
        now: () => Date.now(),
      }),
    );
    const takes = limiters.map(({ take }) => Array.from({ length: 20 }, () => take('link', '192.0.2.1')));
    const verdicts = await Promise.all(takes.flat());
    expect(verdicts.filter(({ reason }) => reason === null)).toHaveLength(TRIES_PER_MINUTE);
    expect(verdicts.filter(({ reason }) => reason === 'link')).toHaveLength(40 - TRIES_PER_MINUTE);
  } finally {
    for (const redis of connections) redis.disconnect();
    await databases.drop();
  }
});
