import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import {
  SNAPSHOT_TTL_SECONDS,
  changeChannel,
  decodeSnapshot,
  encodeSnapshot,
  snapshotRedisKey,
} from './redis-codec.js';
import type { RedisConnection } from './redis-connection.js';
import { nodesOf } from './redis-nodes.js';

/** What Redis holds for a slug, as whoever checks it sees it. */
export type CachedSnapshot = {
  /** As it is stored, to tell whether it is still the same; null: it is a list or something else that holds no value. */
  readonly value: Buffer | null;
  /** null: nothing can be read from it. */
  readonly snapshot: LinkSnapshot | null;
};

/** Returns what Redis holds for a slug, null for nothing. Rejects when Redis does not answer. */
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

/** Whether Redis refused to read a value since it is a list or something else that holds no value. */
export function isOfOtherType(err: unknown): boolean {
  return err instanceof Error && err.message.startsWith('WRONGTYPE');
}

/** Whether this is, byte for byte, what would be stored of the snapshot. */
export function isStoredFormOf({ value }: CachedSnapshot, snapshot: LinkSnapshot): boolean {
  return value?.equals(Buffer.from(encodeSnapshot(snapshot))) ?? false;
}

// KEYS[1]; ARGV the value that was found ('' where what was found is of another type), what is to stand in its place ('' for
// nothing), TTL in seconds, channel, message. A get of another type fails, and pcall returns a table then.
const REPLACE_IF_SAME = `
local held = redis.pcall('get', KEYS[1])
if type(held) == 'table' then held = '' end
if held ~= ARGV[1] then return 0 end
redis.call('publish', ARGV[4], ARGV[5])
if ARGV[2] == '' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2], 'ex', ARGV[3]) end
return 1
`;

/**
 * Puts `truth`, null for a slug that was never used, in the place of a value that is wrong although it is as new or newer,
 * which set-if-newer would leave; nothing happens when another value stands there by now. Redirect processes drop what
 * they hold up to the wrong version. Whoever calls it reads the truth once more then and publishes it: a change that was
 * committed before, and that the wrong value had refused, is not lost so. Returns whether it did anything.
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
 * Yields the slugs that Redis holds something for, some hundreds at a time, of every master of a cluster; those that come
 * or go meanwhile may be among them or not. Rejects when Redis does not answer.
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
