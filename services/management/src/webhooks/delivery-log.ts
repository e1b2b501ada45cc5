import type { Pool } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import type { Principal } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { withoutNulls } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import { decodeCursor, encodeCursor, isSmartlinkId } from '../requests.js';
import { findOwn, lockOwn } from './manage-webhooks.js';
import { logLimitOf, type LogQuery, TEST_EVENT, VISITS_EVENT } from './schemas.js';
import { toMessageData } from './send-message.js';

const DISABLED = 'The webhook is disabled';

// The members of a delivery in answers.
const COLUMNS = `
  id, webhook_id as "webhookId", event_type as "eventType", occurred_at as "occurredAt", status,
  attempts + earlier_attempts as attempts,
  last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt", response_status as "responseStatus", error,
  duration_ms as "durationMs", data`;

// A hundred messages with visits are 22 MB of JSON, so a page ends after this much data, as Postgres compresses it: about a
// MiB of JSON.
const PAGE_BYTES_MAX = 128 * 1024;

// Scans webhook_deliveries_webhook; a rare status scans the whole log of the webhook, which is bounded.
const LIST = `
select ${COLUMNS}, found::integer from (
  select page.*, count(*) over () as found,
         sum(pg_column_size(data)) over (order by occurred_at desc, id desc) - pg_column_size(data) as bytes_before
  from (
    select * from webhook_deliveries
    where webhook_id = $1 and ($2::text is null or status = $2)
      and ($3::timestamptz is null or (occurred_at, id) < ($3, $4::uuid))
    order by occurred_at desc, id desc
    limit $5
  ) as page
) as weighed
where bytes_before < ${PAGE_BYTES_MAX}
order by occurred_at desc, id desc`;

// Due at once.
const ADD = `
insert into webhook_deliveries (webhook_id, event_type, data) values ($1, $2, $3) returning ${COLUMNS}`;

const LOCK_DELIVERY = `
select deliveries.webhook_id as "webhookId", webhooks.is_enabled as "isEnabled"
from webhook_deliveries as deliveries join webhooks on webhooks.id = deliveries.webhook_id
where deliveries.id = $1 and webhooks.user_id = $2
for update of deliveries`;

// A finished delivery starts over with its retries. A pending one continues them, the next one now. One that is being sent
// keeps its lease.
const SEND_AGAIN = `
update webhook_deliveries set
  status = 'Pending',
  attempts = case when status = 'Pending' then attempts else 0 end,
  earlier_attempts = earlier_attempts + case when status = 'Pending' then 0 else attempts end,
  first_attempt_at = case when status = 'Pending' then first_attempt_at end,
  next_attempt_at = case when leased_until > now() then next_attempt_at else least(next_attempt_at, now()) end
where id = $1
returning ${COLUMNS}, coalesce(leased_until > now(), false) as "isUnderWay"`;

