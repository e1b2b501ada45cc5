import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { VISITS_EVENT } from './event-types.js';
import type { EventType } from './event-types.js';

export type WebhookRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const COLUMNS = `
  id, url, description, event_types as "eventTypes", is_enabled as "isEnabled", disabled_reason as "disabledReason",
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt"`;

const FIND_BY_OWNER = `select ${COLUMNS} from webhooks where user_id = $1 order by created_at desc, id desc`;

/** Returns a user's webhooks, newest first. */
export async function findByOwner(db: Queryable, userId: string): Promise<readonly WebhookRow[]> {
  const { rows } = await db.query(FIND_BY_OWNER, [userId]);
  return rows as WebhookRow[];
}

const FIND_ONE = `select ${COLUMNS} from webhooks where id = $1 and user_id = $2`;

/** Returns one of a user's webhooks, or null. */
export async function findOne(db: Queryable, id: string, userId: string): Promise<WebhookRow | null> {
  const { rows } = await db.query(FIND_ONE, [id, userId]);
  return (rows[0] as WebhookRow | undefined) ?? null;
}

/** As findOne, locked until the transaction ends. Deliveries for it can still be written meanwhile. */
export async function lockOne(db: Queryable, id: string, userId: string): Promise<WebhookRow | null> {
  const { rows } = await db.query(`${FIND_ONE} for no key update`, [id, userId]);
  return (rows[0] as WebhookRow | undefined) ?? null;
}

// The user's row is the lock of how many webhooks they have, as of how many smartlinks.
const LOCK_USER = `select id from users where id = $1 for no key update`;
const COUNT = `select count(*)::integer as count from webhooks where user_id = $1`;

/** Returns how many webhooks a user has; nobody can add one until the transaction ends. */
export async function lockCount(db: Queryable, userId: string): Promise<number> {
  await db.query(LOCK_USER, [userId]);
  const { rows } = await db.query(COUNT, [userId]);
  return (rows[0] as { count: number }).count;
}

const INSERT = `
insert into webhooks (id, user_id, url, description, event_types, secret, visits_until)
values ($1, $2, $3, $4, $5, $6, case when '${VISITS_EVENT}' = any($5::text[]) then now() end)
returning ${COLUMNS}`;

/** Stores a new webhook. */
export async function insertWebhook(
  db: Queryable,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'description' | 'eventTypes'> & {
    readonly userId: string;
    readonly secret: string;
  },
): Promise<WebhookRow> {
  const { id, userId, url, description, eventTypes, secret } = webhook;
  const { rows } = await db.query(INSERT, [id, userId, url, description, eventTypes, secret]);
  return rows[0] as WebhookRow;
}

// Another address, and being enabled anew, are a new beginning. Visits are handed on from the moment on that somebody
// takes them: who was disabled meanwhile has missed them, like everything else.
const UPDATE = `
update webhooks set
  url = $2, description = $3, event_types = $4, is_enabled = $5,
  disabled_reason = case when $5 or is_enabled then null else disabled_reason end,
  failing_since = case when url = $2 and is_enabled then failing_since end,
  visits_until = case when $5 and '${VISITS_EVENT}' = any($4::text[]) then coalesce(visits_until, now()) end,
  visits_after_id = case when $5 and '${VISITS_EVENT}' = any($4::text[]) then visits_after_id end,
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1
returning ${COLUMNS}`;

/** Writes what an owner may change of a webhook, and returns it. */
export async function updateWebhook(
  db: Queryable,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'description' | 'eventTypes' | 'isEnabled'>,
): Promise<WebhookRow> {
  const { id, url, description, eventTypes, isEnabled } = webhook;
  const { rows } = await db.query(UPDATE, [id, url, description, eventTypes, isEnabled]);
  return rows[0] as WebhookRow;
}

const ROTATE = `
update webhooks set
  secret = $2, previous_secret = secret, previous_secret_until = now() + interval '24 hours',
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1
returning ${COLUMNS}, previous_secret_until as "previousSecretUntil"`;

/** Gives a webhook another secret; the one it had signs too for 24 hours. */
export async function rotateSecret(
  db: Queryable,
  id: string,
  secret: string,
): Promise<WebhookRow & { readonly previousSecretUntil: Date }> {
  const { rows } = await db.query(ROTATE, [id, secret]);
  return rows[0] as WebhookRow & { readonly previousSecretUntil: Date };
}

/** Removes a webhook and its log. */
export async function deleteWebhook(db: Queryable, id: string): Promise<void> {
  await db.query(`delete from webhooks where id = $1`, [id]);
}

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, details) values ($1, $2, $3, $4)`;

export type WebhookAudit = {
  readonly keyId: string;
  readonly userId: string;
  readonly action:
    | 'webhook.create'
    | 'webhook.update'
    | 'webhook.delete'
    | 'webhook.rotate-secret'
    | 'webhook.test'
    | 'webhook.redeliver';
  readonly webhookId: string;
  /** Names of the members that changed. */
  readonly changed?: readonly string[];
};

/** Notes, in the transaction of a change, who changed what: no address, which may hold a token, and no secret. */
export async function addAuditEntry(db: Queryable, entry: WebhookAudit): Promise<void> {
  const { keyId, userId, action, webhookId, changed } = entry;
  const details = { webhookId, ...(changed === undefined ? {} : { changed }) };
  await db.query(ADD_AUDIT_ENTRY, [`key ${keyId}`, action, userId, JSON.stringify(details)]);
}
