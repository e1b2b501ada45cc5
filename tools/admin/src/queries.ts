import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { isUuid } from './uuid.js';

export type UserRow = {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
  readonly created_at: Date;
  /** Smartlinks that are not Deleted. */
  readonly smartlinks: number;
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
};

const INSERT_USER = `
insert into users (id, email, plan) values ($1, $2, $3) on conflict do nothing returning id`;

/** Stores a user; false when the address has one already. */
export async function insertUser(
  db: Queryable,
  user: { readonly id: string; readonly email: string; readonly plan: string },
): Promise<boolean> {
  const { rows } = await db.query(INSERT_USER, [user.id, user.email, user.plan]);
  return rows.length === 1;
}

const USER_COLUMNS = `
  users.id, users.email, users.plan, users.created_at,
  (select count(*)::integer from smartlinks
   where smartlinks.user_id = users.id and smartlinks.status in ('Active', 'Paused')) as smartlinks,
  (select count(*)::integer from api_keys
   where api_keys.user_id = users.id and api_keys.revoked_at is null
     and (api_keys.expires_at is null or api_keys.expires_at > now())) as keys`;

const FIND_USER = `select ${USER_COLUMNS} from users where users.id = $1 or lower(users.email) = lower($2)`;

/** Returns the user with this id or address; null when there is none. */
export async function findUserRow(db: Queryable, idOrEmail: string): Promise<UserRow | null> {
  const { rows } = await db.query(FIND_USER, isUuid(idOrEmail) ? [idOrEmail, null] : [null, idOrEmail]);
  return (rows[0] as UserRow | undefined) ?? null;
}

// By address: the index users_email has that order, so a page reads and counts for no more than it shows.
const LIST_USERS = `
select ${USER_COLUMNS}
from users
where $1::text is null or lower(users.email) > lower($1)
order by lower(users.email)
limit $2`;

/** Returns at most `limit` users by address, from the first or from behind `afterEmail`, which nobody need have. */
export async function listUsers(
  db: Queryable,
  afterEmail: string | null,
  limit: number,
): Promise<readonly UserRow[]> {
  const { rows } = await db.query(LIST_USERS, [afterEmail, limit]);
  return rows as UserRow[];
}

const SET_PLAN = `update users set plan = $2 where id = $1`;

/** Gives a user another plan. */
export async function setPlan(db: Queryable, userId: string, plan: string): Promise<void> {
  await db.query(SET_PLAN, [userId, plan]);
}

// The slugs stay, so that a printed address never leads to somebody else; the foreign keys take their owner away.
const DELETE_USER = `delete from users where id = $1`;

/** Removes a user with smartlinks, keys, totals and idempotency keys. */
export async function deleteUser(db: Queryable, userId: string): Promise<void> {
  await db.query(DELETE_USER, [userId]);
}

const LOCK_USER = `select plan from users where id = $1 for update`;

/**
 * Returns a user's plan, null when the user is gone. Until the transaction ends nobody gives them another one, nor
 * makes smartlinks or keys for them: those refer to the row.
 */
export async function lockUser(db: Queryable, userId: string): Promise<string | null> {
  const { rows } = await db.query(LOCK_USER, [userId]);
  return (rows[0] as { plan: string } | undefined)?.plan ?? null;
}

const LOCK_SLUGS = `select key from slugs where user_id = $1 order by key for update`;

/** Returns the keys of every slug a user ever had, locked until the transaction ends. */
export async function lockSlugs(db: Queryable, userId: string): Promise<readonly string[]> {
  const { rows } = await db.query(LOCK_SLUGS, [userId]);
  return (rows as { key: string }[]).map((row) => row.key);
}

const ADD_TO_OUTBOX = `
insert into publish_outbox (slug_key, version)
select key, nextval('smartlink_version') from unnest($1::text[]) as key`;

/** Has the management service publish these slugs. */
export async function addToOutbox(db: Queryable, slugKeys: readonly string[]): Promise<void> {
  await db.query(ADD_TO_OUTBOX, [slugKeys]);
}

const REMOVE_FROM_OUTBOX = `delete from publish_outbox where slug_key = any($1::text[])`;

/** Takes slugs out of the outbox once they were published. */
export async function removeFromOutbox(db: Queryable, slugKeys: readonly string[]): Promise<void> {
  await db.query(REMOVE_FROM_OUTBOX, [slugKeys]);
}
