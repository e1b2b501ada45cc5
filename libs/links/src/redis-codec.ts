import type { LinkSnapshot } from '@smartlink/smartlink/document';
import {
  NEW_MEMBER_NAMES,
  NORMALISED_HREF,
  PAGE_OBJECTS,
  REDIRECT_STATUSES,
  STORE_LINK_NAMES,
  isObject,
} from '@smartlink/smartlink/model';

/**
 * The newest snapshot format of this build. Redirect processes send it with their heartbeats. A new type, status or member
 * that decides an answer is a new format: an older build must not serve the value, and looks the link up in Postgres.
 */
export const SNAPSHOT_FORMAT = 2;
const FORMATS = ['1', '2'] as const;
type Format = (typeof FORMATS)[number];

// Builds that know format 1 alone would ignore them. A snapshot without any has format 1, so that both share it.
const FORMAT_2_MEMBERS = [...NEW_MEMBER_NAMES, 'exact'];

function formatOf(snapshot: LinkSnapshot): Format {
  return FORMAT_2_MEMBERS.some((name) => Object.hasOwn(snapshot, name)) ? '2' : '1';
}

const FORMAT_LENGTH = 1;
// 2^53 has 16 digits: versions of fixed width compare as text, in Lua too, where numbers are doubles.
const VERSION_DIGITS = 16;
const HEADER_LENGTH = FORMAT_LENGTH + VERSION_DIGITS;

/** Tombstones must outlive any fill in progress. */
export const SNAPSHOT_TTL_SECONDS = 24 * 3600;

export function snapshotRedisKey(keyPrefix: string, slugKey: string): string {
  return `${keyPrefix}link:${slugKey}`;
}

/** The pub/sub channel of changes and heartbeats. */
export function changeChannel(keyPrefix: string): string {
  return `${keyPrefix}changes`;
}

/** Key of the lease of the process that follows changes for a Redis; its value is the holder. */
export function followerLeaseKey(keyPrefix: string): string {
  return `${keyPrefix}follower:${SNAPSHOT_FORMAT}:lease`;
}

/** Key of the position in the followed changes: a transaction number in decimal digits. */
export function followedPlaceKey(keyPrefix: string): string {
  return `${keyPrefix}follower:${SNAPSHOT_FORMAT}:place`;
}

export function encodeVersion(version: number): string {
  return String(version).padStart(VERSION_DIGITS, '0');
}

/** The stored form: format, version, JSON. */
export function encodeSnapshot(snapshot: LinkSnapshot): string {
  return formatOf(snapshot) + encodeVersion(snapshot.version) + JSON.stringify(snapshot);
}

/** Whether `value` holds `snapshot`, in its own format or an earlier one. */
export function isStoredForm(value: Buffer, snapshot: LinkSnapshot): boolean {
  return value.subarray(FORMAT_LENGTH).equals(Buffer.from(encodeSnapshot(snapshot).slice(FORMAT_LENGTH)));
}

/**
 * null for an unknown format, and for values that cannot be served, written by hand or by a broken build. Versions beyond
 * 2^53 − 1 are invalid: they would be newer than anything published.
 */
export function decodeSnapshot(value: string): LinkSnapshot | null {
  if (!isOfKnownFormat(value) || value.charAt(HEADER_LENGTH) !== '{') return null;
  try {
    const snapshot: unknown = JSON.parse(value.slice(HEADER_LENGTH));
    if (!isSnapshot(snapshot)) return null;
    return value.startsWith(encodeVersion(snapshot.version), FORMAT_LENGTH) ? snapshot : null;
  } catch {
    return null;
  }
}

/** Whether a value claims a format of this build. If it is unreadable all the same, no other build can read it. */
export function isOfKnownFormat(value: string): boolean {
  return FORMATS.some((format) => value.startsWith(format));
}

/**
 * Writes a snapshot only if the stored one is older, or of the same version and a lower format: an older build published it
 * without the members it does not know. KEYS[1], ARGV value, version, TTL in seconds, and optionally channel
 * and message, which is published in any case. Returns 1 if it wrote. DEL after a commit left stale values in 161 of
 * 400 forced races, this script in 0.
 *
 * The message comes first, since a full Redis refuses the write; it is delivered when the script has ended. One script
 * goes to one node of a cluster with one answer: ioredis does not resend a pipeline of two commands that a cluster accepts
 * by half while a slot moves.
 *
 * A stored value without a valid version is overwritten: letters, or digits beyond 2^53 − 1, would compare as newer than
 * every change. A key of another type, such as a list, fails the script: the change waits until a visit, or
 * `cache verify --repair`, has removed it.
 */
export const SET_IF_NEWER = `
if ARGV[4] then redis.call('publish', ARGV[4], ARGV[5]) end
local head = redis.call('getrange', KEYS[1], 0, ${HEADER_LENGTH})
local format, stored = string.match(head, '^(%d)(${'%d'.repeat(VERSION_DIGITS)})[^%d]')
if stored and stored <= '${Number.MAX_SAFE_INTEGER}' then
  if stored > ARGV[2] or (stored == ARGV[2] and format >= string.sub(ARGV[1], 1, 1)) then return 0 end
end
redis.call('set', KEYS[1], ARGV[1], 'ex', ARGV[3])
return 1
`;

