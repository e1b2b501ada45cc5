import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import type { Breaker } from './breaker.js';
import { isOfOtherType, replaceCached } from './cached-snapshots.js';
import { setIfNewer } from './link-publisher.js';
import { nodeServing } from './redis-cluster.js';
import { decodeSnapshot, encodeSnapshot, isOfThisFormat, snapshotRedisKey } from './redis-codec.js';
import type { RedisConnection } from './redis-connection.js';
import type { ResolverCounters } from './resolver-counters.js';

export type RedisTier = {
  /** Returns the snapshot of a slug, null when Redis has none that is at least `minVersion`, or does not answer. */
  readonly find: (slugKey: string, minVersion: number) => Promise<LinkSnapshot | null>;
  /** Hands a snapshot to Redis where it holds an older one or none. Nobody waits for it. */
  readonly fill: (slugKey: string, snapshot: LinkSnapshot) => void;
  /** Whether Redis, or a node of it, is left alone now. */
  readonly isLeftAlone: () => boolean;
};

// Of a value so much is read at first. What is longer is read whole by itself, one value at a time: a hundred large
// menus asked for at once would keep everybody behind them waiting for longer than Redis is given.
const FIRST_BYTES = 64 * 1024;
// Longer than a visit that waits for one would like, and than Postgres would need.
const LARGE_WAITING_MAX = 100;

/**
 * Returns Redis as the resolver sees it: a tier that may be missing, and is then left alone but for a ping now and again.
 */
export function createRedisTier(options: {
  redis: RedisConnection;
  keyPrefix: string;
  now: () => number;
  counters: ResolverCounters;
}): RedisTier {
  const { redis, keyPrefix, now, counters } = options;
  const { breakerOf, isAnyOpen } = createBreakers(redis, now);

  // In place of a visit, for what it would have asked for: nobody waits for the timeout of a node that is still down.
  function probe(redisKey: string, breaker: Breaker): void {
    redis.getrangeBuffer(redisKey, 0, 0).then(breaker.succeeded, breaker.failed);
  }

  const readLarge = createLargeReader(redis, counters);

  // Left where it is it would refuse each change that is older than what it says of itself. Postgres is asked after it is
  // gone, and so knows of a change that was refused until then.
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
        if (snapshot === null && isOfThisFormat(text)) await discard(slugKey, value);
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
    isLeftAlone: isAnyOpen,
    // The breaker does not hear of fills: a Redis that is full refuses them and answers reads all the same.
    fill(slugKey, snapshot) {
      if (!breakerOf(snapshotRedisKey(keyPrefix, slugKey)).allows()) return;
      const { version } = snapshot;
      setIfNewer(redis, keyPrefix, slugKey, { value: encodeSnapshot(snapshot), version }).catch(() => {
        counters.redisFillFailures += 1;
      });
    },
  };
}

/**
 * Returns the breaker of the node that a key belongs to: of a cluster one node may be away, and slugs of the others are
 * looked up as ever.
 */
function createBreakers(
  redis: RedisConnection,
  now: () => number,
): { readonly breakerOf: (redisKey: string) => Breaker; readonly isAnyOpen: () => boolean } {
  const breakers = new Map<string, Breaker>();
  // A connection that is made anew has been asked and has answered. So Redis is used again although no visit needed it.
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

/** Returns what reads values that are too long to be read with others, one at a time; null (and counted): none was had. */
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
    // The breaker does not hear of it: that one large value takes too long says nothing of the others.
    const read = reads.then(() => redis.getrangeBuffer(redisKey, 0, -1)).catch(() => null);
    reads = read;
    const value = await read;
    waiting -= 1;
    if (value === null) counters.redisFailures += 1;
    return value;
  };
}
