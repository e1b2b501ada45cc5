import type { Pool, PoolClient } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { LOCK_USER, newId } from '@smartlink/smartlink/store';
import type { Principal } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { withoutNulls } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import { isSmartlinkId } from '../requests.js';
import { endPending } from './delivery-queries.js';
import { type CreateBody, type EventType, type UpdateBody, VISITS_EVENT } from './schemas.js';
import { newSecret } from './send-message.js';

const WEBHOOKS_MAX = 20;
const OWNER_DISABLED = 'The webhook was disabled by its owner';

// The members of a webhook in answers: never add a secret.
const COLUMNS = `
  id, url, description, event_types as "eventTypes", is_enabled as "isEnabled", disabled_reason as "disabledReason",
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt"`;

const FIND_BY_OWNER = `select ${COLUMNS} from webhooks where user_id = $1 order by created_at desc, id desc`;
const FIND_ONE = `select ${COLUMNS} from webhooks where id = $1 and user_id = $2`;

// The user's row is the lock for the number of webhooks, as for the number of smartlinks.
const COUNT = `select count(*)::integer as count from webhooks where user_id = $1`;

const INSERT = `
insert into webhooks (id, user_id, url, description, event_types, secret, visits_until)
values ($1, $2, $3, $4, $5, $6, case when '${VISITS_EVENT}' = any($5::text[]) then now() end)
returning ${COLUMNS}`;

// A new URL and re-enabling reset failing_since. Visits start with the subscription or re-enabling: those in between are
// skipped, like other events.
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

// The previous secret also signs for 24 hours.
const ROTATE = `
update webhooks set
  secret = $2, previous_secret = secret, previous_secret_until = now() + interval '24 hours',
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1
returning ${COLUMNS}, previous_secret_until as "previousSecretUntil"`;

type WebhookRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
  readonly isEnabled: boolean;
};

/** The use cases of a user's webhooks. They reject with NOT_FOUND for a webhook of another user. */
export function createWebhookManager({ pg, now }: { pg: Pool; now: () => number }) {
  return {
    async list({ userId }: Principal): Promise<object[]> {
      const { rows } = await pg.query<WebhookRow>(FIND_BY_OWNER, [userId]);
      return rows.map((row) => withoutNulls(row));
    },

    /** Rejects with VALIDATION_FAILED above the maximum. Only this answer holds the secret. */
    create({ userId, actor }: Principal, body: CreateBody): Promise<object> {
      const secret = newSecret();
      return withTransaction(pg, async (client) => {
        if ((await lockCount(client, userId)) >= WEBHOOKS_MAX) {
          throw fault('', `A user has at most ${WEBHOOKS_MAX} webhooks`);
        }
        const { url, eventTypes, description = null } = body;
        const id = newId(now());
        const { rows } = await client.query<WebhookRow>(INSERT, [
          id,
          userId,
          url,
          description,
          eventTypes,
          secret,
        ]);
        await addAuditEntry(client, { actor, userId }, 'webhook.create', { webhookId: id });
        return { ...withoutNulls(rows[0]), secret };
      });
    },

    /** Disabling fails the pending deliveries. A patch without a difference writes nothing. */
    update({ userId, actor }: Principal, { id, ...patch }: UpdateBody): Promise<object> {
      return withTransaction(pg, async (client) => {
        const row = await lockOwn(client, id, userId);
        const url = patch.url ?? row.url;
        const eventTypes = patch.eventTypes ?? row.eventTypes;
        const description = patch.description === undefined ? row.description : patch.description;
        const isEnabled = patch.isEnabled ?? row.isEnabled;
        const wanted = { url, eventTypes, description, isEnabled };
        const changed = (['url', 'eventTypes', 'description', 'isEnabled'] as const).filter(
          (name) => JSON.stringify(row[name]) !== JSON.stringify(wanted[name]),
        );
        if (changed.length === 0) return withoutNulls(row);
        const { rows } = await client.query<WebhookRow>(UPDATE, [
          row.id,
          url,
          description,
          eventTypes,
          isEnabled,
        ]);
        if (row.isEnabled && !isEnabled) await endPending(client, id, OWNER_DISABLED);
        await addAuditEntry(client, { actor, userId }, 'webhook.update', { webhookId: id, changed });
        return withoutNulls(rows[0]);
      });
    },

    /** Also deletes the log. */
    remove({ userId, actor }: Principal, id: string): Promise<void> {
      return withTransaction(pg, async (client) => {
        await lockOwn(client, id, userId);
        await client.query(`delete from webhooks where id = $1`, [id]);
        await addAuditEntry(client, { actor, userId }, 'webhook.delete', { webhookId: id });
      });
    },

    /** Only this answer holds the secret. */
    rotate({ userId, actor }: Principal, id: string): Promise<object> {
      const secret = newSecret();
      return withTransaction(pg, async (client) => {
        await lockOwn(client, id, userId);
        const { rows } = await client.query<{ previousSecretUntil: Date }>(ROTATE, [id, secret]);
        await addAuditEntry(client, { actor, userId }, 'webhook.rotate-secret', { webhookId: id });
        const { previousSecretUntil, ...row } = rows[0] ?? {};
        return { ...withoutNulls(row), secret, previousSecretUntil };
      });
    },
  };
}

/** A webhook of a user. Rejects with NOT_FOUND. */
export async function findOwn(db: Queryable, id: string, userId: string, lock = ''): Promise<WebhookRow> {
  const { rows } = isSmartlinkId(id) ? await db.query(FIND_ONE + lock, [id, userId]) : { rows: [] };
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND', { message: 'Webhook not found' });
  return rows[0] as WebhookRow;
}

/** Like findOwn, locked until the transaction ends. Deliveries can still be written. */
export function lockOwn(db: Queryable, id: string, userId: string): Promise<WebhookRow> {
  return findOwn(db, id, userId, ' for no key update');
}

/** Counts a user's webhooks and blocks additions until the transaction ends. */
async function lockCount(client: PoolClient, userId: string): Promise<number> {
  await client.query(LOCK_USER, [userId]);
  const { rows } = await client.query<{ count: number }>(COUNT, [userId]);
  return rows[0]?.count ?? 0;
}
