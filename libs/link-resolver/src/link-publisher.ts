import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { isCluster } from './redis-cluster.js';
import {
  SET_IF_NEWER,
  SNAPSHOT_TTL_SECONDS,
  changeChannel,
  encodeSnapshot,
  encodeVersion,
  snapshotRedisKey,
} from './redis-codec.js';
import type { RedisConnection } from './redis-connection.js';

// Redis does nothing else while it takes one script, and a command waits for those before it on its connection: 2 MiB
// are a few milliseconds, 200 MiB (ten large menus under 20 addresses each) ran out of time as a whole, for ever.
const PART_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Writes snapshots to Redis where the stored one is older and tells every redirect process, part by part. Safe to
 * repeat and to run in any order. `onTaken` hears which slugs of a part Redis took, and stops the rest by `false`.
 * Rejects behind a part of which Redis, or one node of it, did not take all; the caller's outbox then tries again. Of what
 * was not taken the redirect processes are told all the same, where another node is there to tell them: they ask Postgres.
 */
export async function publishSnapshots(
  redis: RedisConnection,
  keyPrefix: string,
  snapshots: ReadonlyMap<string, LinkSnapshot>,
  onTaken: (slugKeys: readonly string[]) => boolean = () => true,
): Promise<void> {
  let part = new Map<string, Promise<unknown>>();
  let bytes = 0;
  const settle = async (): Promise<boolean> => {
    if (part.size === 0) return true;
    const slugKeys = [...part.keys()];
    const results = await Promise.allSettled(part.values());
    part = new Map();
    bytes = 0;
    const keepsGoing = onTaken(slugKeys.filter((_, index) => results[index]?.status === 'fulfilled'));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return keepsGoing;
  };
  for (const [slugKey, snapshot] of snapshots) {
    const value = encodeSnapshot(snapshot);
    if (bytes + value.length > PART_BYTES_MAX && !(await settle())) return;
    const message = `${slugKey} ${snapshot.version}`;
    const encoded = { value, version: snapshot.version };
    const taken = setIfNewer(redis, keyPrefix, slugKey, encoded, message);
    part.set(slugKey, isCluster(redis) ? orTellAlone(taken, redis, keyPrefix, message) : taken);
    bytes += value.length;
  }
  await settle();
}

async function orTellAlone(
  taken: Promise<unknown>,
  redis: RedisConnection,
  keyPrefix: string,
  message: string,
): Promise<unknown> {
  try {
    return await taken;
  } catch (err) {
    await redis.publish(changeChannel(keyPrefix), message).catch(() => undefined);
    throw err;
  }
}

/**
 * Writes one snapshot if it is newer than the stored one, and tells `message` on the change feed if there is one. Rejects
 * as Redis does. The script travels by its text, so that a Redis that was restarted needs no loading.
 */
export function setIfNewer(
  redis: RedisConnection,
  keyPrefix: string,
  slugKey: string,
  encoded: { readonly value: string; readonly version: number },
  message?: string,
): Promise<unknown> {
  return redis.eval(
    SET_IF_NEWER,
    1,
    snapshotRedisKey(keyPrefix, slugKey),
    encoded.value,
    encodeVersion(encoded.version),
    SNAPSHOT_TTL_SECONDS,
    ...(message === undefined ? [] : [changeChannel(keyPrefix), message]),
  );
}
