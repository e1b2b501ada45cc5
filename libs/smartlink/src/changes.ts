import type { Queryable } from '@smartlink/process/database';
import { ALL_COLUMNS, NEXT_URL_CHECK, SHOWN_COLUMNS, type SmartlinkRow } from './smartlink-row.js';

/** A change that is committed and perhaps not published. */
export type OutboxEntry = { readonly id: string; readonly slugKey: string };

const ADD_TO_OUTBOX = `
insert into publish_outbox (slug_key, version)
select slugs.key, change.version
from unnest($1::uuid[], $2::bigint[]) as change (smartlink_id, version)
join slugs on slugs.smartlink_id = change.smartlink_id
returning id, slug_key as "slugKey"`;

/** Notes, in the transaction of the changes, that all addresses of these smartlinks must be published. */
export async function addToOutbox(
  db: Queryable,
  changed: readonly { readonly id: string; readonly version: string }[],
): Promise<readonly OutboxEntry[]> {
  const { rows } = await db.query(ADD_TO_OUTBOX, [
    changed.map(({ id }) => id),
    changed.map(({ version }) => version),
  ]);
  return rows as OutboxEntry[];
}

const MEASURE_OUTBOX = `
select count(*)::integer as depth,
       coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
from publish_outbox`;

/** The relay empties the outbox every 250 ms (ARCHITECTURE.md, Change): an older change is a fault. */
export const OUTBOX_AGE_MAX_SECONDS = 10;

/** The changes that are not known to be published. */
export async function measureOutbox(db: Queryable): Promise<{ depth: number; oldestSeconds: number }> {
  const { rows } = await db.query(MEASURE_OUTBOX, []);
  return rows[0] as { depth: number; oldestSeconds: number };
}

/** Actions on a smartlink. */
export type SmartlinkAction =
  | 'smartlink.create'
  | 'smartlink.import'
  | 'smartlink.update'
  | 'smartlink.pause'
  | 'smartlink.activate'
  | 'smartlink.delete'
  | 'smartlink.unsafe';

/** Webhook event by action. Imports send none: one may create a hundred thousand links. */
const MESSAGE_TYPES = {
  'smartlink.create': 'smartlink.created',
  'smartlink.import': null,
  'smartlink.update': 'smartlink.updated',
  'smartlink.pause': 'smartlink.paused',
  'smartlink.activate': 'smartlink.activated',
  'smartlink.delete': 'smartlink.deleted',
  'smartlink.unsafe': 'smartlink.unsafe',
} as const satisfies Record<SmartlinkAction, string | null>;

export type ChangeRecord = {
  /** `key <id>` for a request, else an internal name. */
  readonly actor: string;
  readonly action: SmartlinkAction;
  /** State after the change. */
  readonly smartlink: Pick<SmartlinkRow, 'id' | 'user_id' | 'name' | 'slug' | 'domain' | 'type' | 'status'>;
  /** Names of the members that changed. */
  readonly changed?: readonly string[];
  /** Which of its URLs are unsafe. */
  readonly details?: readonly { readonly path: string; readonly message: string }[];
};

// One statement: every write records its change, and few accounts have a webhook. A webhook with a deletion in progress
// is waited for, then left out.
const RECORD_CHANGES = `
with change as (
  select * from jsonb_to_recordset($1::jsonb) as change
    (actor text, action text, user_id uuid, smartlink_id uuid, details jsonb, event_type text, data jsonb)
), audited as (
  insert into audit_entries (actor, action, user_id, smartlink_id, details)
  select actor, action, user_id, smartlink_id, details from change
)
insert into webhook_deliveries (webhook_id, event_type, data)
select webhooks.id, change.event_type, change.data
from change join webhooks on webhooks.user_id = change.user_id
where webhooks.is_enabled and change.event_type = any(webhooks.event_types)
for key share of webhooks`;

/** Writes, in the transaction of the changes, their audit entries and a delivery for each subscribed webhook. */
export async function recordChanges(db: Queryable, changes: readonly ChangeRecord[]): Promise<void> {
  const records = changes.map(({ actor, action, smartlink, changed, details }) => ({
    actor,
    action,
    user_id: smartlink.user_id,
    smartlink_id: smartlink.id,
    details: changed === undefined && details === undefined ? null : { changed, details },
    event_type: MESSAGE_TYPES[action],
    data: {
      smartlinkId: smartlink.id,
      smartlinkName: smartlink.name,
      smartlinkUrl: smartlink.slug,
      domain: smartlink.domain ?? undefined,
      smartlinkType: smartlink.type,
      status: smartlink.status,
      changed,
      details,
    },
  }));
  await db.query(RECORD_CHANGES, [JSON.stringify(records)]);
}

