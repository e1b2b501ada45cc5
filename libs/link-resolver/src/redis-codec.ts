import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';

// `1` is the format of the value; a new format takes a new prefix, so that old and new processes can run together.
const FORMAT = '1';
// 2^53 has 16 digits: versions of fixed width compare as text, in Lua too, where numbers are doubles.
const VERSION_DIGITS = 16;
const HEADER_LENGTH = FORMAT.length + VERSION_DIGITS;

/** Seconds a snapshot stays in Redis after it was written; tombstones must outlive any fill under way. */
export const SNAPSHOT_TTL_SECONDS = 24 * 3600;

/** Returns the Redis key of a slug's snapshot. */
export function snapshotRedisKey(keyPrefix: string, slugKey: string): string {
  return `${keyPrefix}link:${slugKey}`;
}

/** Returns the pub/sub channel of changes and heartbeats. */
export function changeChannel(keyPrefix: string): string {
  return `${keyPrefix}changes`;
}

/** Returns the key of the lease of the process that follows changes for a Redis: its value is who holds it. */
export function followerLeaseKey(keyPrefix: string): string {
  return `${keyPrefix}follower:${FORMAT}:lease`;
}

/** Returns the key of how far changes have been followed: its value is the number of a transaction, in decimal digits. */
export function followedPlaceKey(keyPrefix: string): string {
  return `${keyPrefix}follower:${FORMAT}:place`;
}

/** Returns a version in the fixed width in which it compares as text. */
export function encodeVersion(version: number): string {
  return String(version).padStart(VERSION_DIGITS, '0');
}

/** Returns the stored form: format, version, JSON. */
export function encodeSnapshot(snapshot: LinkSnapshot): string {
  return FORMAT + encodeVersion(snapshot.version) + JSON.stringify(snapshot);
}

/**
 * Returns the snapshot of a stored value, or null when the value is of another format (then Postgres is asked).
 * What stands behind a known prefix was checked when it was published and is trusted.
 */
export function decodeSnapshot(value: string): LinkSnapshot | null {
  if (!value.startsWith(FORMAT) || value.charAt(HEADER_LENGTH) !== '{') return null;
  try {
    return JSON.parse(value.slice(HEADER_LENGTH)) as LinkSnapshot;
  } catch {
    return null;
  }
}

/**
 * Writes a snapshot only if the stored one is older: KEYS[1], ARGV value, version, TTL in seconds, and, to tell the
 * redirect processes of it whether or not it wrote, channel and message. Returns 1 if it wrote. DEL after a commit left
 * 161 of 400 forced races stale, this none (design.md, Change).
 *
 * The message is sent first, for a Redis that is full refuses the rest; nobody hears of it before the script is through.
 * In one script they go to one node of a cluster and have one answer: a pipeline of two commands that a cluster takes by
 * halves, while a slot moves, is not sent again by ioredis and does not make it look where the slot is.
 */
export const SET_IF_NEWER = `
if ARGV[4] then redis.call('publish', ARGV[4], ARGV[5]) end
local stored = redis.call('getrange', KEYS[1], ${FORMAT.length}, ${HEADER_LENGTH - 1})
if #stored == ${VERSION_DIGITS} and stored >= ARGV[2] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'ex', ARGV[3])
return 1
`;
