import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { apiKeyDisplayPrefix, generateApiKey, isApiKey } from '@smartlink/smartlink/api-key';
import { addAuditEntry } from './audit-queries.js';
import { hideKey } from './hide-keys.js';
import { insertKey, lockKeys, revokeKey } from './key-queries.js';
import type { KeyName, KeyRow } from './key-queries.js';
import { Problem } from './problem.js';
import { isUuid } from './uuid.js';

/** A key as it is shown, once. */
export type ShownKey = { readonly keyId: string; readonly apiKey: string };

/** Makes a key for a user and returns it. What is stored cannot give it back. */
export async function createKey(
  db: Queryable,
  options: { userId: string; name: string; expiresAt: Date | null },
): Promise<ShownKey> {
  const apiKey = generateApiKey(randomInt);
  const keyId = randomUUID();
  const displayPrefix = apiKeyDisplayPrefix(apiKey);
  await insertKey(db, { ...options, id: keyId, sha256: digest(apiKey), displayPrefix });
  await addAuditEntry(db, 'key.create', options.userId, { keyId, displayPrefix, name: options.name });
  return { keyId, apiKey };
}

/**
 * Returns the one key that is not revoked and has this id or display prefix (with the … of lists or without), or is
 * this very key: who has found a leaked key has nothing else to name it by. Locked. Throws Problem, which never repeats a key.
 */
export async function takeKey(db: Queryable, given: string): Promise<KeyRow> {
  const name = given.replace(/(…|\.{3})$/, '');
  const shown = hideKey(name);
  const keys = await lockKeys(db, parseName(name));
  const live = keys.filter((key) => key.revoked_at === null);
  const [key] = live;
  if (keys.length === 0) throw new Problem(`There is no key ${shown}: see npm run admin -- keys list.`);
  if (key === undefined) throw new Problem(`The key ${shown} is revoked already.`);
  if (live.length > 1) throw new Problem(`Several keys begin with ${shown}: name the key by its id.`);
  return key;
}

/** Revokes a locked key. */
export async function revoke(db: Queryable, key: KeyRow): Promise<void> {
  await revokeKey(db, key.id);
  await addAuditEntry(db, 'key.revoke', key.user_id, { keyId: key.id, displayPrefix: key.display_prefix });
}

function parseName(name: string): KeyName {
  if (isUuid(name)) return { id: name };
  return isApiKey(name) ? { sha256: digest(name) } : { displayPrefix: name };
}

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();
