import type { Redis } from 'ioredis';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import {
  SET_IF_NEWER,
  SNAPSHOT_TTL_SECONDS,
  changeChannel,
  encodeSnapshot,
  encodeVersion,
  snapshotRedisKey,
} from './redis-codec.js';

/**
 * Writes snapshots to Redis where the stored one is older and tells every redirect process. Safe to repeat and to
 * run in any order. Rejects when Redis did not take all of them; the caller's outbox then tries again.
 */
export async function publishSnapshots(
  redis: Redis,
  keyPrefix: string,
  snapshots: ReadonlyMap<string, LinkSnapshot>,
): Promise<void> {
  if (snapshots.size === 0) return;
  const pipeline = redis.pipeline();
  for (const [slugKey, snapshot] of snapshots) {
    addSetIfNewer(pipeline, keyPrefix, slugKey, snapshot);
    pipeline.publish(changeChannel(keyPrefix), `${slugKey} ${snapshot.version}`);
  }
  const results = await pipeline.exec();
  const failure = results?.find(([err]) => err !== null)?.[0];
  if (failure) throw failure;
}

/** Queues one set-if-newer on a pipeline; the script travels by its text, so a restarted Redis needs no loading. */
export function addSetIfNewer(
  pipeline: ReturnType<Redis['pipeline']>,
  keyPrefix: string,
  slugKey: string,
  snapshot: LinkSnapshot,
): void {
  pipeline.eval(
    SET_IF_NEWER,
    1,
    snapshotRedisKey(keyPrefix, slugKey),
    encodeSnapshot(snapshot),
    encodeVersion(snapshot.version),
    SNAPSHOT_TTL_SECONDS,
  );
}
