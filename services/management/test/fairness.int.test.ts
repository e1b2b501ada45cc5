import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { fastify } from 'fastify';
import fp from 'fastify-plugin';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import type { Config } from '../src/config.js';
import { heavyRequests } from '../src/fairness/heavy-requests.js';
import { NO_URL_SAFETY, type UrlSafety } from '../src/url-safety/url-safety.js';
import {
  type Caller,
  caller,
  metricsOf,
  redisOf,
  startServiceOn,
  urlSmartlink,
  useService,
} from './start-service.js';
import { worstBodies } from './worst-bodies.js';

const { service } = useService({ rateLimits: 'kept' });

/** A menu that takes about `kib` KiB, which do not compress well. */
function menuOf(kib: number, name = 'menu'): object {
  const items = Array.from({ length: kib * 8 }, (_, i) => ({
    name: `${i} ${(i * 2_654_435_761).toString(36)}`,
    price: i,
    description: (Math.sin(i + 1) * 1e15).toString(36).repeat(4),
  }));
  const categories = Array.from({ length: Math.ceil(items.length / 500) }, (_, i) => ({
    name: `c${i}`,
    items: items.slice(i * 500, (i + 1) * 500),
  }));
  return { configuration: { smartlinkName: name, smartlinkType: 'QrMenu' }, qrMenu: { categories } };
}

