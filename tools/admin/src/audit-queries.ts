import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { isUuid } from './uuid.js';

/** What the command notes. The API notes `smartlink.*` in entries of its own. */
export type AdminAction =
  | 'user.create'
  | 'user.set-plan'
  | 'user.delete'
  | 'key.create'
  | 'key.revoke'
  | 'plan.create'
  | 'plan.set'
  | 'plan.delete'
  | 'events.purge'
  | 'events.replay'
  | 'database.restore';

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, details, smartlink_id) values ('admin', $1, $2, $3, $4)`;

/** Notes what was changed, in the transaction that changes it; `details` holds names and limits, never a key. */
export async function addAuditEntry(
  db: Queryable,
  action: AdminAction,
  userId: string | null,
  details: Readonly<Record<string, unknown>> = {},
  smartlinkId: string | null = null,
): Promise<void> {
  await db.query(ADD_AUDIT_ENTRY, [action, userId, JSON.stringify(details), smartlinkId]);
}

export type AuditRow = {
  /** A bigint, so text. */
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly user_id: string | null;
  readonly smartlink_id: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** null when the user is gone. */
  readonly email: string | null;
  /** Of the key that made the change; null when there was none or it is gone. */
  readonly key_name: string | null;
  readonly key_display_prefix: string | null;
};

/** null leaves a filter out. */
export type AuditFilter = {
  readonly userId: string | null;
  readonly smartlinkId: string | null;
  readonly action: string | null;
  readonly since: Date | null;
  /** Entries older than this one only. */
  readonly before: { readonly at: Date; readonly id: string } | null;
};

// pg sends no named statement, so Postgres plans with the values: a filter that is null folds away and the others
// use the index of 0002 or 0003 that has their column. Users are looked up for the rows that are shown.
const FIND_AUDIT_ENTRIES = `
select entries.id, entries.at, entries.actor, entries.action, entries.user_id, entries.smartlink_id, entries.details,
       users.email
from (
  select id, at, actor, action, user_id, smartlink_id, details
  from audit_entries
  where ($1::uuid is null or user_id = $1)
    and ($2::uuid is null or smartlink_id = $2)
    and ($3::text is null or action = $3)
    and ($4::timestamptz is null or at >= $4)
    and ($5::bigint is null or (at, id) < ($6::timestamptz, $5))
  order by at desc, id desc
  limit $7
) as entries
left join users on users.id = entries.user_id
order by entries.at desc, entries.id desc`;

/** Returns at most `limit` entries, newest first. */
export async function findAuditEntries(
  db: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditRow[]> {
  const { userId, smartlinkId, action, since, before } = filter;
  const { rows } = await db.query(FIND_AUDIT_ENTRIES, [
    userId,
    smartlinkId,
    action,
    since,
    before?.id ?? null,
    before?.at ?? null,
    limit,
  ]);
  return addKeys(db, rows as EntryRow[]);
}

type EntryRow = Omit<AuditRow, 'key_name' | 'key_display_prefix'>;

const FIND_KEY_NAMES = `select id, name, display_prefix from api_keys where id = any($1::uuid[])`;

/** A query of its own: whether an actor names a key is for us to read, not for a cast that may fail. */
async function addKeys(db: Queryable, entries: readonly EntryRow[]): Promise<readonly AuditRow[]> {
  const ids = new Set(entries.map((entry) => keyIdOf(entry.actor)).filter((id) => id !== null));
  const { rows } = await db.query(FIND_KEY_NAMES, [[...ids]]);
  const keys = new Map((rows as KeyNameRow[]).map((key) => [key.id, key]));
  return entries.map((entry) => {
    const key = keys.get(keyIdOf(entry.actor) ?? '');
    return { ...entry, key_name: key?.name ?? null, key_display_prefix: key?.display_prefix ?? null };
  });
}

type KeyNameRow = { readonly id: string; readonly name: string; readonly display_prefix: string };

function keyIdOf(actor: string): string | null {
  const id = actor.startsWith('key ') ? actor.slice('key '.length) : '';
  return isUuid(id) ? id : null;
}

const FIND_AUDIT_TIME = `select at from audit_entries where id = $1`;

/** Returns when an entry was made; null when there is none with this id. */
export async function findAuditTime(db: Queryable, id: string): Promise<Date | null> {
  const { rows } = await db.query(FIND_AUDIT_TIME, [id]);
  return (rows[0] as { at: Date } | undefined)?.at ?? null;
}

const FIND_ENTRY_OF_USER = `select 1 from audit_entries where user_id = $1 limit 1`;

/** Returns whether there was ever a user with this id: each is in the audit log. */
export async function wasUser(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query(FIND_ENTRY_OF_USER, [userId]);
  return rows.length > 0;
}
