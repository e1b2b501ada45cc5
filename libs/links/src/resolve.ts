import { type Breaker, createBreaker, ENGINE_BREAKER, type Queryable } from '@smartlink/process/database';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import {
  createMissQueue,
  createPostgresTier,
  type PostgresAnswer,
  type ReplicaOptions,
} from './postgres-tier.js';
import { isOfOtherType, replaceCached, setIfNewer } from './publish.js';
import { nodeServing } from './redis-cluster.js';
import { decodeSnapshot, encodeSnapshot, isOfKnownFormat, snapshotRedisKey } from './redis-codec.js';
import type { RedisConnection } from './redis.js';
import { noCounts, type ResolverCounters } from './resolver-counters.js';
import type { Withheld } from './snapshot-query.js';

export {
  REPLICA_LAG_MAX_MS,
  createRecentChanges,
  createReplicas,
  findReplayed,
  findWritten,
} from './replicas.js';
export type { Replica } from './replicas.js';
export { noCounts } from './resolver-counters.js';

export type Resolution = {
  /** null: the slug was never used. */
  readonly snapshot: LinkSnapshot | null;
  readonly source: 'redis' | 'postgres' | 'replica';
  /** Maximum age of the answer in milliseconds. */
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
   * Snapshot of a slug (by slugKey) from Redis, else from Postgres. Values of Redis or a replica older than `minVersion`
   * are ignored. The primary's answer is always taken, but not written to Redis if older. Throws UnresolvableError.
   */
  readonly resolve: (slugKey: string, minVersion?: number) => Promise<Resolution>;
  readonly counters: Readonly<ResolverCounters>;
  /** Maximum lag of the slowest read replica in seconds; 0 without replicas. */
  readonly replicaLagSeconds: () => number;
  readonly close: () => void;
  /** Engines with an open circuit breaker; for a Redis cluster, that of any node. */
  readonly openBreakers: () => { readonly redis: boolean; readonly postgres: boolean };
};

export type LinkResolverOptions = {
  /** Opened by openRedis with a short command timeout, which bounds the cost of a slow Redis for a visit. */
  readonly redis: RedisConnection;
  /** Must have connect and statement timeouts, for the same reason. */
  readonly postgres: Queryable;
  /** Read replicas of `postgres`, queried before it. */
  readonly reading?: ReplicaOptions | undefined;
  readonly keyPrefix: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

// Content read per query: about 10 ms of Postgres and of this process, during which other visits wait.
const QUERY_BYTES_MAX = 1024 * 1024;

/**
 * Looks slugs up in Redis, then in Postgres, and writes what Postgres returned to Redis. Keeps no state: caching and one
 * flight per slug are the caller's concern. Owns no connection; close it before the connections.
 *
 * Postgres is queried in two lanes: one query reads the smallest of all waiting links, up to 1 MiB; larger links are
 * fetched afterwards, so that small links never wait for them.
 */
export function createLinkResolver(options: LinkResolverOptions): LinkResolver {
  const counters = noCounts();
  const redis = createRedisTier({ ...options, counters });
  const postgres = createPostgresTier({ ...options, reading: options.reading, counters });

  async function readPostgres(
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
    how: { readonly bytesMax: number | null; readonly isLone: boolean },
  ): Promise<ReadonlyMap<string, PostgresAnswer | Withheld | Error>> {
    const found = await postgres.find(slugKeys, minVersion, how);
    for (const [slugKey, one] of found) {
      if (one instanceof Error || 'withheldBytes' in one || !one.isShareable) continue;
      // A Postgres restored from a backup may be older than what was published.
      if (one.snapshot.version >= minVersion(slugKey)) redis.fill(slugKey, one.snapshot);
    }
    return found;
  }

  const askAll = createMissQueue<PostgresAnswer | Withheld>((slugKeys, minVersion) =>
    readPostgres(slugKeys, minVersion, { bytesMax: QUERY_BYTES_MAX, isLone: false }),
  );
  // Not reported to the breaker: one slow large link says nothing about the others.
  const askLarge = createMissQueue<PostgresAnswer | Withheld>(
    (slugKeys, minVersion) => readPostgres(slugKeys, minVersion, { bytesMax: null, isLone: true }),
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
    // After waiting behind others, it is worth a second try.
    return askAlone().catch(askAlone);
  }

  return {
    counters,
    replicaLagSeconds: postgres.lagSeconds,
    close: postgres.close,
    openBreakers: () => ({ redis: redis.isBreakerOpen(), postgres: postgres.isBreakerOpen() }),
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
        // Without Postgres one late answer of Redis would lose the link for this visitor: Redis is asked once more.
        const second = await redis.find(slugKey, minVersion);
        if (second !== null) return { snapshot: second, source: 'redis', lagMs: 0 };
        throw new UnresolvableError(err);
      }
    },
  };
}

