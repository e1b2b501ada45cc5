import { redisPlaces } from '@smartlink/link-resolver/redis-address';
import { openRedis } from '@smartlink/link-resolver/redis-connection';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { whenNodesReady } from '@smartlink/link-resolver/redis-nodes';
import { cutIntoChunks } from '@smartlink/link-resolver/snapshot-chunks';
import { findEachSnapshot, weighSnapshots } from '@smartlink/link-resolver/snapshot-query';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { Problem } from './problem.js';
import { describe } from './session.js';
import type { Session } from './session.js';

const REDIS_TIMEOUT_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;
// The person at the terminal is told by its outcome.
const SILENT = { info: () => undefined, warn: () => undefined };

export type Cache = { readonly redis: RedisConnection; readonly keyPrefix: string };

/** Returns what `work` returns; the connection is closed after it. Throws Problem when Redis is not there. */
export async function withRedis<T>(
  { addresses: { redisUrl, redisKeyPrefix } }: Pick<Session, 'addresses'>,
  work: (cache: Cache) => Promise<T>,
): Promise<T> {
  if (redisUrl === undefined)
    throw new Problem('REDIS_URL (or REDIS_URL_FILE) is not set: it says where the snapshots are.');
  const redis = openRedis({ url: redisUrl, log: SILENT, commandTimeoutMs: REDIS_TIMEOUT_MS });
  try {
    try {
      await whenNodesReady(redis, CONNECT_LIMIT_MS);
    } catch (err) {
      throw new Problem(`Redis at ${redisPlaces(redisUrl).join(', ')} cannot be reached: ${describe(err)}`);
    }
    return await work({ redis, keyPrefix: redisKeyPrefix });
  } finally {
    redis.disconnect();
  }
}

/**
 * Yields what Postgres says of slugs, some MiB at a time; an Error is of a row that no snapshot can be made of, and a
 * slug that was never used is not in the map.
 */
export async function* readTruth(
  db: Queryable,
  slugKeys: readonly string[],
): AsyncGenerator<{
  readonly slugKeys: readonly string[];
  readonly snapshots: ReadonlyMap<string, LinkSnapshot | Error>;
}> {
  const entries = slugKeys.map((slugKey) => ({ slugKey }));
  for (const chunk of cutIntoChunks(entries, await weighSnapshots(db, slugKeys))) {
    const keys = chunk.map(({ slugKey }) => slugKey);
    yield { slugKeys: keys, snapshots: await findEachSnapshot(db, keys) };
  }
}