type DeliveryRow = {
  readonly id: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The use cases of a webhook's log. They reject with NOT_FOUND for a webhook or delivery of another user. */
export function createDeliveryLog({ pg, publicBaseUrl }: { pg: Pool; publicBaseUrl: string }) {
  const toDelivery = (row: DeliveryRow | undefined): object => {
    if (row === undefined) throw new Error('BUG: a delivery was not written');
    return withoutNulls({ ...row, data: toMessageData(row.data, publicBaseUrl) });
  };
  return {
    /** A page, newest first, and the cursor of the next page. */
    async list(
      { userId }: Principal,
      query: LogQuery,
    ): Promise<{ data: object[]; nextCursor: string | null }> {
      const limit = logLimitOf(query);
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
      const { id } = await findOwn(pg, query.id, userId);
      // The extra row shows whether there is a next page.
      const values = [id, query.status ?? null, after?.time ?? null, after?.id ?? null, limit + 1];
      const { rows } = await pg.query<DeliveryRow & { found: number }>(LIST, values);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const hasMore = last !== undefined && (rows[0]?.found ?? 0) > page.length;
      return {
        data: page.map(({ found: _found, ...row }) => toDelivery(row)),
        nextCursor: hasMore ? encodeCursor({ time: last.occurredAt, id: last.id }) : null,
      };
    },

    /** Queues a test message. Rejects when the webhook is disabled. */
    test({ userId, actor }: Principal, id: string): Promise<object> {
      return withTransaction(pg, async (client) => {
        const webhook = await lockOwn(client, id, userId);
        if (!webhook.isEnabled) throw fault('id', DISABLED);
        const { rows } = await client.query<DeliveryRow>(ADD, [
          id,
          TEST_EVENT,
          JSON.stringify({ webhookId: id }),
        ]);
        await addAuditEntry(client, { actor, userId }, 'webhook.test', { webhookId: id });
        return toDelivery(rows[0]);
      });
    },

    /** Queues a delivery again, unchanged, unless it is being sent. Rejects when its webhook is disabled. */
    redeliver(
      { userId, actor }: Principal,
      deliveryId: string,
    ): Promise<{ data: object; isUnderWay: boolean }> {
      return withTransaction(pg, async (client) => {
        const found = isSmartlinkId(deliveryId)
          ? await client.query<Locked>(LOCK_DELIVERY, [deliveryId, userId])
          : null;
        const delivery = found?.rows[0];
        if (delivery === undefined) throw new ApiError('NOT_FOUND', { message: 'Delivery not found' });
        const { webhookId, isEnabled } = delivery;
        if (!isEnabled) throw fault('deliveryId', DISABLED);
        const { rows } = await client.query<DeliveryRow & { isUnderWay: boolean }>(SEND_AGAIN, [deliveryId]);
        await addAuditEntry(client, { actor, userId }, 'webhook.redeliver', { webhookId });
        const [row] = rows;
        if (row === undefined) throw new Error('BUG: a locked delivery is gone');
        const { isUnderWay, ...queued } = row;
        return { data: toDelivery(queued), isUnderWay };
      });
    },
  };
}

type Locked = { readonly webhookId: string; readonly isEnabled: boolean };

/** Finished deliveries kept for a webhook, and of these the ones with visits, which are large. */
const LOG_ROWS_MAX = 1_000;
const LOG_VISIT_ROWS_MAX = 100;
/** Pending deliveries of a webhook. */
const PENDING_MAX = 10_000;
const TOO_MANY = `More than ${PENDING_MAX} messages were waiting: the oldest are given up`;
const REMOVED_AT_ONCE = 5_000;
/** Webhooks trimmed in a run beside those whose logs are known to have grown. */
const SWEPT_AT_ONCE = 100;

/** Keeps the log of each webhook within its number of rows. Any number of processes may run it. */
export function createLogCleanup({ pg }: { pg: Pool }) {
  // Webhooks with a new attempt are trimmed in the next run. Logs also grow when all pending deliveries of a webhook fail,
  // and a killed process loses its list, so each run also trims the next few of all webhooks.
  let grown = new Set<string>();
  let sweptUntil: string | null = null;

  async function shorten(webhookId: string): Promise<void> {
    while ((await removeBeyond(pg, webhookId, LOG_VISIT_ROWS_MAX, REMOVED_AT_ONCE, VISITS_EVENT)) > 0);
    while ((await removeBeyond(pg, webhookId, LOG_ROWS_MAX, REMOVED_AT_ONCE)) > 0);
  }

  return {
    noteGrown: (webhookId: string): void => {
      grown.add(webhookId);
    },
    /** Resolves to the number of pending deliveries that failed. Not concurrently. */
    async run(): Promise<number> {
      let dropped = 0;
      for (const webhookId of await findCrowded(pg, PENDING_MAX)) {
        dropped += await dropBeyond(pg, webhookId, PENDING_MAX, TOO_MANY);
        grown.add(webhookId);
      }
      const swept = await findNext(pg, sweptUntil, SWEPT_AT_ONCE);
      sweptUntil = swept.at(SWEPT_AT_ONCE - 1) ?? null;
      const webhookIds = new Set([...grown, ...swept]);
      grown = new Set();
      for (const webhookId of webhookIds) await shorten(webhookId);
      return dropped;
    },
  };
}

// The oldest row to keep is found without locking those before it. These conditions make Postgres use
// webhook_deliveries_webhook: with `webhook_id = $1` and `status <> 'Pending'` it may scan all users' rows in
// webhook_deliveries_ended, 200,000 rows and 130 ms against 1,000 rows and 1.5 ms.
const REMOVE_BEYOND = `
delete from webhook_deliveries where id = any(array(
  select id from webhook_deliveries
  where webhook_id between $1 and $1 and nullif(status, 'Pending') is not null and ($3::text is null or event_type = $3)
    and (occurred_at, id) <= (
      select occurred_at, id from webhook_deliveries
      where webhook_id between $1 and $1 and nullif(status, 'Pending') is not null and ($3::text is null or event_type = $3)
      order by webhook_id, occurred_at desc, id desc offset $2 limit 1)
  order by webhook_id, occurred_at desc, id desc limit $4 for update skip locked))
returning id`;

/**
 * Removes finished deliveries of a webhook, optionally of one type, beyond the newest `kept`. Returns the number removed,
 * at most `limit`.
 */
async function removeBeyond(
  db: Queryable,
  webhookId: string,
  kept: number,
  limit: number,
  eventType: string | null = null,
): Promise<number> {
  const { rows } = await db.query(REMOVE_BEYOND, [webhookId, kept, eventType, limit]);
  return rows.length;
}

const FIND_NEXT = `
select id from webhooks where $1::uuid is null or id > $1 order by id limit $2`;

/** The ids of the next webhooks after `after`, in order. */
async function findNext(db: Queryable, after: string | null, limit: number): Promise<readonly string[]> {
  const { rows } = await db.query(FIND_NEXT, [after, limit]);
  return (rows as { id: string }[]).map(({ id }) => id);
}

const DROP_BEYOND = `
update webhook_deliveries set status = 'Failed', error = $3, next_attempt_at = null, leased_until = null
where id = any(array(
  select id from webhook_deliveries
  where webhook_id = $1 and status = 'Pending'
  order by occurred_at desc, id desc offset $2 limit 10000 for update skip locked))
returning id`;

/** Fails a webhook's pending deliveries beyond the newest `kept`. Returns their number. */
async function dropBeyond(db: Queryable, webhookId: string, kept: number, error: string): Promise<number> {
  const { rows } = await db.query(DROP_BEYOND, [webhookId, kept, error]);
  return rows.length;
}

const FIND_CROWDED = `
select webhook_id as id from webhook_deliveries where status = 'Pending'
group by webhook_id having count(*) > $1`;

/** The webhooks with more than `pendingMax` pending deliveries. */
async function findCrowded(db: Queryable, pendingMax: number): Promise<readonly string[]> {
  const { rows } = await db.query(FIND_CROWDED, [pendingMax]);
  return (rows as { id: string }[]).map(({ id }) => id);
}
