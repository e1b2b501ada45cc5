import fp from 'fastify-plugin';
import type { Redis } from 'ioredis';
import { openRedis } from '@smartlink/link-resolver/redis-connection';
import type { Logger } from '@smartlink/process/logger';

declare module 'fastify' {
  interface FastifyInstance {
    redis: Redis;
  }
}

// More than the publish budget of 150 ms, which its caller keeps by itself; enough for the relay's batches.
const COMMAND_TIMEOUT_MS = 1_000;
// With the timeout: how long after a silent loss of the connection another one is tried.
const PING_INTERVAL_MS = 1_000;

/** Opens the Redis connection, makes it anew when it no longer answers, and closes it after the last request. */
export default fp<{ redisUrl: string; log: Logger }>(
  (app, { redisUrl, log }, done) => {
    const redis = openRedis({ url: redisUrl, log, commandTimeoutMs: COMMAND_TIMEOUT_MS });
    app.decorate('redis', redis);
    // A connection whose other end is gone without a word says `ready` for ever; only a new one can tell.
    const watch = setInterval(() => {
      if (redis.status !== 'ready') return;
      redis.ping().catch(() => {
        if (redis.status === 'ready') redis.disconnect(true);
      });
    }, PING_INTERVAL_MS);
    watch.unref();
    app.addHook('onClose', () => {
      clearInterval(watch);
      redis.disconnect();
    });
    done();
  },
  { name: 'redis' },
);
