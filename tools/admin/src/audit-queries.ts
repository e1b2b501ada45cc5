import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** What the command notes. The API notes `smartlink.*` in entries of its own. */
export type AdminAction =
  | 'user.create'
  | 'user.set-plan'
  | 'user.delete'
  | 'key.create'
  | 'key.revoke'
  | 'plan.create'
  | 'plan.set'
  | 'plan.delete';

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, details) values ('admin', $1, $2, $3)`;

/** Notes what was changed, in the transaction that changes it; `details` holds names and limits, never a key. */
export async function addAuditEntry(
  db: Queryable,
  action: AdminAction,
  userId: string | null,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await db.query(ADD_AUDIT_ENTRY, [action, userId, JSON.stringify(details)]);
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
// use the index of 0002 or 0003 that has their column. Users and keys are looked up for the rows that are shown.
const FIND_AUDIT_ENTRIES = `
select entries.id, entries.at, entries.actor, entries.action, entries.user_id, entries.smartlink_id, entries.details,
       users.email, api_keys.name as key_name, api_keys.display_prefix as key_display_prefix
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
left join api_keys on api_keys.id =
  case when entries.actor ~ '^key [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(entries.actor, 5)::uuid end
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
  return rows as AuditRow[];
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
