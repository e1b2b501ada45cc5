import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createMissQueue } from './miss-queue.js';
import { createPostgresTier } from './postgres-tier.js';
import type { PostgresAnswer, ReplicaOptions } from './postgres-tier.js';
import type { RedisConnection } from './redis-connection.js';
import { createRedisTier } from './redis-tier.js';
import { noCounts } from './resolver-counters.js';
import type { ResolverCounters } from './resolver-counters.js';
import type { Queryable, Withheld } from './snapshot-query.js';

export type { ResolverCounters } from './resolver-counters.js';

export type Resolution = {
  /** null: the slug was never used. */
  readonly snapshot: LinkSnapshot | null;
  readonly source: 'redis' | 'postgres' | 'replica';
  /** By so many milliseconds the answer may be older than the look-up. */
  readonly lagMs: number;
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
   * Returns what is known of a slug (by slugKey), newest first from Redis, else from Postgres. A value in Redis or in a
   * replica that is older than `minVersion` counts as none; what the primary says is taken as it is, but an older
   * value of its is not handed to Redis. Throws UnresolvableError.
   */
  readonly resolve: (slugKey: string, minVersion?: number) => Promise<Resolution>;
  readonly counters: Readonly<ResolverCounters>;
  /** By how many seconds the worst read replica is behind at most, or may be; 0 when there are none. */
  readonly replicaLagSeconds: () => number;
  readonly close: () => void;
  /** Which engines are left alone now after failures; of a Redis cluster, because of any node. */
  readonly leftAlone: () => { readonly redis: boolean; readonly postgres: boolean };
};

export type LinkResolverOptions = {
  /** Opened by openRedis with a command timeout: a slow Redis must cost a visit little. */
  readonly redis: RedisConnection;
  /** With connect and statement timeouts, for the same reason. */
  readonly postgres: Queryable;
  /** Read replicas that are asked before `postgres`, which is their primary then. */
  readonly reading?: ReplicaOptions | undefined;
  readonly keyPrefix: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

// What one query reads of content: some 10 ms of Postgres and as much of this process, in which other visits wait.
const QUERY_BYTES_MAX = 1024 * 1024;

/**
 * Looks slugs up in Redis, then in Postgres, and hands what Postgres knew to Redis. It keeps nothing itself: one
 * flight a slug and what is fresh are the caller's concern. It owns no connection; the caller closes it before those.
 *
 * Postgres is asked in two lanes. The first question is for all who wait and brings the smallest links, as many as fit
 * into a mebibyte; the others are fetched after that, so many at a time, and nobody with a small link waits for them.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const counters = noCounts();
  const redis = createRedisTier({ ...options, counters });
  const postgres = createPostgresTier({ ...options, reading: options.reading, counters });

  async function ask(
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
    how: { readonly bytesMax: number | null; readonly isLone: boolean },
  ): Promise<ReadonlyMap<string, PostgresAnswer | Withheld | Error>> {
    const found = await postgres.find(slugKeys, minVersion, how);
    for (const [slugKey, one] of found) {
      if (one instanceof Error || 'withheldBytes' in one || !one.isShareable) continue;
      // A Postgres that was restored from a backup may be behind what was published.
      if (one.snapshot.version >= minVersion(slugKey)) redis.fill(slugKey, one.snapshot);
    }
    return found;
  }

  const askAll = createMissQueue<PostgresAnswer | Withheld>((slugKeys, minVersion) =>
    ask(slugKeys, minVersion, { bytesMax: QUERY_BYTES_MAX, isLone: false }),
  );
  // The breaker does not hear of these: that one large link takes too long says nothing of the others.
  const askLarge = createMissQueue<PostgresAnswer | Withheld>(
    (slugKeys, minVersion) => ask(slugKeys, minVersion, { bytesMax: null, isLone: true }),
    QUERY_BYTES_MAX,
  );

  async function askPostgres(slugKey: string, minVersion: number): Promise<PostgresAnswer | null> {
    const answer = await askAll(slugKey, minVersion);
    if (answer === null || !('withheldBytes' in answer)) return answer;
    const askAlone = async (): Promise<PostgresAnswer | null> => {
      const large = await askLarge(slugKey, minVersion, answer.withheldBytes);
      if (large !== null && 'withheldBytes' in large) throw new Error('A link was withheld that stood alone');
      return large;
    };
    // It has waited for others by now, which is worth a second try.
    return askAlone().catch(askAlone);
  }

  return {
    counters,
    replicaLagSeconds: postgres.lagSeconds,
    close: postgres.close,
    leftAlone: () => ({ redis: redis.isLeftAlone(), postgres: postgres.isLeftAlone() }),
    async resolve(slugKey, minVersion = 0) {
      const cached = await redis.find(slugKey, minVersion);
      if (cached !== null) return { snapshot: cached, source: 'redis', lagMs: 0 };
      try {
        const answer = await askPostgres(slugKey, minVersion);
        if (answer === null) {
          counters.postgresMisses += 1;
          return { snapshot: null, source: 'postgres', lagMs: 0 };
        }
        if (answer.source === 'postgres') counters.postgresHits += 1;
        else counters.replicaHits += 1;
        return answer;
      } catch (err) {
        counters.postgresFailures += 1;
        // With Postgres gone a link is lost for this visitor by one late answer of Redis: it is asked once more.
        const second = await redis.find(slugKey, minVersion);
        if (second !== null) return { snapshot: second, source: 'redis', lagMs: 0 };
        throw new UnresolvableError(err);
      }
    },
  };
}
