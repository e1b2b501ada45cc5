import type { Redis } from 'ioredis';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker } from './breaker.js';
import { addSetIfNewer } from './link-publisher.js';
import { createMissQueue } from './miss-queue.js';
import { decodeSnapshot, snapshotRedisKey } from './redis-codec.js';
import { findEachSnapshot } from './snapshot-query.js';
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
  /**
   * Returns what is known of a slug (by slugKey), newest first from Redis, else from Postgres. A value in Redis that is
   * older than `minVersion` counts as none; what Postgres says is taken as it is. Throws UnresolvableError.
   */
  readonly resolve: (slugKey: string, minVersion?: number) => Promise<Resolution>;
  readonly counters: Readonly<ResolverCounters>;
};

export type ResolverCounters = {
  redisHits: number;
  redisMisses: number;
  /** Values older than the visit already knew of. */
  redisOutdated: number;
  redisFailures: number;
  /** Visits that did not ask Redis, because it had failed. */
  redisSkipped: number;
  redisFillFailures: number;
  postgresHits: number;
  postgresMisses: number;
  postgresFailures: number;
  postgresQueries: number;
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

// An engine that fails so often in a row is left alone for a while, so that its timeouts are not added to every miss.
const FAILURES_MAX = 3;
const PAUSE_MS = 500;

/**
 * Looks slugs up in Redis, then in Postgres, and hands what Postgres knew to Redis. It keeps nothing itself: one
 * flight a slug and what is fresh are the caller's concern. It owns neither connection.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const { redis, postgres, keyPrefix, now } = options;
  const counters = noCounts();
  const redisBreaker = createBreaker({ failuresMax: FAILURES_MAX, pauseMs: PAUSE_MS, now });
  const askPostgres = createMissQueue(guardedFetch());

  function guardedFetch() {
    const breaker = createBreaker({ failuresMax: FAILURES_MAX, pauseMs: PAUSE_MS, now });
    return async (slugKeys: readonly string[]) => {
      // The probe is a batch: there is no cheaper question than the one that waits.
      if (!breaker.allows() && !breaker.takesProbe())
        throw new Error('Postgres is left alone after failures');
      counters.postgresQueries += 1;
      try {
        const found = await findEachSnapshot(postgres, slugKeys);
        breaker.succeeded();
        fillRedis(found);
        return found;
      } catch (err) {
        breaker.failed();
        throw err;
      }
    };
  }

  // The breaker does not hear of fills: a Redis that is full refuses them and answers reads all the same.
  function fillRedis(found: ReadonlyMap<string, LinkSnapshot | Error>): void {
    if (!redisBreaker.allows()) return;
    const pipeline = redis.pipeline();
    for (const [slugKey, snapshot] of found) {
      if (!(snapshot instanceof Error)) addSetIfNewer(pipeline, keyPrefix, slugKey, snapshot);
    }
    if (pipeline.length === 0) return;
    pipeline.exec().then(
      (results) => {
        counters.redisFillFailures += results?.filter(([err]) => err !== null).length ?? 0;
      },
      () => {
        counters.redisFillFailures += 1;
      },
    );
  }

  // A ping instead of a visit: nobody waits for the timeout of an engine that is still down.
  function probeRedis(): void {
    redis.ping().then(redisBreaker.succeeded, () => {
      redisBreaker.failed();
      // A connection whose other end is gone without a word says `ready` for ever; only a new one can tell.
      if (redis.status === 'ready') redis.disconnect(true);
    });
  }

  async function askRedis(slugKey: string, minVersion: number): Promise<LinkSnapshot | null> {
    if (!redisBreaker.allows()) {
      counters.redisSkipped += 1;
      if (redisBreaker.takesProbe()) probeRedis();
      return null;
    }
    try {
      const value = await redis.get(snapshotRedisKey(keyPrefix, slugKey));
      redisBreaker.succeeded();
      const snapshot = value === null ? null : decodeSnapshot(value);
      if (snapshot === null) counters.redisMisses += 1;
      else if (snapshot.version < minVersion) counters.redisOutdated += 1;
      else counters.redisHits += 1;
      return snapshot !== null && snapshot.version >= minVersion ? snapshot : null;
    } catch {
      redisBreaker.failed();
      counters.redisFailures += 1;
      return null;
    }
  }

  return {
    counters,
    async resolve(slugKey, minVersion = 0) {
      const cached = await askRedis(slugKey, minVersion);
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

function noCounts(): ResolverCounters {
  return {
    redisHits: 0,
    redisMisses: 0,
    redisOutdated: 0,
    redisFailures: 0,
    redisSkipped: 0,
    redisFillFailures: 0,
    postgresHits: 0,
    postgresMisses: 0,
    postgresFailures: 0,
    postgresQueries: 0,
  };
}
