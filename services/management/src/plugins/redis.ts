import fp from 'fastify-plugin';
import { openRedis } from '@smartlink/link-resolver/redis-connection';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import type { Logger } from '@smartlink/process/logger';

declare module 'fastify' {
  interface FastifyInstance {
    redis: RedisConnection;
  }
}

// More than the publish budget of 150 ms, which its caller keeps by itself; enough for the relay's batches.
const COMMAND_TIMEOUT_MS = 1_000;
/** Opens the Redis connection and closes it after the last request. */
export default fp<{ redisUrl: string; log: Logger }>(
  (app, { redisUrl, log }, done) => {
    const redis = openRedis({ url: redisUrl, log, commandTimeoutMs: COMMAND_TIMEOUT_MS });
    app.decorate('redis', redis);
    app.addHook('onClose', () => {
      redis.disconnect();
    });
    done();
  },
  { name: 'redis' },
);