async function heavyCount(reason: string): Promise<number> {
  const line = new RegExp(`^smartlink_api_heavy_requests_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(line.exec(await metricsOf(service.app))?.[1]);
}

/** Without an answer of Redis within 100 ms a request is not counted. */
const untilCounted = (api: Caller) =>
  until(async () => {
    const { headers } = await api.get('/validate');
    return headers['ratelimit-remaining'] !== headers['ratelimit-limit'];
  }, 'a request is counted');

/** The increase of heavy requests for a reason during `work`. */
async function heavyDuring(reason: string, work: () => Promise<void>): Promise<number> {
  const before = await heavyCount(reason);
  await work();
  return (await heavyCount(reason)) - before;
}

describe('the thread of heavy requests', () => {
  test('takes large bodies, and answers as the process does', async () => {
    const { apiKey, userId } = await service.createUser();
    const api = caller(service.app, apiKey);
    const small = await api.post('/smartlink', menuOf(1));
    expect(
      await heavyDuring('body', async () => {
        const large = await api.post('/smartlink', menuOf(64));
        expect(large.status).toBe(201);
        expect(Object.keys(large.headers).toSorted()).toEqual(Object.keys(small.headers).toSorted());
        expect(large.body.data).toMatchObject({ userId, status: 'Active', type: 'QrMenu' });
        const again = await api.get(`/smartlink?id=${large.body.data.id}`);
        expect(again.body.data).toEqual(large.body.data);
        expect(again.headers.etag).toBe(large.headers.etag);
      }),
    ).toBe(1);
  });

  test('refuses a large body with its faults, its syntax error, or 413', async () => {
    const { apiKey } = await service.createUser();
    const api = caller(service.app, apiKey);
    const bodies = worstBodies('x');
    const text = bodies['one string of escapes'] ?? '';
    for (const [body, status] of [
      [bodies['350,000 empty buttons'], 400],
      [text.slice(0, -1), 400],
      [`${text} `.padEnd(1024 * 1024 + 1), 413],
    ] as const) {
      expect((await api.post('/smartlink', body)).status).toBe(status);
    }
  });

  test('takes what reads or changes a large smartlink, and nothing of a small one', async () => {
    const { apiKey } = await service.createUser();
    const api = caller(service.app, apiKey);
    const large = (await api.post('/smartlink', menuOf(30))).body.data;
    const small = (await api.post('/smartlink', urlSmartlink())).body.data;
    const callsOn = async (id: string) => {
      expect((await api.get(`/smartlink?id=${id}`)).body.data).toMatchObject({ id });
      const patched = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'new' } });
      expect(patched.body.data).toMatchObject({ id, configuration: { smartlinkName: 'new' } });
      expect((await api.post('/smartlink/status', { id, status: 'Paused' })).status).toBe(200);
    };
    expect(await heavyDuring('content', () => callsOn(small.id))).toBe(0);
    expect(await heavyDuring('content', () => callsOn(large.id))).toBe(3);
  });

  test('takes analytics over more than 400 days', async () => {
    const { apiKey } = await service.createUser();
    const api = caller(service.app, apiKey);
    const { id } = (await api.post('/smartlink', urlSmartlink())).body.data;
    const read = async (from: string) => {
      const { status, body } = await api.get(
        `/smartlink/analytics?id=${id}&from=${from}&to=2026-01-31&fill=zero`,
      );
      expect(status).toBe(200);
      return body.data.analyticsData as unknown[];
    };
    expect(await heavyDuring('content', async () => void (await read('2025-01-01')))).toBe(0);
    let entries: unknown[] = [];
    expect(await heavyDuring('content', async () => void (entries = await read('2024-01-01')))).toBe(1);
    expect(entries).toHaveLength(762);
  });

  test('an account whose answers took 250 ms within a minute is served by the thread; no number of small ones do', async () => {
    const { apiKey } = await service.createUser();
    const api = caller(service.app, apiKey);
    for (let i = 0; i < 300; i += 1) await api.get('/validate');
    expect(await heavyDuring('account', async () => void (await api.get('/validate')))).toBe(0);
    // 32 KiB cost 8 ms.
    const body = JSON.stringify({ ...urlSmartlink(), x: 'a'.repeat(32 * 1024 - 512) });
    for (let i = 0; i < 40; i += 1) await api.post('/smartlink', body);
    expect(await heavyDuring('account', async () => void (await api.get('/validate')))).toBe(1);
  });

  test('a list without limit has every smartlink in order, however many and large they are', async () => {
    const { apiKey } = await service.createUser();
    const api = caller(service.app, apiKey);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await api.post('/smartlink', menuOf(400, `m${i}`))).body.data.id);
    const operations = Array.from({ length: 100 }, () => ({ create: urlSmartlink() }));
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await api.post('/smartlink/bulk', { operations });
      expect([status, body.error]).toEqual([200, undefined]);
      ids.push(...(body.data as { data: { id: string } }[]).map(({ data }) => data.id));
    }
    const whole = await api.get('/smartlink');
    expect(whole.status).toBe(200);
    expect(whole.body).toMatchObject({ success: true, message: 'Smartlinks retrieved' });
    const listed = whole.body.data as { id: string }[];
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const paged: object[] = [];
    for (let path: string | undefined = '/smartlink?limit=100'; path !== undefined;) {
      const page: Awaited<ReturnType<typeof api.get>> = await api.get(path);
      paged.push(...(page.body.data as object[]));
      const cursor = page.headers['x-next-cursor'] as string | undefined;
      path = cursor === undefined ? undefined : `/smartlink?limit=100&cursor=${cursor}`;
    }
    expect(listed).toEqual(paged);
    expect(Object.keys(whole.headers)).not.toContain('x-next-cursor');
  });
});

test('clients that do not read their lists leave the turns of heavy requests to other accounts', async () => {
  const { app } = await startServiceOn(service.databases);
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-fairness-'));
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  // Its buffers take 0.2 MiB; those of TCP take up to 4 MiB.
  const path = join(folder, 'socket');
  await app.listen({ path });
  const stalled = Array.from({ length: 2 }, async () => {
    const { apiKey } = await service.createUser();
    expect((await caller(app, apiKey).post('/smartlink', menuOf(700))).status).toBe(201);
    const client = connect(path);
    onTestFinished(() => void client.destroy());
    client.write(`GET /api/v1/smartlink HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`);
    await once(client, 'readable');
  });
  await Promise.all(stalled);
  const turns = await metricsOf(app);
  expect(turns).toContain('smartlink_api_turns{queue="answers",state="running"} 2');
  expect(turns).toContain('smartlink_api_turns{queue="heavy",state="running"} 0');
  const other = caller(app, (await service.createUser()).apiKey);
  expect((await other.post('/smartlink', menuOf(64))).status).toBe(201);
}, 90_000);

test('a crash of the thread is 503 to the requests it had, and the next ones get a new thread', async () => {
  const checks: (() => void)[] = [];
  let isStalled = true;
  const urlSafety: UrlSafety = {
    check: () =>
      new Promise((resolve) => {
        const answer = () => {
          resolve({ unsafe: [], isChecked: true });
        };
        if (isStalled) checks.push(answer);
        else answer();
      }),
  };
  const threads: Worker[] = [];
  const collect = (thread: Worker) => threads.push(thread);
  process.on('worker', collect);
  onTestFinished(() => void process.off('worker', collect));
  const { app, logLines } = await startServiceOn(service.databases, {}, urlSafety);
  onTestFinished(() => app.close());
  const large = { ...urlSmartlink(), x: 'a'.repeat(40_000) };
  const api = caller(app, (await service.createUser()).apiKey);
  const other = caller(app, (await service.createUser()).apiKey);
  const lost = [api, other].map((each) => each.post('/smartlink', large, { 'idempotency-key': 'once' }));
  // The thread has both when it asks the process about their URLs.
  await until(() => checks.length === 2, 'the thread has two requests');
  expect(threads).toHaveLength(1);
  await threads[0]?.terminate();
  for (const { status, headers, body } of await Promise.all(lost)) {
    expect([status, headers['retry-after'], body.error.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE']);
  }
  expect(logLines.join('')).toContain('thread of heavy requests ended');
  isStalled = false;
  for (const answer of checks) answer();
  const again = await Promise.all(
    [api, other].map((each) => each.post('/smartlink', large, { 'idempotency-key': 'once' })),
  );
  expect(again.map(({ status }) => status)).toEqual([201, 201]);
  expect(threads).toHaveLength(2);
  expect((await api.get('/smartlink')).body.data).toHaveLength(1);
  const turns = await metricsOf(app);
  for (const queue of ['answers', 'heavy']) {
    expect(turns).toContain(`smartlink_api_turns{queue="${queue}",state="running"} 0`);
  }
});

test('a thread that cannot start is 503, and the next request starts one', async () => {
  // Data that no thread can take make its start throw, as a system without free threads does.
  const config = { refused: () => undefined };
  const app = fastify();
  onTestFinished(() => app.close());
  app.decorate('urlSafety', NO_URL_SAFETY);
  for (const name of ['url-safety', 'format-gate']) {
    await app.register(
      fp(
        (_app, _options, done) => {
          done();
        },
        { name },
      ),
    );
  }
  await app.register(heavyRequests, { config: config as unknown as Config, log: pino({ level: 'silent' }) });
  app.get('/', (request, reply) =>
    app.heavyRequests.forward(request, reply, undefined, {
      onHead: () => undefined,
      onBytes: () => undefined,
    }),
  );
  app.decorateRequest('principal', null);
  app.setErrorHandler((err: Error, _request, reply) => reply.send({ cause: String(err.cause) }));
  expect((await app.inject('/')).json().cause).toContain('DataCloneError');
  Reflect.deleteProperty(config, 'refused');
  // It starts, and ends for want of a configuration.
  expect((await app.inject('/')).json().cause).not.toContain('DataCloneError');
});

describe('the work of a minute', () => {
  test('a create of 1 MiB costs as much as hundreds of requests', async () => {
    const { apiKey, userId } = await service.createUser();
    const api = caller(service.app, apiKey);
    expect((await api.post('/smartlink', worstBodies('x')['items with images, valid'])).status).toBe(201);
    await until(async () => {
      await api.get('/validate');
      const workMs = await redisOf(service.app).hget(
        `${service.databases.redisKeyPrefix}usage:${userId}`,
        'workMs',
      );
      return Number(workMs) > 300 && Number(workMs) < 500;
    }, 'its cost is counted');
  });

  test.each([
    ['Starter', 6_000],
    ['Enterprise', 30_000],
  ])(
    'above the budget of %s is 429 until the minute is over, for that account alone',
    async (plan, budgetMs) => {
      const spender = await service.createUser(plan);
      const other = await service.createUser(plan);
      const key = `${service.databases.redisKeyPrefix}usage:${spender.userId}`;
      const api = caller(service.app, spender.apiKey);
      await untilCounted(api);
      expect((await api.get('/validate')).status).toBe(200);
      await redisOf(service.app).hset(key, { workMs: budgetMs + 1 });
      const res = await until(async () => {
        const answer = await api.get('/validate');
        return answer.status === 429 && answer;
      }, 'the budget is spent');
      expect(res.body.error).toEqual({
        code: 'RATE_LIMITED',
        message: 'Too many requests',
        details: [{ path: '', message: 'Large requests or answers used up this minute' }],
      });
      expect(Number(res.headers['retry-after'])).toBeGreaterThan(50);
      expect((await caller(service.app, other.apiKey).get('/validate')).status).toBe(200);
    },
  );
});

test('requests of one account that wait for a slow provider leave turns to the others', async () => {
  let isStalled = true;
  const checks: (() => void)[] = [];
  const stalled: UrlSafety = {
    check: () =>
      new Promise((resolve) => {
        const answer = () => {
          resolve({ unsafe: [], isChecked: true });
        };
        if (isStalled) checks.push(answer);
        else answer();
      }),
  };
  const { app } = await startServiceOn(service.databases, {}, stalled);
  onTestFinished(() => app.close());
  const busy = caller(app, (await service.createUser()).apiKey);
  const other = caller(app, (await service.createUser()).apiKey);
  const creates = Array.from({ length: 210 }, () => busy.post('/smartlink', urlSmartlink()));
  // Three have a turn, 200 wait, the others are refused at once.
  const early: number[] = [];
  for (const each of creates) void each.then(({ status }) => early.push(status));
  await until(() => early.length >= 7, 'the rest is refused');
  expect(early).toEqual(Array.from({ length: 7 }, () => 429));
  expect(checks).toHaveLength(3);
  expect((await other.get('/validate')).status).toBe(200);
  isStalled = false;
  for (const answer of checks) answer();
  // On a busy machine some wait for more than 5 s.
  const statuses = (await Promise.all(creates)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
  expect(statuses.slice(0, 3)).toEqual([201, 201, 201]);
});
