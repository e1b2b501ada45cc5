import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { PageCursor } from '../page-cursor.js';

export const DELIVERY_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type DeliveryRow = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
};

const COLUMNS = `
  id, webhook_id as "webhookId", event_type as "eventType", occurred_at as "occurredAt", status, attempts,
  last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt", response_status as "responseStatus", error,
  duration_ms as "durationMs"`;

// Walks webhook_deliveries_webhook. A status that is rare is looked for in the whole log, which is bounded.
const LIST = `
select ${COLUMNS} from webhook_deliveries
where webhook_id = $1 and ($2::text is null or status = $2)
  and ($3::timestamptz is null or (occurred_at, id) < ($3, $4::uuid))
order by occurred_at desc, id desc
limit $5`;

/** Returns a webhook's deliveries, newest first. */
export async function listDeliveries(
  db: Queryable,
  filter: { webhookId: string; status: DeliveryStatus | null; after: PageCursor | null; limit: number },
): Promise<readonly DeliveryRow[]> {
  const { webhookId, status, after, limit } = filter;
  const { rows } = await db.query(LIST, [webhookId, status, after?.time ?? null, after?.id ?? null, limit]);
  return rows as DeliveryRow[];
}

const ADD = `
insert into webhook_deliveries (webhook_id, event_type, data) values ($1, $2, $3) returning ${COLUMNS}`;

/** Queues one message for a webhook, due at once. */
export async function addDelivery(
  db: Queryable,
  webhookId: string,
  eventType: string,
  data: object,
): Promise<DeliveryRow> {
  const { rows } = await db.query(ADD, [webhookId, eventType, JSON.stringify(data)]);
  return rows[0] as DeliveryRow;
}

const LOCK_DELIVERY = `
select deliveries.webhook_id as "webhookId", webhooks.is_enabled as "isEnabled"
from webhook_deliveries as deliveries join webhooks on webhooks.id = deliveries.webhook_id
where deliveries.id = $1 and webhooks.user_id = $2
for update of deliveries`;

/** Returns whose a delivery of one of the user's webhooks is, locked until the transaction ends; or null. */
export async function lockDelivery(
  db: Queryable,
  id: string,
  userId: string,
): Promise<{ readonly webhookId: string; readonly isEnabled: boolean } | null> {
  const { rows } = await db.query(LOCK_DELIVERY, [id, userId]);
  return (rows[0] as { webhookId: string; isEnabled: boolean } | undefined) ?? null;
}

// One that waits goes on with its attempts, the next of them now. One that is under way is left to what becomes of it.
const SEND_AGAIN = `
update webhook_deliveries set
  status = 'Pending',
  attempts = case when status = 'Pending' then attempts else 0 end,
  first_attempt_at = case when status = 'Pending' then first_attempt_at end,
  next_attempt_at = case when leased_until > now() then next_attempt_at else least(next_attempt_at, now()) end
where id = $1
returning ${COLUMNS}, coalesce(leased_until > now(), false) as "isUnderWay"`;

/**
 * Makes a delivery due at once, as a new one but for its id and content where it had ended, unless an attempt is under
 * way. Returns it.
 */
export async function sendAgain(
  db: Queryable,
  id: string,
): Promise<DeliveryRow & { readonly isUnderWay: boolean }> {
  const { rows } = await db.query(SEND_AGAIN, [id]);
  return rows[0] as DeliveryRow & { isUnderWay: boolean };
}

const REMOVE_OLD = `
delete from webhook_deliveries where id = any(array(
  select id from webhook_deliveries
  where status <> 'Pending' and occurred_at < now() - $1 * interval '1 day'
  order by occurred_at limit $2 for update skip locked))
returning id`;

/** Removes at most `limit` ended deliveries older than so many days, and returns how many it were. */
export async function removeOld(db: Queryable, days: number, limit: number): Promise<number> {
  const { rows } = await db.query(REMOVE_OLD, [days, limit]);
  return rows.length;
}

// The last that is kept is found without locks on those before it. As it is asked, all comes from webhook_deliveries_webhook:
// by `webhook_id = $1` and `status <> 'Pending'` Postgres may walk over everybody's in webhook_deliveries_ended, 200,000 rows
// and 130 ms against 1,000 and 1.5 ms.
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
 * Removes the ended deliveries of a webhook but the newest `kept`, at most `limit` of them, and returns how many it were;
 * with `eventType` of those of this type.
 */
export async function removeBeyond(
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

/** Returns the ids of at most `limit` webhooks in their order, those after `after`, from the first where it is null. */
export async function findNext(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<readonly string[]> {
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

/** Gives up the oldest of a webhook's waiting deliveries but the newest `kept`, and returns how many it were. */
export async function dropBeyond(
  db: Queryable,
  webhookId: string,
  kept: number,
  error: string,
): Promise<number> {
  const { rows } = await db.query(DROP_BEYOND, [webhookId, kept, error]);
  return rows.length;
}

const FIND_CROWDED = `
select webhook_id as id from webhook_deliveries where status = 'Pending'
group by webhook_id having count(*) > $1`;

/** Returns the webhooks for which more than `pendingMax` deliveries wait. */
export async function findCrowded(db: Queryable, pendingMax: number): Promise<readonly string[]> {
  const { rows } = await db.query(FIND_CROWDED, [pendingMax]);
  return (rows as { id: string }[]).map(({ id }) => id);
}
