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

// Redis does nothing else while it takes one script, and a command waits for those before it on its connection: 2 MiB
// are a few milliseconds, 200 MiB (ten large menus under 20 addresses each) ran out of time as a whole, for ever.
const PIPELINE_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Writes snapshots to Redis where the stored one is older and tells every redirect process, part by part. Safe to
 * repeat and to run in any order. `onTaken` hears which slugs Redis took, and stops the rest by `false`. Rejects when
 * Redis did not take all of a part; the caller's outbox then tries again.
 */
export async function publishSnapshots(
  redis: Redis,
  keyPrefix: string,
  snapshots: ReadonlyMap<string, LinkSnapshot>,
  onTaken: (slugKeys: readonly string[]) => boolean = () => true,
): Promise<void> {
  let pipeline = redis.pipeline();
  let part: string[] = [];
  let bytes = 0;
  const send = async (): Promise<boolean> => {
    if (part.length === 0) return true;
    const results = await pipeline.exec();
    const failure = results?.find(([err]) => err !== null)?.[0];
    if (failure) throw failure;
    const keepsGoing = onTaken(part);
    pipeline = redis.pipeline();
    part = [];
    bytes = 0;
    return keepsGoing;
  };
  for (const [slugKey, snapshot] of snapshots) {
    const value = encodeSnapshot(snapshot);
    if (bytes + value.length > PIPELINE_BYTES_MAX && !(await send())) return;
    addSetIfNewer(pipeline, keyPrefix, slugKey, { value, version: snapshot.version });
    pipeline.publish(changeChannel(keyPrefix), `${slugKey} ${snapshot.version}`);
    part.push(slugKey);
    bytes += value.length;
  }
  await send();
}

/** Queues one set-if-newer on a pipeline; the script travels by its text, so a restarted Redis needs no loading. */
export function addSetIfNewer(
  pipeline: ReturnType<Redis['pipeline']>,
  keyPrefix: string,
  slugKey: string,
  encoded: { readonly value: string; readonly version: number },
): void {
  pipeline.eval(
    SET_IF_NEWER,
    1,
    snapshotRedisKey(keyPrefix, slugKey),
    encoded.value,
    encodeVersion(encoded.version),
    SNAPSHOT_TTL_SECONDS,
  );
}
