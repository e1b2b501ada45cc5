import type { Redis } from 'ioredis';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker } from './breaker.js';
import { addSetIfNewer } from './link-publisher.js';
import { createMissQueue } from './miss-queue.js';
import { decodeSnapshot, snapshotRedisKey } from './redis-codec.js';
import { findSnapshots } from './snapshot-query.js';
import type { Queryable } from './snapshot-query.js';

export type Resolution = {
  /** null: the slug was never used. */
  readonly snapshot: LinkSnapshot | null;
  readonly source: 'redis' | 'postgres';
};

/** Neither Redis nor Postgres could say whether the slug exists. Never the same as "no such link". */
export class UnresolvableError extends Error {
  constructor(cause: unknown) {
    super('Neither Redis nor Postgres answered', { cause });
    this.name = 'UnresolvableError';
  }
}

export type LinkResolver = {
  /** Returns what is known of a slug (by slugKey), newest first from Redis, else from Postgres. Throws UnresolvableError. */
  readonly resolve: (slugKey: string) => Promise<Resolution>;
  readonly counters: Readonly<ResolverCounters>;
};

export type ResolverCounters = {
  redisHits: number;
  redisMisses: number;
  redisFailures: number;
  redisSkipped: number;
  postgresHits: number;
  postgresMisses: number;
  postgresFailures: number;
  postgresQueries: number;
};

export type LinkResolverOptions = {
  /** Opened by openRedis with a command timeout: a slow Redis must cost a visit little. */
  readonly redis: Redis;
  readonly postgres: Queryable;
  readonly keyPrefix: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

// A Redis that fails so often in a row is left alone for a while, so that its timeouts are not added to every miss.
const REDIS_FAILURES_MAX = 3;
const REDIS_PAUSE_MS = 500;

/**
 * Looks slugs up in Redis, then in Postgres, and hands what Postgres knew to Redis. It keeps nothing itself: one
 * flight a slug and what is fresh are the caller's concern.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const { redis, postgres, keyPrefix, now } = options;
  const counters: ResolverCounters = {
    redisHits: 0,
    redisMisses: 0,
    redisFailures: 0,
    redisSkipped: 0,
    postgresHits: 0,
    postgresMisses: 0,
    postgresFailures: 0,
    postgresQueries: 0,
  };
  const breaker = createBreaker({ failuresMax: REDIS_FAILURES_MAX, pauseMs: REDIS_PAUSE_MS, now });

  const askPostgres = createMissQueue(async (slugKeys) => {
    counters.postgresQueries += 1;
    const found = await findSnapshots(postgres, slugKeys);
    fillRedis(found);
    return found;
  });

  function fillRedis(found: ReadonlyMap<string, LinkSnapshot>): void {
    if (found.size === 0 || !breaker.allows()) return;
    const pipeline = redis.pipeline();
    for (const [slugKey, snapshot] of found) addSetIfNewer(pipeline, keyPrefix, slugKey, snapshot);
    pipeline.exec().then(breaker.succeeded, breaker.failed);
  }

  async function askRedis(slugKey: string): Promise<LinkSnapshot | null> {
    if (!breaker.allows()) {
      counters.redisSkipped += 1;
      return null;
    }
    try {
      const value = await redis.get(snapshotRedisKey(keyPrefix, slugKey));
      breaker.succeeded();
      const snapshot = value === null ? null : decodeSnapshot(value);
      if (snapshot === null) counters.redisMisses += 1;
      else counters.redisHits += 1;
      return snapshot;
    } catch {
      breaker.failed();
      counters.redisFailures += 1;
      return null;
    }
  }

  return {
    counters,
    async resolve(slugKey) {
      const cached = await askRedis(slugKey);
      if (cached !== null) return { snapshot: cached, source: 'redis' };
      try {
        const snapshot = await askPostgres(slugKey);
        if (snapshot === null) counters.postgresMisses += 1;
        else counters.postgresHits += 1;
        return { snapshot, source: 'postgres' };
      } catch (err) {
        counters.postgresFailures += 1;
        throw new UnresolvableError(err);
      }
    },
  };
}
