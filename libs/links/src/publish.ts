import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { isCluster } from './redis-cluster.js';
import {
  SET_IF_NEWER,
  SNAPSHOT_TTL_SECONDS,
  changeChannel,
  decodeSnapshot,
  encodeSnapshot,
  encodeVersion,
  isStoredForm,
  snapshotRedisKey,
} from './redis-codec.js';
import { nodesOf, type RedisConnection } from './redis.js';
import type { SnapshotWeight } from './snapshot-query.js';

export { followedPlaceKey, followerLeaseKey, snapshotRedisKey } from './redis-codec.js';
export {
  findEachSnapshot,
  findOwnersSnapshot,
  findSnapshots,
  findWithin,
  toDraftLink,
  weighSnapshots,
} from './snapshot-query.js';

// A script blocks Redis, and commands wait for those before them on the connection: 2 MiB take a few milliseconds;
// 200 MiB (ten large menus under 20 addresses each) timed out as a whole, every time.
const PART_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Writes snapshots to Redis where the stored one is older and announces them on the change feed, part by part. Safe to
 * repeat and to run in any order. `onTaken` gets the slugs of a part that Redis accepted, and stops the rest by returning
 * false. Rejects after a part that Redis, or one of its nodes, did not accept completely; the caller's outbox retries. In
 * a cluster rejected slugs are announced through another node, so that redirect processes ask Postgres.
 */
export async function publishSnapshots(
  redis: RedisConnection,
  keyPrefix: string,
  snapshots: ReadonlyMap<string, LinkSnapshot>,
  onTaken: (slugKeys: readonly string[]) => boolean = () => true,
): Promise<void> {
  let part = new Map<string, Promise<unknown>>();
  let bytes = 0;
  const flushPart = async (): Promise<boolean> => {
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
    if (bytes + value.length > PART_BYTES_MAX && !(await flushPart())) return;
    const message = `${slugKey} ${snapshot.version}`;
    const encoded = { value, version: snapshot.version };
    const taken = setIfNewer(redis, keyPrefix, slugKey, encoded, message);
    part.set(slugKey, isCluster(redis) ? orAnnounceOnly(taken, redis, keyPrefix, message) : taken);
    bytes += value.length;
  }
  await flushPart();
}

