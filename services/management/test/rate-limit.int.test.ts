import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { until } from '@smartlink/test-support/until';
import {
  addKey,
  caller,
  type Caller,
  redisOf,
  startServiceOn,
  type TestService,
  useService,
} from './start-service.js';

const { service } = useService({ rateLimits: 'kept' });

/** Makes a request until one is counted, and returns its answer: one for which Redis takes too long passes uncounted. */
const untilCounted = (ask: () => ReturnType<Caller['get']>) =>
  until(async () => {
    const answer = await ask();
    return answer.headers['ratelimit-remaining'] !== answer.headers['ratelimit-limit'] && answer;
  }, 'a request is counted');

/** How many requests of a user Redis has counted, those that did not wait for its answer too. */
const countOf = async (userId: string) =>
  Number(await redisOf(service.app).hget(`${service.databases.redisKeyPrefix}usage:${userId}`, 'requests'));

describe('the requests of a minute', () => {
  test.each([
    ['Starter', '60'],
    ['Professional', '600'],
    ['Enterprise', '3000'],
  ])('of %s are %s', async (plan, limit) => {
    const { userId, apiKey } = await service.createUser(plan);
    const api = caller(service.app, apiKey);
    let requests = 0;
    const res = await untilCounted(() => {
      requests += 1;
      return api.get('/validate');
    });
    const count = await countOf(userId);
    expect(count).toBeLessThanOrEqual(requests);
    expect(res.headers).toMatchObject({
      'ratelimit-limit': limit,
      'ratelimit-remaining': String(Number(limit) - count),
    });
    expect(Number(res.headers['ratelimit-reset'])).toBeGreaterThan(0);
    expect(Number(res.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  });

  test('are shared by all keys of a user and all processes, and the 61st of Starter is 429', async () => {
    const { userId, apiKey } = await service.createUser('Starter');
    const { app: second } = await startServiceOn(service.databases);
    const one = caller(service.app, apiKey);
    const two = caller(second, await addKey(second, userId));
    onTestFinished(() => second.close());
    const counted = new Set<Caller>();
    for (let requests = 0; (await countOf(userId)) < 60; requests += 1) {
      expect(requests).toBeLessThan(1_000);
      const api = requests % 2 === 0 ? one : two;
      // What is refused counts too.
      const { status, headers } = await api.get(api === one ? '/validate' : '/nothing');
      expect(status).toBe(api === one ? 200 : 404);
      if (headers['ratelimit-remaining'] !== '60') counted.add(api);
    }
    expect(counted).toEqual(new Set([one, two]));
    for (const api of [one, two]) {
      const res = await untilCounted(() => api.get('/validate'));
      expect(res.status).toBe(429);
      expect(res.body.error).toEqual({ code: 'RATE_LIMITED', message: 'Too many requests' });
      expect(res.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' });
      expect(res.headers['retry-after']).toBe(res.headers['ratelimit-reset']);
    }
  });
});

describe('without Redis', () => {
  let redis: BreakableProxy;
  let app: TestService['app'];

  beforeAll(async () => {
    redis = await startBreakableProxy(service.databases.redisUrl);
    ({ app } = await startServiceOn(service.databases, { REDIS_URL: redis.url }));
  });
  afterAll(async () => {
    await app.close();
    await redis.close();
  });

  test.each(['kill', 'freeze'] as const)(
    'after %s requests pass uncounted, and are counted again when it is back',
    async (how) => {
      const { apiKey } = await service.createUser('Professional');
      const api = caller(app, apiKey);
      const isCounted = async () => (await api.get('/validate')).headers['ratelimit-remaining'] !== '600';
      await until(isCounted, 'requests are counted');
      await redis[how]();
      for (let i = 0; i < 10; i += 1) {
        const res = await api.get('/validate');
        expect(res.status).toBe(200);
        expect(res.headers['ratelimit-limit']).toBe('600');
      }
      expect((await api.get('/validate')).headers['ratelimit-remaining']).toBe('600');
      await redis.restore();
      await until(isCounted, 'requests are counted');
    },
  );
});
