import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { openRedis, whenReady } from '@smartlink/link-resolver/redis-connection';
import { Client, DatabaseError } from 'pg';
import type { RedirectConfig } from './config.js';

type Addresses = Pick<
  RedirectConfig,
  'DATABASE_URL' | 'DATABASE_REPLICA_URL' | 'REDIS_URL' | 'CLICKHOUSE_URL'
>;

const ANSWER_MS_MAX = 2_000;
// SQLSTATE: a wrong password, a login that does not exist or may not come in, a database that is not there.
const POSTGRES_REFUSALS: ReadonlySet<string | undefined> = new Set(['28P01', '28000', '3D000', '42501']);
const REDIS_REFUSALS = /WRONGPASS|NOAUTH|NOPERM|without any password configured/;
// UNKNOWN_DATABASE, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED.
const CLICKHOUSE_REFUSALS: ReadonlySet<string> = new Set(['81', '192', '193', '194', '516']);

/**
 * Tries each login once, 2 s at most, and returns which of them an engine refuses, null when none does. An engine that is
 * away or slow refuses nobody: visitors are served without it, and it may be why a restart is asked for. Never rejects.
 */
export async function findRefusedLogin(addresses: Addresses): Promise<string | null> {
  const { DATABASE_URL, DATABASE_REPLICA_URL: replicas, REDIS_URL, CLICKHOUSE_URL } = addresses;
  const tries: readonly (readonly [string, Promise<boolean>])[] = [
    ['DATABASE_URL', isRefusedByPostgres(DATABASE_URL)],
    ...replicas.map((url) => ['DATABASE_REPLICA_URL', isRefusedByPostgres(url)] as const),
    ['REDIS_URL', isRefusedByRedis(REDIS_URL)],
    ['CLICKHOUSE_URL', isRefusedByClickhouse(CLICKHOUSE_URL)],
  ];
  const refused: string[] = [];
  for (const [variable, isRefused] of tries) if (await isRefused) refused.push(variable);
  return refused.length === 0 ? null : `the login in ${refused.join(' and in ')} is refused`;
}

async function isRefusedByPostgres(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS_MAX });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (err) {
    return err instanceof DatabaseError && POSTGRES_REFUSALS.has(err.code);
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function isRefusedByRedis(url: string): Promise<boolean> {
  const silent = { info: () => undefined, warn: () => undefined };
  const redis = openRedis({ url, log: silent, commandTimeoutMs: ANSWER_MS_MAX });
  try {
    await whenReady(redis, ANSWER_MS_MAX);
    // A server without passwords lets everybody in, and then refuses what they ask.
    await redis.ping();
    return false;
  } catch (err) {
    return err instanceof Error && REDIS_REFUSALS.test(err.message);
  } finally {
    redis.disconnect();
  }
}

async function isRefusedByClickhouse(url: string): Promise<boolean> {
  const client = createClient({
    url,
    request_timeout: ANSWER_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
  });
  try {
    const result = await client.query({ query: 'select 1', format: 'JSONEachRow' });
    await result.json();
    return false;
  } catch (err) {
    return err instanceof ClickHouseError && CLICKHOUSE_REFUSALS.has(err.code);
  } finally {
    void client.close().catch(() => undefined);
  }
}
