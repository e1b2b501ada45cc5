import type { Queryable } from '@smartlink/process/database';
import type { SmartlinkRow } from './smartlink-row.js';

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
  readonly smartlink: Pick<SmartlinkRow, 'id' | 'user_id' | 'name' | 'slug' | 'type' | 'status'>;
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
      smartlinkType: smartlink.type,
      status: smartlink.status,
      changed,
      details,
    },
  }));
  await db.query(RECORD_CHANGES, [JSON.stringify(records)]);
}