type RedisTier = {
  /** null if Redis has no snapshot of at least `minVersion`, or does not answer. */
  readonly find: (slugKey: string, minVersion: number) => Promise<LinkSnapshot | null>;
  /** Writes a snapshot to Redis unless it holds a newer one. Not awaited. */
  readonly fill: (slugKey: string, snapshot: LinkSnapshot) => void;
  /** Whether the circuit breaker of any node is open. */
  readonly isBreakerOpen: () => boolean;
};

// Bytes read at first. Longer values are read again as a whole, one at a time: a hundred large menus at once would delay
// the commands behind them beyond their timeout.
const FIRST_BYTES = 64 * 1024;
// A longer queue would take longer than Postgres.
const LARGE_WAITING_MAX = 100;

/** An optional tier: after failures it is skipped, apart from a probe now and then. */
function createRedisTier(options: {
  redis: RedisConnection;
  keyPrefix: string;
  now: () => number;
  counters: ResolverCounters;
}): RedisTier {
  const { redis, keyPrefix, now, counters } = options;
  const { breakerOf, isAnyOpen } = createBreakers(redis, now);

  // Instead of the visit, which does not wait for the timeout of a node that is still down.
  function probe(redisKey: string, breaker: Breaker): void {
    redis.getrangeBuffer(redisKey, 0, 0).then(breaker.succeeded, breaker.failed);
  }

  const readLarge = createLargeReader(redis, counters);

  // Kept, the value would refuse every change with a lower version. Postgres is queried after its removal, so a change
  // refused until then is seen.
  async function discard(slugKey: string, value: Buffer | null): Promise<void> {
    counters.redisUnusable += 1;
    await replaceCached(redis, keyPrefix, slugKey, { value, snapshot: null }, null).catch(() => undefined);
  }

  return {
    async find(slugKey, minVersion) {
      const redisKey = snapshotRedisKey(keyPrefix, slugKey);
      const breaker = breakerOf(redisKey);
      if (!breaker.allows()) {
        counters.redisSkipped += 1;
        if (breaker.takesProbe()) probe(redisKey, breaker);
        return null;
      }
      try {
        const first = await redis.getrangeBuffer(redisKey, 0, FIRST_BYTES - 1);
        breaker.succeeded();
        const value = first.length < FIRST_BYTES ? first : await readLarge(redisKey);
        if (value === null) return null;
        const text = value.toString();
        const snapshot = decodeSnapshot(text);
        if (snapshot === null && isOfKnownFormat(text)) await discard(slugKey, value);
        else if (snapshot === null) counters.redisMisses += 1;
        else if (snapshot.version < minVersion) counters.redisOutdated += 1;
        else counters.redisHits += 1;
        return snapshot !== null && snapshot.version >= minVersion ? snapshot : null;
      } catch (err) {
        if (isOfOtherType(err)) {
          breaker.succeeded();
          await discard(slugKey, null);
          return null;
        }
        breaker.failed();
        counters.redisFailures += 1;
        return null;
      }
    },
    isBreakerOpen: isAnyOpen,
    // Not reported to the breaker: a full Redis refuses writes and still answers reads.
    fill(slugKey, snapshot) {
      if (!breakerOf(snapshotRedisKey(keyPrefix, slugKey)).allows()) return;
      const { version } = snapshot;
      setIfNewer(redis, keyPrefix, slugKey, { value: encodeSnapshot(snapshot), version }).catch(() => {
        counters.redisFillFailures += 1;
      });
    },
  };
}

/** One breaker per node: with one cluster node down, slugs of the other nodes are still looked up. */
function createBreakers(
  redis: RedisConnection,
  now: () => number,
): { readonly breakerOf: (redisKey: string) => Breaker; readonly isAnyOpen: () => boolean } {
  const breakers = new Map<string, Breaker>();
  // A new connection has answered its handshake, so Redis is used again at once.
  redis.on('ready', () => {
    breakers.clear();
  });
  return {
    breakerOf(redisKey) {
      const node = nodeServing(redis, redisKey);
      const known = breakers.get(node);
      if (known !== undefined) return known;
      const breaker = createBreaker({ ...ENGINE_BREAKER, now });
      breakers.set(node, breaker);
      return breaker;
    },
    isAnyOpen: () => [...breakers.values()].some((breaker) => !breaker.allows()),
  };
}

/** Reads long values one at a time; null, and counted, on failure. */
function createLargeReader(
  redis: RedisConnection,
  counters: ResolverCounters,
): (redisKey: string) => Promise<Buffer | null> {
  let reads: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (redisKey) => {
    if (waiting >= LARGE_WAITING_MAX) {
      counters.redisSkipped += 1;
      return null;
    }
    waiting += 1;
    // Not reported to the breaker: one slow large value says nothing about the others.
    const read = reads.then(() => redis.getrangeBuffer(redisKey, 0, -1)).catch(() => null);
    reads = read;
    const value = await read;
    waiting -= 1;
    if (value === null) counters.redisFailures += 1;
    return value;
  };
}
