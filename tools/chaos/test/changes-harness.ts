import { createHash, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/credentials';
import { percentile } from '@smartlink/test-support/percentile';
import type { TestDatabases } from '@smartlink/test-support/test-databases';
import { trialSize } from '@smartlink/test-support/trial-size';
import { listeningPort, startProcess } from '../../../services/management/test/start-process.js';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import { findOwner, openVisitor, type Visitor } from '../../../services/redirect/test/changes-visitor.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';

const CONNECTIONS_MAX = 200;
const IDLE_MAX_MS = 4_000;
/** Longer than a fail-over: a late change is recorded, only a lost one fails. */
const SEEN_DEADLINE_MS = 60_000;

/**
 * Repeats a visit by each visitor until its answer is `expected`. Returns the time of the slowest in ms. A pause between
 * visits leaves CPU time to the services and makes the time less exact.
 */
export async function untilSeen(
  visitors: readonly Visitor[],
  slug: string,
  expected: string,
  pauseMs = trialSize(2, 0),
): Promise<number> {
  const from = performance.now();
  const visitOn = async (visitor: Visitor): Promise<void> => {
    for (;;) {
      const answer = await visitor.visit(slug);
      if (answer === expected) return;
      if (performance.now() - from > SEEN_DEADLINE_MS)
        throw new Error(`${slug}: still ${answer}, not ${expected}`);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(visitors.map(visitOn));
  return performance.now() - from;
}

/** Bounds of C1. */
export const isSoon = (delays: readonly number[]): boolean =>
  percentile(delays, 0.5) <= 10 && percentile(delays, 0.99) <= 100 && percentile(delays, 1) <= 1_000;

export function inWords(delaysMs: readonly number[]): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(delaysMs, share).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
}

/** One visitor per process, replaced when idle: the service closes idle connections after 10 s. The caller closes it. */
export function keepVisitors(redirect: Redirect) {
  let kept: readonly Visitor[] = [];
  let usedAt = Number.NEGATIVE_INFINITY;
  const close = (): void => {
    for (const visitor of kept) visitor.close();
    kept = [];
  };
  return {
    close,
    async untilSeen(slug: string, expected: string, pauseMs?: number): Promise<number> {
      if (performance.now() - usedAt > IDLE_MAX_MS) {
        close();
        kept = await openVisitorOfEach(redirect);
      }
      usedAt = performance.now();
      return untilSeen(kept, slug, expected, pauseMs);
    },
  };
}

/** Connections are distributed by the kernel: they are opened until each process has one. The caller closes them. */
async function openVisitorOfEach(redirect: Redirect): Promise<readonly Visitor[]> {
  const workers = redirect.workers();
  const visitors = new Map<number, Visitor>();
  for (let opened = 0; visitors.size < workers.length; opened += 1) {
    if (opened === CONNECTIONS_MAX)
      throw new Error(`${visitors.size} of ${workers.length} processes reached`);
    const visitor = await openVisitor(redirect.port);
    // A process has accepted the connection once it answers.
    await visitor.visit('-');
    const worker = findOwner(workers, redirect.port, visitor.localPort);
    if (worker === undefined || visitors.has(worker)) visitor.close();
    else visitors.set(worker, visitor);
  }
  return [...visitors.values()];
}

/** A management process that uses `redisUrl`. The caller ends it by `kill`, a kill -9. */
export async function startManagement(
  { databaseUrl, clickhouseUrl, redisKeyPrefix }: TestDatabases,
  redisUrl: string,
  apiKey: string,
) {
  const management = startProcess({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    REDIS_KEY_PREFIX: redisKeyPrefix,
    MANAGEMENT_PORT: '0',
    MANAGEMENT_METRICS_PORT: '0',
    LOG_LEVEL: 'info',
  });
  const kill = async (): Promise<void> => {
    management.child.kill('SIGKILL');
    await management.ended;
  };
  const port = await listeningPort(management).catch(async (err: unknown) => {
    await kill();
    throw err;
  });
  return { ...linksBy(callApi(port, apiKey)), kill };
}

export type Management = Awaited<ReturnType<typeof startManagement>>;

/** Calls the API at a port. Rejects unless it succeeds. */
export function callApi(port: number, apiKey: string) {
  return async (method: string, query: string, body?: object): Promise<Answer> => {
    const res = await fetch(`http://127.0.0.1:${port}/api/v1/${query}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await res.text();
    if (!res.ok) throw new Error(`${method} ${query} was answered ${res.status}: ${text}`);
    return JSON.parse(text) as Answer;
  };
}

export type Answer = { readonly data: { readonly id: string; readonly [key: string]: unknown } };

/** Creates, changes and removes links through the API. `create` resolves to the id. */
export function linksBy(call: ReturnType<typeof callApi>) {
  return {
    create: async (slug: string, url: string) =>
      (await call('POST', 'smartlink', urlSmartlink({ smartlinkUrl: slug }, { url }))).data.id,
    change: (id: string, url: string) => call('PATCH', 'smartlink', { id, shortener: { url } }),
    remove: (id: string) => call('DELETE', 'smartlink', { smartlinkId: id }),
  };
}

/** Adds a user without a rate limit and returns their API key. */
export async function addCaller(pool: Pool): Promise<string> {
  const userId = randomUUID();
  const apiKey = generateApiKey(randomInt);
  await pool.query(`update plans set requests_per_minute = 1000000 where name = 'Enterprise'`);
  await pool.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [
    userId,
    `${userId}@example.com`,
  ]);
  await pool.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'test')`,
    [randomUUID(), userId, createHash('sha256').update(apiKey).digest(), apiKeyDisplayPrefix(apiKey)],
  );
  return apiKey;
}
