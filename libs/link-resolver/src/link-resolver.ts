import type { Redis } from 'ioredis';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import { createMissQueue } from './miss-queue.js';
import { createRedisTier } from './redis-tier.js';
import { noCounts } from './resolver-counters.js';
import type { ResolverCounters } from './resolver-counters.js';
import { findEachSnapshot } from './snapshot-query.js';
import type { Queryable } from './snapshot-query.js';

export type { ResolverCounters } from './resolver-counters.js';

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
  /**
   * Returns what is known of a slug (by slugKey), newest first from Redis, else from Postgres. A value in Redis that is
   * older than `minVersion` counts as none; what Postgres says is taken as it is, but an older
   * value of its is not handed to Redis. Throws UnresolvableError.
   */
  readonly resolve: (slugKey: string, minVersion?: number) => Promise<Resolution>;
  readonly counters: Readonly<ResolverCounters>;
};

export type LinkResolverOptions = {
  /** Opened by openRedis with a command timeout: a slow Redis must cost a visit little. */
  readonly redis: Redis;
  /** With connect and statement timeouts, for the same reason. */
  readonly postgres: Queryable;
  readonly keyPrefix: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

/**
 * Looks slugs up in Redis, then in Postgres, and hands what Postgres knew to Redis. It keeps nothing itself: one
 * flight a slug and what is fresh are the caller's concern. It owns neither connection.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const { postgres, now } = options;
  const counters = noCounts();
  const redis = createRedisTier({ ...options, counters });
  const breaker = createBreaker({ ...ENGINE_BREAKER, now });

  const askPostgres = createMissQueue(async (slugKeys, minVersion) => {
    // The probe is a batch: there is no cheaper question than the one that waits.
    if (!breaker.allows() && !breaker.takesProbe()) throw new Error('Postgres is left alone after failures');
    counters.postgresQueries += 1;
    try {
      const found = await findEachSnapshot(postgres, slugKeys);
      breaker.succeeded();
      redis.fill(found, minVersion);
      return found;
    } catch (err) {
      breaker.failed();
      throw err;
    }
  });

  return {
    counters,
    async resolve(slugKey, minVersion = 0) {
      const cached = await redis.find(slugKey, minVersion);
      if (cached !== null) return { snapshot: cached, source: 'redis' };
      try {
        const snapshot = await askPostgres(slugKey, minVersion);
        if (snapshot === null) counters.postgresMisses += 1;
        else counters.postgresHits += 1;
        return { snapshot, source: 'postgres' };
      } catch (err) {
        counters.postgresFailures += 1;
        // With Postgres gone a link is lost for this visitor by one late answer of Redis: it is asked once more.
        const second = await redis.find(slugKey, minVersion);
        if (second !== null) return { snapshot: second, source: 'redis' };
        throw new UnresolvableError(err);
      }
    },
  };
}
