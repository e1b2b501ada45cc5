import { createClient } from '@clickhouse/client';
import { pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { openRedis, type RedisConnection, whenReady } from '@smartlink/links/redis';
import { parseResponse, type RawResponse, request } from '@smartlink/test-support/raw-request';
import {
  createTestDatabases,
  type TestDatabases,
  type TestDatabasesOptions,
} from '@smartlink/test-support/test-databases';
import { openOutboxDatabase } from '../src/links/postgres.js';
import type { NewLink } from './link-store.js';
import { type Redirect, startRedirect } from './start-redirect.js';
import { openTrial, type Trial } from './trial.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
export const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
export const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`;
export const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;
export const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`;
export const MAC_SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
export const PREVIEW_AGENT = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

/** An object whose members are read from `current` at each use: it exists before a hook has made the real one. */
export function lazily<T extends object>(current: () => T): T {
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current(), name) as unknown });
}

/** Gives a test file databases of its own, dropped at its end. */
export function useDatabases(options: TestDatabasesOptions = { clickhouse: 'shared' }): TestDatabases {
  let databases: TestDatabases;
  beforeAll(async () => {
    databases = await createTestDatabases(inject('stack'), options);
  });
  afterAll(() => databases.drop());
  return lazily(() => databases);
}

/** Gives a test file a trial of its own with `links`, closed at its end. */
export function useTrial(options?: TestDatabasesOptions, links: readonly NewLink[] = []): Trial {
  let trial: Trial;
  beforeAll(async () => {
    trial = await openTrial(options);
    for (const link of links) await trial.links.insert(link);
  });
  afterAll(() => trial.close());
  return lazily(() => trial);
}

/** Runs `work` with a Redis connection of its own and a Postgres that may only be read. */
export async function withReadOnly(
  { redisUrl, databaseUrl }: Pick<TestDatabases, 'redisUrl' | 'databaseUrl'>,
  work: (sources: { redis: RedisConnection; db: ReturnType<typeof openOutboxDatabase> }) => Promise<void>,
): Promise<void> {
  const redis = openRedis({ url: redisUrl, log: pino({ level: 'silent' }), commandTimeoutMs: 1_000 });
  const readOnly = new URL(databaseUrl);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  const db = openOutboxDatabase(readOnly.href);
  try {
    await whenReady(redis, 10_000);
    await work({ redis, db });
  } finally {
    redis.disconnect();
    await db.end();
  }
}

export type Served = {
  readonly trial: Trial;
  readonly redirect: Redirect;
  /** Sends one request on a connection of its own. */
  readonly ask: (method: string, path: string, ...lines: string[]) => Promise<RawResponse>;
  /** A GET of a browser on Linux. */
  readonly get: (path: string, ...lines: string[]) => Promise<RawResponse>;
};

/** Gives a test file a trial of its own with `links` and a running service, both closed at its end. */
export function serve(
  env: Readonly<Record<string, string>> = {},
  { links = [], clickhouse = 'shared' }: { links?: readonly NewLink[] } & TestDatabasesOptions = {},
): Served {
  const trial = useTrial({ clickhouse }, links);
  let redirect: Redirect;
  beforeAll(async () => {
    redirect = await startRedirect(trial.databases, env);
  });
  afterAll(() => redirect.stop());
  const ask: Served['ask'] = (method, path, ...lines) =>
    request(redirect.port, [`${method} ${path} HTTP/1.1`, 'Host: sl.example.com', ...lines], {
      until: (text) => isWhole(method, text),
      deadlineMs: 25_000,
    });
  const get: Served['get'] = (path, ...lines) => ask('GET', path, `User-Agent: ${LINUX}`, ...lines);
  return { trial, redirect: lazily(() => redirect), ask, get };
}

/** Neither HEAD nor a 304 brings the body whose length it names; a 204 names none. */
export function isWhole(method: string, text: string): boolean {
  const { status, headers, body } = parseResponse(text);
  if (status === 0 || method === 'HEAD' || status === 204 || status === 304) return status !== 0;
  return body.length >= Number(headers['content-length']);
}

/** The rows of a query of the table of events. */
export async function selectEvents<T>(
  clickhouseUrl: string,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<T[]> {
  const client = createClient({ url: clickhouseUrl });
  try {
    const result = await client.query({ query, query_params: { ...params }, format: 'JSONEachRow' });
    return await result.json<T>();
  } finally {
    await client.close();
  }
}
