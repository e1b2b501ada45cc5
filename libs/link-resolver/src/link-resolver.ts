import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import { createMissQueue } from './miss-queue.js';
import type { RedisConnection } from './redis-connection.js';
import { createRedisTier } from './redis-tier.js';
import { noCounts } from './resolver-counters.js';
import type { ResolverCounters } from './resolver-counters.js';
import { findEachSnapshot, findWithin } from './snapshot-query.js';
import type { Queryable, Withheld } from './snapshot-query.js';

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
  readonly redis: RedisConnection;
  /** With connect and statement timeouts, for the same reason. */
  readonly postgres: Queryable;
  readonly keyPrefix: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

// What one query reads of content: some 10 ms of Postgres and as much of this process, in which other visits wait.
const QUERY_BYTES_MAX = 1024 * 1024;

/**
 * Looks slugs up in Redis, then in Postgres, and hands what Postgres knew to Redis. It keeps nothing itself: one
 * flight a slug and what is fresh are the caller's concern. It owns neither connection.
 *
 * Postgres is asked in two lanes. The first question is for all who wait and brings the smallest links, as many as fit
 * into a mebibyte; the others are fetched after that, so many at a time, and nobody with a small link waits for them.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const { postgres, now } = options;
  const counters = noCounts();
  const redis = createRedisTier({ ...options, counters });
  const breaker = createBreaker({ ...ENGINE_BREAKER, now });

  const askAll = createMissQueue<LinkSnapshot | Withheld>(async (slugKeys, minVersion) => {
    // The probe is a batch: there is no cheaper question than the one that waits.
    if (!breaker.allows() && !breaker.takesProbe()) throw new Error(LEFT_ALONE);
    counters.postgresQueries += 1;
    try {
      const found = await findWithin(postgres, slugKeys, QUERY_BYTES_MAX);
      breaker.succeeded();
      redis.fill(found, minVersion);
      return found;
    } catch (err) {
      breaker.failed();
      throw err;
    }
  });

  // The breaker does not hear of these: that one large link takes too long says nothing of the others.
  const askLarge = createMissQueue<LinkSnapshot>(async (slugKeys, minVersion) => {
    if (!breaker.allows()) throw new Error(LEFT_ALONE);
    counters.postgresQueries += 1;
    const found = await findEachSnapshot(postgres, slugKeys);
    redis.fill(found, minVersion);
    return found;
  }, QUERY_BYTES_MAX);

  async function askPostgres(slugKey: string, minVersion: number): Promise<LinkSnapshot | null> {
    const answer = await askAll(slugKey, minVersion);
    if (answer === null || !('withheldBytes' in answer)) return answer;
    const ask = () => askLarge(slugKey, minVersion, answer.withheldBytes);
    // It has waited for others by now, which is worth a second try.
    return ask().catch(ask);
  }

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

const LEFT_ALONE = 'Postgres is left alone after failures';
