import type { Client } from 'pg';
import { cutIntoChunks, findEachSnapshot, weighSnapshots } from '@smartlink/links/publish';
import { openRedis, type RedisConnection, redisPlaces, whenNodesReady } from '@smartlink/links/redis';
import { failureMessage } from '@smartlink/process/database';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { Problem } from '../cli/terminal.js';
import type { Session } from '../engines/session.js';

const REDIS_TIMEOUT_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;
export const SILENT = { info: () => undefined, warn: () => undefined };

export type Cache = { readonly redis: RedisConnection; readonly keyPrefix: string };

/** The result of `work`, which gets a connection. Throws Problem when Redis cannot be reached. */
export async function withRedis<T>(
  { addresses: { redisUrl, redisKeyPrefix } }: Pick<Session, 'addresses'>,
  work: (cache: Cache) => Promise<T>,
): Promise<T> {
  if (redisUrl === undefined)
    throw new Problem('REDIS_URL (or REDIS_URL_FILE) is not set: snapshots are stored there.');
  const redis = openRedis({ url: redisUrl, log: SILENT, commandTimeoutMs: REDIS_TIMEOUT_MS });
  try {
    await whenNodesReady(redis, CONNECT_LIMIT_MS).catch((err: unknown) => {
      const at = redisPlaces(redisUrl).join(', ');
      throw new Problem(`Redis at ${at} cannot be reached: ${failureMessage(err)}`);
    });
    return await work({ redis, keyPrefix: redisKeyPrefix });
  } finally {
    redis.disconnect();
  }
}

/** A snapshot, or the fault of a row that no snapshot can be made of. */
export type Snapshot = LinkSnapshot | Error;

/** Yields the snapshots of slugs as Postgres has them, some MiB at a time; a slug that was never used has none. */
export async function* readTruth(
  db: Client,
  slugKeys: readonly string[],
): AsyncGenerator<{
  readonly slugKeys: readonly string[];
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}> {
  const entries = slugKeys.map((slugKey) => ({ slugKey }));
  for (const chunk of cutIntoChunks(entries, await weighSnapshots(db, slugKeys))) {
    const keys = chunk.map(({ slugKey }) => slugKey);
    yield { slugKeys: keys, snapshots: await findEachSnapshot(db, keys) };
  }
}

export function pickReadable(snapshots: ReadonlyMap<string, Snapshot>): Map<string, LinkSnapshot> {
  return new Map([...snapshots].filter((one): one is [string, LinkSnapshot] => !(one[1] instanceof Error)));
}

export async function listKeys(db: Client, query: string, ...values: unknown[]): Promise<readonly string[]> {
  return (await db.query<{ key: string }>(query, values)).rows.map(({ key }) => key);
}

/** The estimated number of rows of a table; 0 when it is not known yet. */
export async function estimateRows(db: Client, table: 'slugs' | 'smartlinks'): Promise<number> {
  const query = 'select greatest(reltuples, 0)::float8 as n from pg_class where oid = $1::regclass';
  const { rows } = await db.query<{ n: number }>(query, [table]);
  return Math.round(rows[0]?.n ?? 0);
}
