import type { Queryable } from '@smartlink/process/database';
import {
  COLUMNS,
  NEXT_URL_CHECK,
  SHOWN_COLUMNS,
  SHOWN_CONTENT,
  type SmartlinkRow,
} from '@smartlink/smartlink/store';
import type { Totals } from '@smartlink/visits/analytics';
import { TooHeavy } from '../../fairness/heavy-requests.js';

/** `known_totals` is null if they were never read from ClickHouse. */
export type ListedRow = SmartlinkRow & { readonly known_totals: Totals | null };

export const KNOWN_TOTALS = `
  case when smartlink_totals.smartlink_id is not null then jsonb_build_object(
    'clicks', smartlink_totals.clicks, 'scans', smartlink_totals.scans,
    'fallbacks', smartlink_totals.fallbacks) end as known_totals`;

/**
 * The content, if it takes at most `contentBytesMax` bytes in Postgres, mostly compressed; null: whatever its size. Content
 * above it is null, which throws TooHeavy.
 */
const lightContent = (content: string) =>
  `case when $3::int is null or pg_column_size(smartlinks.content) <= $3 then ${content} end as content`;

function requireLight(rows: readonly unknown[]): ListedRow | null {
  const row = rows[0] as ListedRow | undefined;
  if (row === undefined) return null;
  if ((row.content as unknown) === null) throw new TooHeavy();
  return row;
}

type Owned = { readonly id: string; readonly userId: string; readonly contentBytesMax: number | null };

const FIND_ONE = `
select ${COLUMNS}, ${lightContent(SHOWN_CONTENT)}, ${KNOWN_TOTALS}
from smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.id = $1 and smartlinks.user_id = $2`;

/** In any status, with the content of its present type. */
export async function findOne(db: Queryable, owned: Owned): Promise<ListedRow | null> {
  const { rows } = await db.query(FIND_ONE, [owned.id, owned.userId, owned.contentBytesMax]);
  return requireLight(rows);
}

const FIND_CHANGEABLE = `
select ${COLUMNS}, ${lightContent('smartlinks.content')}, ${KNOWN_TOTALS}
from smartlinks left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
where smartlinks.id = $1 and smartlinks.user_id = $2 and smartlinks.status <> 'Deleted'`;

const FIND_BY_EXTERNAL_ID = `
select id from smartlinks where user_id = $1 and external_id = $2 and status <> 'Deleted'`;

/** The id of the smartlink that has the external id, unless it is deleted. */
export async function findByExternalId(
  db: Queryable,
  userId: string,
  externalId: string,
): Promise<string | null> {
  const { rows } = await db.query(FIND_BY_EXTERNAL_ID, [userId, externalId]);
  return (rows[0] as { id: string } | undefined)?.id ?? null;
}

/** Unless it is deleted, with the content of all its types. */
export async function findChangeable(db: Queryable, owned: Owned): Promise<ListedRow | null> {
  const { rows } = await db.query(FIND_CHANGEABLE, [owned.id, owned.userId, owned.contentBytesMax]);
  return requireLight(rows);
}

/** A row without its content. */
type BareRow = Omit<SmartlinkRow, 'content'>;

// Every statement that locks several rows does so in this order.
const LOCK_MANY = `
select ${COLUMNS} from smartlinks
where id = any($1::uuid[]) and user_id = $2 and status <> 'Deleted'
order by id for update`;

/** The smartlinks that are not deleted, locked until the transaction ends. */
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
 * Like findChangeable. null if the content, counted once per occurrence of an id, exceeds `contentBytesMax` bytes of
 * JSON.
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

export type ChangedSmartlink = Omit<
  SmartlinkRow,
  | 'user_id'
  | 'domain'
  | 'status'
  | 'password_version'
  | 'version'
  | 'imported_addresses'
  | 'tags'
  | 'visits_used'
  | 'archived_at'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
> & {
  readonly archived: boolean;
  readonly password_changed: boolean;
  /** It has URLs that no safety provider has judged. */
  readonly urls_unchecked: boolean;
};

const UPDATE = `
update smartlinks set
  type = change.type, name = change.name, slug = change.slug,
  domain_number = change.domain_number, open_graph = change.open_graph,
  appearance = change.appearance, utm = change.utm, redirect = change.redirect, routing = change.routing,
  availability = change.availability, content = change.content,
  password_hash = change.password_hash,  pause_reason = change.pause_reason, folder_id = change.folder_id, notes = change.notes,
  archived_at = case when change.archived then coalesce(archived_at, now()) end, external_id = change.external_id,
  password_version = password_version + case when change.password_changed then 1 else 0 end,
  version = nextval('smartlink_version'), updated_at = greatest(now(), updated_at + interval '1 millisecond'),
  urls_checked_at = case when change.urls_unchecked then null else urls_checked_at end,
  urls_check_due_at =
    case when change.urls_unchecked then ${NEXT_URL_CHECK('false')} else urls_check_due_at end
from jsonb_to_recordset($1::jsonb) as change
  (id uuid, type text, name text, slug text, domain_number integer, open_graph jsonb, appearance jsonb, utm jsonb, redirect jsonb, routing jsonb,
   availability jsonb, content jsonb, password_hash text, password_changed boolean, urls_unchecked boolean, pause_reason jsonb,
   folder_id uuid, notes text, archived boolean, external_id text)
where smartlinks.id = change.id
returning ${SHOWN_COLUMNS}`;

/** The updated rows by id. The rows must be locked. */
export async function updateSmartlinks(
  db: Queryable,
  smartlinks: readonly ChangedSmartlink[],
): Promise<ReadonlyMap<string, SmartlinkRow>> {
  const { rows } = await db.query(UPDATE, [JSON.stringify(smartlinks)]);
  return new Map((rows as SmartlinkRow[]).map((row) => [row.id, row]));
}
