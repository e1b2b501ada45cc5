import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { isSnapshot } from './snapshot-shape.js';

// `1` is the format of the value; a new format takes a new prefix, so that old and new processes can run together. A new
// type, status or required member is a new format too: an older build removes what it cannot serve.
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
 * Returns the snapshot of a stored value, or null when the value is of another format, or no snapshot that can be served,
 * written by hand or by a broken build (then Postgres is asked). A version that no number holds exactly is none: it would be
 * newer than whatever is published.
 */
export function decodeSnapshot(value: string): LinkSnapshot | null {
  if (!isOfThisFormat(value) || value.charAt(HEADER_LENGTH) !== '{') return null;
  try {
    const snapshot: unknown = JSON.parse(value.slice(HEADER_LENGTH));
    if (!isSnapshot(snapshot)) return null;
    return value.startsWith(encodeVersion(snapshot.version), FORMAT.length) ? snapshot : null;
  } catch {
    return null;
  }
}

/** Whether a value says of itself that it is of this build's format, so that nobody else can read it where we cannot. */
export function isOfThisFormat(value: string): boolean {
  return value.startsWith(FORMAT);
}

/**
 * Writes a snapshot only if the stored one is older: KEYS[1], ARGV value, version, TTL in seconds, and, to tell the
 * redirect processes of it whether or not it wrote, channel and message. Returns 1 if it wrote. DEL after a commit left
 * 161 of 400 forced races stale, this none (design.md, Change).
 *
 * The message is sent first, for a Redis that is full refuses the rest; nobody hears of it before the script is through.
 * In one script they go to one node of a cluster and have one answer: a pipeline of two commands that a cluster takes by
 * halves, while a slot moves, is not sent again by ioredis and does not make it look where the slot is.
 *
 * What holds no version that was ever given out is no stored one: letters, or digits beyond 2^53 − 1, compare as newer than
 * everything and would refuse each change for as long as they stand there. A list or the like fails the script, as everything
 * that Redis refuses: the change waits until a visit, or `cache verify --repair`, has removed it.
 */
export const SET_IF_NEWER = `
if ARGV[4] then redis.call('publish', ARGV[4], ARGV[5]) end
local head = redis.call('getrange', KEYS[1], 0, ${HEADER_LENGTH})
local stored = string.match(head, '^${'%d'.repeat(FORMAT.length)}(${'%d'.repeat(VERSION_DIGITS)})[^%d]')
if stored and stored <= '${Number.MAX_SAFE_INTEGER}' and stored >= ARGV[2] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'ex', ARGV[3])
return 1
`;
