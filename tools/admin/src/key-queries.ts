import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

export type KeyRow = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly display_prefix: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
};

const INSERT_KEY = `
insert into api_keys (id, user_id, key_sha256, display_prefix, name, expires_at)
values ($1, $2, $3, $4, $5, $6)`;

export type NewKey = {
  readonly id: string;
  readonly userId: string;
  readonly sha256: Buffer;
  readonly displayPrefix: string;
  readonly name: string;
  readonly expiresAt: Date | null;
};

/** Stores a key: its digest and what people know it by. */
export async function insertKey(db: Queryable, key: NewKey): Promise<void> {
  const { id, userId, sha256, displayPrefix, name, expiresAt } = key;
  await db.query(INSERT_KEY, [id, userId, sha256, displayPrefix, name, expiresAt]);
}

// By user, then time: users_email and api_keys_user lead to it, so a page reads the keys of the users on it alone. $2 is
// said twice because a row comparison over two tables is no condition of an index.
const LIST_KEYS = `
select api_keys.id, api_keys.user_id, users.email, api_keys.name, api_keys.display_prefix, api_keys.created_at,
       api_keys.expires_at, api_keys.last_used_at, api_keys.revoked_at
from api_keys join users on users.id = api_keys.user_id
where ($1::uuid is null or users.id = $1)
  and ($2::text is null or lower(users.email) >= lower($2)
    and (lower(users.email), api_keys.created_at, api_keys.id) > (lower($2), $3::timestamptz, $4::uuid))
order by lower(users.email), api_keys.created_at, api_keys.id
limit $5`;

/** Where a page of keys begins: behind this one. */
export type KeyPlace = Pick<KeyRow, 'id' | 'email' | 'created_at'>;

/** Returns at most `limit` keys of all users by address, or of one, oldest first. */
export async function listKeys(
  db: Queryable,
  userId: string | null,
  after: KeyPlace | null,
  limit: number,
): Promise<readonly KeyRow[]> {
  const { rows } = await db.query(LIST_KEYS, [
    userId,
    after?.email ?? null,
    after?.created_at ?? null,
    after?.id ?? null,
    limit,
  ]);
  return rows as KeyRow[];
}

const FIND_KEY_PLACE = `
select api_keys.id, users.email, api_keys.created_at
from api_keys join users on users.id = api_keys.user_id
where api_keys.id = $1`;

/** Returns where a key stands in the list; null when there is none with this id. */
export async function findKeyPlace(db: Queryable, id: string): Promise<KeyPlace | null> {
  const { rows } = await db.query(FIND_KEY_PLACE, [id]);
  return (rows[0] as KeyPlace | undefined) ?? null;
}

const LOCK_KEYS = `
select api_keys.id, api_keys.user_id, users.email, api_keys.name, api_keys.display_prefix, api_keys.created_at,
       api_keys.expires_at, api_keys.last_used_at, api_keys.revoked_at
from api_keys join users on users.id = api_keys.user_id
where api_keys.id = $1 or api_keys.display_prefix = $2 or api_keys.key_sha256 = $3
for update of api_keys`;

/** One of the three that a key may be named by. */
export type KeyName =
  { readonly id: string } | { readonly displayPrefix: string } | { readonly sha256: Buffer };

/** Returns the keys with this name, several only for a display prefix, locked until the transaction ends. */
export async function lockKeys(db: Queryable, name: KeyName): Promise<readonly KeyRow[]> {
  const { rows } = await db.query(LOCK_KEYS, [
    'id' in name ? name.id : null,
    'displayPrefix' in name ? name.displayPrefix : null,
    'sha256' in name ? name.sha256 : null,
  ]);
  return rows as KeyRow[];
}

const REVOKE_KEY = `update api_keys set revoked_at = now() where id = $1`;

/** Makes a key useless, within a second on every management process. */
export async function revokeKey(db: Queryable, id: string): Promise<void> {
  await db.query(REVOKE_KEY, [id]);
}
