import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { until } from '@smartlink/test-support/until';
import { caller, startServiceOn, urlSmartlink, useService } from './start-service.js';

// The service under test reaches each engine through a proxy.
let service: Awaited<ReturnType<typeof startServiceOn>>;
let postgres: BreakableProxy;
let redis: BreakableProxy;
let clickhouse: BreakableProxy;

const { service: direct, user } = useService();
beforeAll(async () => {
  const { databases } = direct;
  postgres = await startBreakableProxy(databases.databaseUrl);
  redis = await startBreakableProxy(databases.redisUrl);
  clickhouse = await startBreakableProxy(databases.clickhouseUrl);
  service = await startServiceOn(databases, {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
  });
});
afterAll(async () => {
  await service.app.close();
  await Promise.all([postgres.close(), redis.close(), clickhouse.close()]);
});
beforeEach(async () => {
  for (const gate of [postgres, redis, clickhouse]) await gate.restore();
  await readyWith({ postgres: /^ok$/, redis: /^ok$/, clickhouse: /^ok$/ });
});

/** Waits until the checks say this of engines, each of which is down whenever it takes a second; returns the answer. */
function readyWith(wanted: Readonly<Record<string, RegExp>>) {
  return until(
    async () => {
      const answer = await ready();
      return (
        Object.entries(wanted).every(([engine, check]) => check.test(answer.checks[engine] ?? '')) && answer
      );
    },
    `the checks are ${Object.entries(wanted).join()}`,
  );
}

async function ready() {
  const res = await service.app.inject('/-/ready');
  const body: { status: string; checks: Record<string, string> } = res.json();
  return { code: res.statusCode, ...body };
}

test('live needs no engine, ready needs all three', async () => {
  const live = await service.app.inject('/-/live');
  expect([live.statusCode, live.json()]).toEqual([200, { status: 'live' }]);
  expect(await readyWith({ postgres: /^ok$/, redis: /^ok$/, clickhouse: /^ok$/ })).toEqual({
    code: 200,
    status: 'ready',
    checks: { postgres: 'ok', redis: 'ok', clickhouse: 'ok' },
  });
});

test.each(['kill', 'freeze'] as const)(
  'without Postgres (%s) it is not ready and says why, the API is 503 without internals, and both come back',
  async (how) => {
    await postgres[how]();
    expect(await readyWith({ postgres: /^down/, redis: /^ok$/ })).toMatchObject({
      code: 503,
      status: 'not ready',
      checks: { postgres: expect.stringMatching(/^down/) as string, redis: 'ok' },
    });
    const through = caller(service.app, user.apiKey);
    await until(async () => (await through.get('/validate')).status === 503, 'the API is 503');
    const { status, headers, body, text } = await through.get('/smartlink');
    expect([status, body.error]).toEqual([
      503,
      { code: 'SERVICE_UNAVAILABLE', message: 'Service temporarily unavailable' },
    ]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(text).not.toMatch(/ECONN|postgres|127\.0\.0\.1/i);
    expect((await service.app.inject('/-/live')).statusCode).toBe(200);
    const metrics = await service.app.metrics.registry.metrics();
    expect(metrics).toMatch(/^smartlink_outbox_depth Nan$/im);
    expect(metrics).toMatch(/^smartlink_api_request_duration_seconds_count\{.*\/api\/v1\/validate.*\} \d+$/m);
    await postgres.restore();
    await until(async () => (await through.get('/smartlink')).status === 200, 'the API answers again');
  },
);

test('without Redis or ClickHouse it stays ready, reports the outage, and creates, lists and fetches', async () => {
  await redis.kill();
  await clickhouse.kill();
  expect(await readyWith({ postgres: /^ok$/, redis: /^down/ })).toMatchObject({
    code: 200,
    status: 'ready',
    checks: {
      postgres: 'ok',
      redis: expect.stringMatching(/^down/) as string,
      clickhouse: expect.stringMatching(/^down/) as string,
    },
  });
  const api = caller(service.app, user.apiKey);
  const created = await api.post('/smartlink', urlSmartlink());
  expect(created.status).toBe(201);
  expect((await api.get('/smartlink')).status).toBe(200);
  expect((await api.get(`/smartlink?id=${String(created.body.data.id)}`)).status).toBe(200);
  expect((await api.get('/analytics/summary')).status).toBe(503);
});