/**
 * Whether a value from Redis can be served: the members needed by a visit exist, with their types. The content of pages is
 * not checked again: a menu of 1 MiB would delay other visits.
 */
function isSnapshot(value: unknown): value is LinkSnapshot {
  if (!isObject(value)) return false;
  const { version, smartlinkId, ownerId, slug, status } = value;
  const isNamed = [smartlinkId, ownerId, slug].every((text) => typeof text === 'string');
  if (!isNamed || !Number.isSafeInteger(version) || Number(version) < 0) return false;
  if (!isExact(value['exact'])) return false;
  if (status === 'Deleted') return true;
  if (status !== 'Active' && status !== 'Paused') return false;
  return (
    isOpenGraph(value['openGraph']) &&
    isRouting(value['routing']) &&
    isAvailability(value['availability']) &&
    hasContent(value)
  );
}

function isExact(exact: unknown): boolean {
  return (
    exact === undefined || (isObject(exact) && Object.values(exact).every((key) => typeof key === 'string'))
  );
}

function isOpenGraph(openGraph: unknown): boolean {
  if (openGraph === undefined) return true;
  return isObject(openGraph) && OPEN_GRAPH_TEXTS.every((name) => isTextOrNone(openGraph[name]));
}

function hasContent({
  type,
  url,
  utm,
  redirect,
  password,
  storeLinks,
  page,
}: Record<string, unknown>): boolean {
  if (!isRedirect(redirect)) return false;
  if (type === 'Url') return isHref(url) && isUtm(utm) && (password === undefined || isPassword(password));
  if (type === 'App') {
    return isObject(storeLinks) && STORE_LINK_NAMES.every((name) => isHrefOrNone(storeLinks[name]));
  }
  if (typeof type !== 'string' || !Object.hasOwn(PAGE_OBJECTS, type) || !isObject(page)) return false;
  const content = page[PAGE_OBJECTS[type as keyof typeof PAGE_OBJECTS]];
  return typeof content === 'object' && content !== null;
}

function isUtm(utm: unknown): boolean {
  return utm === undefined || (isObject(utm) && Object.values(utm).every((text) => typeof text === 'string'));
}

function isRedirect(redirect: unknown): boolean {
  if (redirect === undefined) return true;
  if (!isObject(redirect)) return false;
  const { status, cacheSeconds, forwardQuery } = redirect;
  return (
    (status === undefined || (REDIRECT_STATUSES as readonly unknown[]).includes(status)) &&
    (cacheSeconds === undefined || Number.isSafeInteger(cacheSeconds)) &&
    (forwardQuery === undefined || typeof forwardQuery === 'boolean')
  );
}

function isRouting(routing: unknown): boolean {
  if (routing === undefined) return true;
  if (!isObject(routing)) return false;
  const { rules, variants } = routing;
  return isListOf(rules, isRule) && isListOf(variants, isVariant);
}

function isAvailability(availability: unknown): boolean {
  if (availability === undefined) return true;
  if (!isObject(availability)) return false;
  const { startsAt, expiresAt, expiredUrl, isLimited } = availability;
  return (
    [startsAt, expiresAt].every((time) => time === undefined || Number.isSafeInteger(time)) &&
    isHrefOrNone(expiredUrl) &&
    (isLimited === undefined || isLimited === true)
  );
}

const isListOf = (value: unknown, isElement: (element: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isElement));

function isRule(rule: unknown): boolean {
  if (!isObject(rule) || typeof rule['id'] !== 'string' || !isObject(rule['when'])) return false;
  const { url, variants, when } = rule;
  return (
    isHrefOrNone(url) &&
    isListOf(variants, isVariant) &&
    (url === undefined) !== (variants === undefined) &&
    isWhen(when)
  );
}

function isVariant(variant: unknown): boolean {
  return (
    isObject(variant) &&
    typeof variant['id'] === 'string' &&
    typeof variant['weight'] === 'number' &&
    isHrefOrNone(variant['url'])
  );
}

function isWhen({ from, until, weekly, query, ...lists }: Record<string, unknown>): boolean {
  const areLists = Object.entries(lists).every(([name, value]) => LISTS.has(name) && isListOf(value, isText));
  return (
    areLists && isTextOrNone(from) && isTextOrNone(until) && isWeekly(weekly) && isListOf(query, isParameter)
  );
}

function isWeekly(weekly: unknown): boolean {
  if (weekly === undefined) return true;
  if (!isObject(weekly) || !Array.isArray(weekly['days'])) return false;
  return [weekly['timeZone'], weekly['from'], weekly['to']].every((text) => typeof text === 'string');
}

const isParameter = (value: unknown): boolean =>
  isObject(value) && typeof value['name'] === 'string' && isTextOrNone(value['value']);

// A condition that this build does not know would send visitors where few were meant.
const LISTS: ReadonlySet<string> = new Set([
  'countries',
  'languages',
  'devices',
  'systems',
  'browsers',
  'sources',
  'referrers',
]);

function isPassword(password: unknown): boolean {
  return (
    isObject(password) && typeof password['hash'] === 'string' && typeof password['version'] === 'number'
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isHref = (value: unknown): boolean => typeof value === 'string' && NORMALISED_HREF.test(value);
const isHrefOrNone = (value: unknown): boolean => value === undefined || isHref(value);
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';
const OPEN_GRAPH_TEXTS = ['title', 'description', 'imageUrl'];