const LOCK_SMARTLINK = `
select ${ALL_COLUMNS} from smartlinks
where id = $1 and user_id = $2 and status <> 'Deleted'
for update`;

/** A user's smartlink unless it is deleted, with the content of all its types, locked until the transaction ends. */
export async function lockSmartlink(db: Queryable, id: string, userId: string): Promise<SmartlinkRow | null> {
  const { rows } = await db.query(LOCK_SMARTLINK, [id, userId]);
  return (rows[0] as SmartlinkRow | undefined) ?? null;
}

/** A row after a change, and the entries to publish; none if nothing changed. */
export type WrittenChange = { readonly row: SmartlinkRow; readonly entries: readonly OutboxEntry[] };

const SET_STATUS = `
update smartlinks set
  status = change.status, pause_reason = null, version = nextval('smartlink_version'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond'),
  urls_checked_at =
    case when change.status = 'Paused' then urls_checked_at when change.urls_checked then now() end,
  urls_check_due_at =
    case when change.status = 'Paused' then urls_check_due_at else ${NEXT_URL_CHECK('change.urls_checked')} end,
  url_check_failures = case when change.status = 'Paused' then url_check_failures else 0 end
from unnest($1::uuid[], $2::text[], $3::boolean[]) as change (id, status, urls_checked)
where smartlinks.id = change.id
returning ${SHOWN_COLUMNS}`;

export type StatusChange = {
  readonly id: string;
  readonly status: 'Active' | 'Paused';
  /** Its URLs were judged safe for the activation. */
  readonly urlsChecked: boolean;
};

/** The changed rows by id. The rows must be locked, and have another status. */
export async function setStatuses(
  db: Queryable,
  changes: readonly StatusChange[],
): Promise<ReadonlyMap<string, SmartlinkRow>> {
  const { rows } = await db.query(SET_STATUS, [
    changes.map(({ id }) => id),
    changes.map(({ status }) => status),
    changes.map(({ urlsChecked }) => urlsChecked),
  ]);
  return new Map((rows as SmartlinkRow[]).map((row) => [row.id, row]));
}

export const statusAction = (status: StatusChange['status']) =>
  status === 'Paused' ? 'smartlink.pause' : 'smartlink.activate';

/**
 * Pauses or activates a locked smartlink. Writes the audit entry, the messages and the outbox entries, unless it has the
 * status already.
 */
export async function writeStatus(
  db: Queryable,
  row: SmartlinkRow,
  change: Omit<StatusChange, 'id'> & { readonly actor: string },
): Promise<WrittenChange> {
  const { status, urlsChecked, actor } = change;
  if (row.status === status) return { row, entries: [] };
  const smartlink = (await setStatuses(db, [{ id: row.id, status, urlsChecked }])).get(row.id);
  if (smartlink === undefined) throw new Error('BUG: a locked smartlink is gone');
  await recordChanges(db, [{ actor, action: statusAction(status), smartlink }]);
  return { row: smartlink, entries: await addToOutbox(db, [smartlink]) };
}

const MARK_DELETED = `
update smartlinks set
  status = 'Deleted', deleted_at = now(), updated_at = now(), version = nextval('smartlink_version')
where id = any($1::uuid[])
returning id, version`;

/** The new versions by id. The rows must be locked. */
export async function markDeleted(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query(MARK_DELETED, [ids]);
  return new Map((rows as { id: string; version: string }[]).map(({ id, version }) => [id, version]));
}

/** Marks a locked smartlink as deleted, and writes the audit entry, the messages and the outbox entries. */
export async function writeDeletion(
  db: Queryable,
  row: Omit<SmartlinkRow, 'content'>,
  actor: string,
): Promise<readonly OutboxEntry[]> {
  const versions = await markDeleted(db, [row.id]);
  const smartlink = { ...row, status: 'Deleted' as const };
  await recordChanges(db, [{ actor, action: 'smartlink.delete', smartlink }]);
  return addToOutbox(db, [{ id: row.id, version: versions.get(row.id) ?? row.version }]);
}