async function orAnnounceOnly(
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
 * Writes a snapshot if it is newer than the stored one, and publishes `message` on the change feed. Sends the script as
 * text, so a restarted Redis needs no loading.
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

// Content read and sent at once: well within the time limits of both engines, even on a slow machine.
const CHUNK_READ_BYTES_MAX = 4 * 1024 * 1024;
const CHUNK_SENT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Cuts outbox entries into chunks, ordered by their oldest rows: at most 4 MiB of content (or one smartlink) and 32 MiB
 * over all addresses (or one). Addresses of one smartlink are adjacent, since its content is read once.
 */
export function cutIntoChunks<Entry extends OfSlug>(
  entries: readonly Entry[],
  weights: readonly SnapshotWeight[],
): readonly (readonly Entry[])[] {
  const weightOf = new Map(weights.map((weight) => [weight.slugKey, weight]));
  const chunks: Entry[][] = [];
  let smartlinkId: string | null = null;
  let readBytes = 0;
  let sentBytes = 0;
  for (const entry of bySmartlink(entries, weightOf)) {
    const weight = weightOf.get(entry.slugKey) ?? { smartlinkId: '', bytes: 0 };
    const isRead = weight.smartlinkId === smartlinkId;
    const hasRoom =
      (isRead || readBytes + weight.bytes <= CHUNK_READ_BYTES_MAX) &&
      sentBytes + weight.bytes <= CHUNK_SENT_BYTES_MAX;
    const chunk = hasRoom ? chunks.at(-1) : undefined;
    if (chunk === undefined) {
      chunks.push([entry]);
      readBytes = weight.bytes;
      sentBytes = weight.bytes;
    } else {
      chunk.push(entry);
      readBytes += isRead ? 0 : weight.bytes;
      sentBytes += weight.bytes;
    }
    ({ smartlinkId } = weight);
  }
  return chunks;
}

type OfSlug = { readonly slugKey: string };

function bySmartlink<Entry extends OfSlug>(
  entries: readonly Entry[],
  weightOf: ReadonlyMap<string, SnapshotWeight>,
): readonly Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const smartlinkId = weightOf.get(entry.slugKey)?.smartlinkId ?? '';
    const group = groups.get(smartlinkId);
    if (group === undefined) groups.set(smartlinkId, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flat();
}

export type CachedSnapshot = {
  /** Stored bytes, for comparison; null: a key of another type, such as a list. */
  readonly value: Buffer | null;
  /** null: unreadable. */
  readonly snapshot: LinkSnapshot | null;
};

/** null: Redis has no value for the slug. Rejects if Redis does not answer. */
export async function readCached(
  redis: RedisConnection,
  keyPrefix: string,
  slugKey: string,
): Promise<CachedSnapshot | null> {
  const value = await redis
    .getrangeBuffer(snapshotRedisKey(keyPrefix, slugKey), 0, -1)
    .catch((err: unknown) => {
      if (isOfOtherType(err)) return null;
      throw err;
    });
  if (value === null) return { value, snapshot: null };
  return value.length === 0 ? null : { value, snapshot: decodeSnapshot(value.toString()) };
}

/** Whether Redis refused a read because the key has another type, such as a list. */
export function isOfOtherType(err: unknown): boolean {
  return err instanceof Error && err.message.startsWith('WRONGTYPE');
}

export function isStoredFormOf({ value }: CachedSnapshot, snapshot: LinkSnapshot): boolean {
  return value !== null && isStoredForm(value, snapshot);
}

// KEYS[1]; ARGV: value found ('' for another type), replacement ('' deletes), TTL in seconds, channel, message. A get of
// another type fails, and pcall returns a table.
const REPLACE_IF_SAME = `
local held = redis.pcall('get', KEYS[1])
if type(held) == 'table' then held = '' end
if held ~= ARGV[1] then return 0 end
redis.call('publish', ARGV[4], ARGV[5])
if ARGV[2] == '' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2], 'ex', ARGV[3]) end
return 1
`;

/**
 * Replaces a wrong value that set-if-newer would keep, by `truth` (null: never used), unless it has changed. Redirect
 * processes drop their copies up to the wrong version. The caller must then read the truth again and publish it, so that
 * a change refused by the wrong value is not lost. Returns whether it replaced anything.
 */
export async function replaceCached(
  redis: RedisConnection,
  keyPrefix: string,
  slugKey: string,
  wrong: CachedSnapshot,
  truth: LinkSnapshot | null,
): Promise<boolean> {
  const newest = Math.max(wrong.snapshot?.version ?? 0, truth?.version ?? 0);
  const done = await redis.eval(
    REPLACE_IF_SAME,
    1,
    snapshotRedisKey(keyPrefix, slugKey),
    wrong.value ?? '',
    truth === null ? '' : encodeSnapshot(truth),
    SNAPSHOT_TTL_SECONDS,
    changeChannel(keyPrefix),
    `${slugKey} ${Math.min(newest + 1, Number.MAX_SAFE_INTEGER)}`,
  );
  return done === 1;
}

const KEYS_PER_SCAN = 1_000;

/**
 * Yields the slugs with a value in Redis, some hundreds at a time, from every master. Slugs added or removed during the
 * scan may be missing or included. Rejects if Redis does not answer.
 */
export async function* scanCached(
  redis: RedisConnection,
  keyPrefix: string,
): AsyncGenerator<readonly string[]> {
  const start = snapshotRedisKey(keyPrefix, '');
  const pattern = `${start.replace(/[\\*?[\]]/g, '\\$&')}*`;
  for (const node of nodesOf(redis)) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN);
      cursor = next;
      if (keys.length > 0) yield keys.map((key) => key.slice(start.length));
    } while (cursor !== '0');
  }
}
