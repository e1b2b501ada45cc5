import { createBreaker } from '@smartlink/link-resolver/breaker';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import fp from 'fastify-plugin';
import { ApiError } from '../errors.js';
import { withTimeLimit } from '../time-limit.js';
import { principalOf } from './authenticate.js';
import type {} from './metrics.js';

const WINDOW_SECONDS = 60;
// A limiter must not cost more than what it protects: without Redis requests pass uncounted.
const REDIS_LIMIT_MS = 100;
const REDIS_FAILURES_MAX = 3;
const REDIS_PAUSE_MS = 1_000;

// A fixed window that begins with its first request: one key a user, one round trip. Answers the requests so far and
// the milliseconds left. A key without a life (a command lost between the two) gets one.
const COUNT_REQUEST = `
local count = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}
`;

/** Holds each user to the requests a minute of their plan, over all their keys and all processes. */
export default fp<{ keyPrefix: string }>(
  (app, { keyPrefix }, done) => {
    const breaker = createBreaker({
      failuresMax: REDIS_FAILURES_MAX,
      pauseMs: REDIS_PAUSE_MS,
      now: () => performance.now(),
    });
    app.metrics.watchBreaker('rate_limit', () => !breaker.allows());
    app.addHook('onRequest', async (request, reply) => {
      const { userId, plan } = principalOf(request);
      const limit = plan.requestsPerMinute;
      const { count, leftMs } = await countRequest(app.redis, breaker, `${keyPrefix}rate:${userId}`);
      app.metrics.onRateLimit(count === 0 ? 'uncounted' : count > limit ? 'refused' : 'allowed');
      const resetSeconds = Math.ceil(leftMs / 1000);
      reply.header('ratelimit-limit', limit);
      reply.header('ratelimit-remaining', Math.max(0, limit - count));
      reply.header('ratelimit-reset', resetSeconds);
      if (count > limit) {
        throw new ApiError('RATE_LIMITED', { headers: { 'retry-after': String(Math.max(1, resetSeconds)) } });
      }
    });
    done();
  },
  { name: 'rate-limit', dependencies: ['authenticate', 'redis', 'metrics'] },
);

async function countRequest(
  redis: RedisConnection,
  breaker: ReturnType<typeof createBreaker>,
  key: string,
): Promise<{ count: number; leftMs: number }> {
  const uncounted = { count: 0, leftMs: WINDOW_SECONDS * 1000 };
  // The probe is a request like any other: it waits for 100 ms at the most.
  if (!breaker.allows() && !breaker.takesProbe()) return uncounted;
  try {
    const reply = await withTimeLimit(
      REDIS_LIMIT_MS,
      redis.eval(COUNT_REQUEST, 1, key, WINDOW_SECONDS * 1000),
    );
    breaker.succeeded();
    const [count, leftMs] = reply as [number, number];
    return { count, leftMs };
  } catch {
    breaker.failed();
    return uncounted;
  }
}
