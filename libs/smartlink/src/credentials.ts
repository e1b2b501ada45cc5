import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hash, verify, verifySync } from '@node-rs/argon2';
import type { Queryable } from '@smartlink/process/database';

/** What an API key may do; `*`: everything. */
export const SCOPES = [
  'links:read',
  'links:create',
  'links:write',
  'analytics:read',
  'domains:read',
  'domains:write',
  'webhooks:read',
  'webhooks:write',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Keys of an account that are not revoked. */
export const API_KEYS_MAX = 50;

// Prefix, 32 random characters, 6 characters of CRC32 over both.
const PREFIX = 'slk_live_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of a key that may be shown and logged to tell keys apart; 24 of the 32 random ones stay unknown. */
const DISPLAY_LENGTH = PREFIX.length + 8;

/** A new API key; `randomInt(max)` must give uniform integers below `max` from a CSPRNG. */
export function generateApiKey(randomInt: (max: number) => number): string {
  let key = PREFIX;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) key += BASE62.charAt(randomInt(BASE62.length));
  return key + checksum(key);
}

/** Whether `text` has the form of a key: prefix, length, alphabet and checksum. */
export function isApiKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !/^slk_live_[0-9A-Za-z]+$/.test(text)) return false;
  const body = text.slice(0, KEY_LENGTH - CHECKSUM_LENGTH);
  return text.endsWith(checksum(body));
}

/** Whether `text` contains a key, whole or damaged: the rest of a mistyped key is secret too. */
export function holdsApiKey(text: string): boolean {
  return text.includes(PREFIX);
}

export function apiKeyDisplayPrefix(key: string): string {
  return key.slice(0, DISPLAY_LENGTH);
}

/** The only form of a key that is stored. */
export function apiKeyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

const TOKEN_BYTES = 32;

/** A token of a session or of a one-time link. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The only form of a token that is stored. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether `text` has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export type NewApiKey = {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** As `normalizeNetwork` has them; null: any. */
  readonly allowedNetworks: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** A person. */
  readonly createdBy: string | null;
};

/** Of `$n`: networks without the bits of hosts, in the order given; null for null and none. */
export const toCidrs = (parameter: `$${number}`): string =>
  `(select array_agg(network(range::inet) order by place)
    from unnest(${parameter}::text[]) with ordinality as given (range, place))`;

const INSERT_API_KEY = `
insert into api_keys
  (id, user_id, key_sha256, display_prefix, name, scopes, allowed_networks, expires_at, created_by)
values ($1, $2, $3, $4, $5, $6, ${toCidrs('$7')}, $8, $9)
returning to_json(allowed_networks::inet[]) as networks`;

export type StoredApiKey = {
  readonly id: string;
  /** Known only here. */
  readonly apiKey: string;
  readonly displayPrefix: string;
  readonly allowedNetworks: readonly string[] | null;
};

export async function insertApiKey(
  db: Queryable,
  { userId, name, scopes, allowedNetworks, expiresAt, createdBy }: NewApiKey,
): Promise<StoredApiKey> {
  const id = randomUUID();
  const apiKey = generateApiKey(randomInt);
  const displayPrefix = apiKeyDisplayPrefix(apiKey);
  const { rows } = await db.query(INSERT_API_KEY, [
    ...[id, userId, apiKeyDigest(apiKey), displayPrefix, name],
    ...[scopes, allowedNetworks, expiresAt, createdBy],
  ]);
  const [{ networks }] = rows as [{ networks: readonly string[] | null }];
  return { id, apiKey, displayPrefix, allowedNetworks: networks };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

// OWASP's second recommendation for argon2id (the package's default variant): 19 MiB, 2 passes, 1 lane. The PHC string carries the parameters, so
// they can be raised without touching stored hashes.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The PHC string (`$argon2id$…`) of a link's password. Takes some 30 ms of a libuv thread: bound the callers. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Whether `password` is the one behind `phc`. A damaged hash matches nothing. Takes a libuv thread as hashing does. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  try {
    return await verify(phc, password);
  } catch {
    return false;
  }
}

/** Like verifyPassword, but blocks the calling thread for about 30 ms. */
export function verifyPasswordHere(phc: string, password: string): boolean {
  try {
    return verifySync(phc, password);
  } catch {
    return false;
  }
}
