import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { openRedis, whenReady } from '@smartlink/link-resolver/redis-connection';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { linkSlugs } from './many-links.js';

/** As the services' own configuration has it. */
export const KEY_PREFIX = 'smartlink:';

const LINKS_A_PART = 2_000;
const COMMAND_LIMIT_MS = 10_000;
const READY_LIMIT_MS = 10_000;

/** Opens Redis as the services do, but patiently, and waits until it answers. The caller disconnects it. Rejects after 10 s. */
export async function openLinkRedis(url: string): Promise<RedisConnection> {
  const log = { info: () => undefined, warn: () => undefined };
  const redis = openRedis({ url, log, commandTimeoutMs: COMMAND_LIMIT_MS });
  try {
    await whenReady(redis, READY_LIMIT_MS);
  } catch (err) {
    redis.disconnect();
    throw err;
  }
  return redis;
}

/**
 * Publishes links with these numbers from Postgres to Redis, as management does after a change. Redis may then take what
 * memory it needs: the limit of the embedded one would evict most of ten million. Rejects on `signal`.
 */
export async function fillRedis(
  { pg, redisUrl }: { pg: Pool; redisUrl: string },
  {
    from,
    to,
    signal,
    onStored,
  }: { from: number; to: number; signal: AbortSignal; onStored?: (count: number) => void },
): Promise<void> {
  await withRedis(redisUrl, (redis) => redis.config('SET', 'maxmemory', '0'));
  const redis = await openLinkRedis(redisUrl);
  try {
    for (let start = from; start < to; start += LINKS_A_PART) {
      signal.throwIfAborted();
      const count = Math.min(LINKS_A_PART, to - start);
      await publishSnapshots(redis, KEY_PREFIX, await findSnapshots(pg, linkSlugs(start, count)));
      onStored?.(start + count - from);
    }
  } finally {
    redis.disconnect();
  }
}

/** Does `work` with a connection of its own to Redis, for what services never ask. */
export async function withRedis<Result>(
  url: string,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
