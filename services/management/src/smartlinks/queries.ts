import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { SmartlinkStatus, SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import type { OpenGraph } from '@smartlink/smartlink/snapshot';
import {
  ALL_COLUMNS,
  COLUMNS,
  NEXT_URL_CHECK,
  SHOWN_COLUMNS,
} from '@smartlink/smartlink-store/smartlink-row';
import type { Content, PauseReason, SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Totals } from '@smartlink/visit-analytics/totals';
import type { PageCursor } from '../page-cursor.js';

/** A row and its last known totals. */
export type ListedRow = SmartlinkRow & {
  readonly known_totals: Totals | null;
};

// null when they were never read from ClickHouse.
const KNOWN_TOTALS = `
  case when smartlink_totals.smartlink_id is not null then jsonb_build_object(
    'clicks', smartlink_totals.clicks, 'scans', smartlink_totals.scans,
    'fallbacks', smartlink_totals.fallbacks) end as known_totals`;

export type ListFilter = {
  readonly userId: string;
  readonly status: SmartlinkStatus | null;
  readonly type: SmartlinkType | null;
  /** Part of the name or of the slug, in any case. */
  readonly search: string | null;
  /** The last row of the page before. */
  readonly after: PageCursor | null;
  /** null: all of them. */
  readonly limit: number | null;
};

// Walks smartlinks_list (or smartlinks_list_all when no status is asked for) backwards: the plan is made for the
// values at hand, so a condition on a null parameter is no condition.
const FIND_BY_OWNER = `
select ${SHOWN_COLUMNS}, ${KNOWN_TOTALS}
from smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.user_id = $1
  and ($2::text is null or smartlinks.status = $2)
  and ($3::text is null or smartlinks.type = $3)
  and ($4::text is null or smartlinks.name ilike $4 or smartlinks.slug ilike $4)
  and ($5::timestamptz is null or (smartlinks.created_at, smartlinks.id) < ($5, $6::uuid))
order by smartlinks.created_at desc, smartlinks.id desc
limit $7`;

/** Returns an owner's smartlinks, newest first. */
export async function findByOwner(db: Queryable, filter: ListFilter): Promise<readonly ListedRow[]> {
  const pattern = filter.search === null ? null : `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await db.query(FIND_BY_OWNER, [
    filter.userId,
    filter.status,
    filter.type,
    pattern,
    filter.after?.time ?? null,
    filter.after?.id ?? null,
    filter.limit,
  ]);
  return rows as ListedRow[];
}

const FIND_ONE = `
select ${SHOWN_COLUMNS}, ${KNOWN_TOTALS}
from smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.id = $1 and smartlinks.user_id = $2`;

/** Returns one of an owner's smartlinks in any status, to be shown; or null. */
export async function findOne(db: Queryable, id: string, userId: string): Promise<ListedRow | null> {
  const { rows } = await db.query(FIND_ONE, [id, userId]);
  return (rows[0] as ListedRow | undefined) ?? null;
}

const FIND_CHANGEABLE = `
select ${ALL_COLUMNS}, ${KNOWN_TOTALS}
from smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.id = $1 and smartlinks.user_id = $2 and smartlinks.status <> 'Deleted'`;

/** Returns one of an owner's smartlinks that can still be written, with the content of all its types; or null. */
export async function findChangeable(db: Queryable, id: string, userId: string): Promise<ListedRow | null> {
  const { rows } = await db.query(FIND_CHANGEABLE, [id, userId]);
  return (rows[0] as ListedRow | undefined) ?? null;
}

const LOCK_ONE = `
select ${ALL_COLUMNS} from smartlinks
where id = $1 and user_id = $2 and status <> 'Deleted'
for update`;

/** As findChangeable, locked until the transaction ends. */
export async function lockOne(db: Queryable, id: string, userId: string): Promise<SmartlinkRow | null> {
  const { rows } = await db.query(LOCK_ONE, [id, userId]);
  return (rows[0] as SmartlinkRow | undefined) ?? null;
}

/** A row without its content. */
export type BareRow = Omit<SmartlinkRow, 'content'>;

// In one order for all who lock several.
const LOCK_MANY = `
select ${COLUMNS} from smartlinks
where id = any($1::uuid[]) and user_id = $2 and status <> 'Deleted'
order by id for update`;

/** Returns those of an owner's smartlinks that can still be written, locked until the transaction ends. */
export async function lockMany(
  db: Queryable,
  ids: readonly string[],
  userId: string,
): Promise<readonly BareRow[]> {
  const { rows } = await db.query(LOCK_MANY, [ids, userId]);
  return rows as BareRow[];
}

const FIND_MANY_CHANGEABLE = `
with weighed as (
  select sum(octet_length(smartlinks.content::text)) as bytes
  from unnest($1::uuid[]) as wanted (id) join smartlinks on smartlinks.id = wanted.id
  where smartlinks.user_id = $2 and smartlinks.status <> 'Deleted'
)
select ${COLUMNS}, case when weighed.bytes <= $3::float8 then smartlinks.content end as content, ${KNOWN_TOTALS}
from weighed, smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.id = any($1::uuid[]) and smartlinks.user_id = $2 and smartlinks.status <> 'Deleted'`;

/**
 * Returns those of an owner's smartlinks that can still be written, as findChangeable does; null when the content of all
 * of them, as often as their ids are there, comes to more than `contentBytesMax` as JSON.
 */
export async function findManyChangeable(
  db: Queryable,
  ids: readonly string[],
  { userId, contentBytesMax }: { readonly userId: string; readonly contentBytesMax: number },
): Promise<readonly ListedRow[] | null> {
  const { rows } = await db.query(FIND_MANY_CHANGEABLE, [ids, userId, contentBytesMax]);
  const found = rows as (Omit<ListedRow, 'content'> & { content: ListedRow['content'] | null })[];
  return found.some(({ content }) => content === null) ? null : (found as ListedRow[]);
}

export type ChangedSmartlink = {
  readonly id: string;
  readonly type: SmartlinkType;
  readonly name: string;
  readonly slug: string;
  readonly openGraph: OpenGraph | null;
  readonly content: Partial<Record<SmartlinkType, Content>>;
  readonly passwordHash: string | null;
  readonly passwordChanged: boolean;
  /** It has URLs that no safety provider has judged. */
  readonly urlsUnchecked: boolean;
  /** null unless the service has paused it. */
  readonly pauseReason: PauseReason | null;
};

const UPDATE = `
update smartlinks set
  type = change.type, name = change.name, slug = change.slug, open_graph = change.open_graph,
  content = change.content, password_hash = change.password_hash, pause_reason = change.pause_reason,
  password_version = password_version + case when change.password_changed then 1 else 0 end,
  version = nextval('smartlink_version'), updated_at = greatest(now(), updated_at + interval '1 millisecond'),
  urls_checked_at = case when change.urls_unchecked then null else urls_checked_at end,
  urls_check_due_at =
    case when change.urls_unchecked then ${NEXT_URL_CHECK('false')} else urls_check_due_at end
from jsonb_to_recordset($1::jsonb) as change
  (id uuid, type text, name text, slug text, open_graph jsonb, content jsonb, password_hash text,
   password_changed boolean, urls_unchecked boolean, pause_reason jsonb)
where smartlinks.id = change.id
returning ${SHOWN_COLUMNS}`;

/** Writes changed smartlinks and returns them by id. Their rows must be locked. */
export async function updateSmartlinks(
  db: Queryable,
  smartlinks: readonly ChangedSmartlink[],
): Promise<ReadonlyMap<string, SmartlinkRow>> {
  const records = smartlinks.map((smartlink) => ({
    id: smartlink.id,
    type: smartlink.type,
    name: smartlink.name,
    slug: smartlink.slug,
    open_graph: smartlink.openGraph,
    content: smartlink.content,
    password_hash: smartlink.passwordHash,
    password_changed: smartlink.passwordChanged,
    urls_unchecked: smartlink.urlsUnchecked,
    pause_reason: smartlink.pauseReason,
  }));
  const { rows } = await db.query(UPDATE, [JSON.stringify(records)]);
  return new Map((rows as SmartlinkRow[]).map((row) => [row.id, row]));
}

const SET_STATUS = `
update smartlinks set
  status = $2, pause_reason = null, version = nextval('smartlink_version'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1
returning ${SHOWN_COLUMNS}`;

/** Pauses or activates a smartlink for its owner and returns it. The row must be locked. */
export async function setStatus(
  db: Queryable,
  id: string,
  status: 'Active' | 'Paused',
): Promise<SmartlinkRow> {
  const { rows } = await db.query(SET_STATUS, [id, status]);
  return rows[0] as SmartlinkRow;
}

const MARK_DELETED = `
update smartlinks set
  status = 'Deleted', deleted_at = now(), updated_at = now(), version = nextval('smartlink_version')
where id = any($1::uuid[])
returning id, version`;

/** Marks smartlinks as deleted and returns their new versions by id. Their rows must be locked. */
export async function markDeleted(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query(MARK_DELETED, [ids]);
  return new Map((rows as { id: string; version: string }[]).map(({ id, version }) => [id, version]));
}
