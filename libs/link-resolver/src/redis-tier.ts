import type { Redis } from 'ioredis';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import { addSetIfNewer } from './link-publisher.js';
import { decodeSnapshot, encodeSnapshot, snapshotRedisKey } from './redis-codec.js';
import type { ResolverCounters } from './resolver-counters.js';

export type RedisTier = {
  /** Returns the snapshot of a slug, null when Redis has none that is at least `minVersion`, or does not answer. */
  readonly find: (slugKey: string, minVersion: number) => Promise<LinkSnapshot | null>;
  /**
   * Hands snapshots to Redis where it holds older ones or none, but for those below their `minVersion`: a replica or a
   * restored Postgres gave them. Nobody waits for it.
   */
  readonly fill: (
    found: ReadonlyMap<string, LinkSnapshot | Error>,
    minVersion: (slugKey: string) => number,
  ) => void;
};

/** Returns Redis as the resolver sees it: a tier that may be missing, and is then left alone but for a ping now and again. */
export function createRedisTier(options: {
  redis: Redis;
  keyPrefix: string;
  now: () => number;
  counters: ResolverCounters;
}): RedisTier {
  const { redis, keyPrefix, now, counters } = options;
  const breaker = createBreaker({ ...ENGINE_BREAKER, now });

  // A connection that is made anew has been asked and has answered. So Redis is used again although no visit needed it.
  redis.on('ready', breaker.succeeded);

  // A ping instead of a visit: nobody waits for the timeout of an engine that is still down.
  function probe(): void {
    redis.ping().then(breaker.succeeded, breaker.failed);
  }

  return {
    async find(slugKey, minVersion) {
      if (!breaker.allows()) {
        counters.redisSkipped += 1;
        if (breaker.takesProbe()) probe();
        return null;
      }
      try {
        const value = await redis.get(snapshotRedisKey(keyPrefix, slugKey));
        breaker.succeeded();
        const snapshot = value === null ? null : decodeSnapshot(value);
        if (snapshot === null) counters.redisMisses += 1;
        else if (snapshot.version < minVersion) counters.redisOutdated += 1;
        else counters.redisHits += 1;
        return snapshot !== null && snapshot.version >= minVersion ? snapshot : null;
      } catch {
        breaker.failed();
        counters.redisFailures += 1;
        return null;
      }
    },
    // The breaker does not hear of fills: a Redis that is full refuses them and answers reads all the same.
    fill(found, minVersion) {
      if (!breaker.allows()) return;
      const pipeline = redis.pipeline();
      for (const [slugKey, snapshot] of found) {
        if (snapshot instanceof Error || snapshot.version < minVersion(slugKey)) continue;
        const { version } = snapshot;
        addSetIfNewer(pipeline, keyPrefix, slugKey, { value: encodeSnapshot(snapshot), version });
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
    },
  };
}
