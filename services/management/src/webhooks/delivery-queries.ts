import type { Queryable } from '@smartlink/process/database';

/** A delivery with an attempt in progress, until it is finished or released, or its lease expires. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly userId: string;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** The number of this attempt, from 1. */
  readonly attempts: number;
  readonly sinceFirstMs: number;
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
  readonly isEnabled: boolean;
  readonly isFailing: boolean;
};

/** A webhook with due deliveries. */
export type DueWebhook = {
  readonly webhookId: string;
  readonly userId: string;
  /** Whether the last attempt failed. */
  readonly isFailing: boolean;
};

// Webhooks visited by one query.
const WALKED_MAX = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

// Steps from webhook to webhook in webhook_deliveries_pending, one index probe for the earliest delivery of each: the cost
// depends on the number of webhooks with pending deliveries, not on the number of deliveries. While nothing is due it
// reads one page of webhook_deliveries_due.
const FIND_DUE = `
with recursive walked as (
  select * from (
    select webhook_id, next_attempt_at, 1 as place from webhook_deliveries
    where status = 'Pending' and webhook_id > $1
      and now() >= (select next_attempt_at from webhook_deliveries where status = 'Pending'
                    order by next_attempt_at limit 1)
    order by webhook_id, next_attempt_at limit 1) as first
  union all
  select next.webhook_id, next.next_attempt_at, walked.place + 1
  from walked cross join lateral (
    select webhook_id, next_attempt_at from webhook_deliveries
    where status = 'Pending' and webhook_id > walked.webhook_id
    order by webhook_id, next_attempt_at limit 1) as next
  where walked.place < ${WALKED_MAX}
)
select webhook_id as "webhookId", user_id as "userId", failing_since is not null as "isFailing",
       walked.next_attempt_at <= now() as "isDue", place = ${WALKED_MAX} as "isLast"
from walked join webhooks on webhooks.id = walked.webhook_id
where walked.next_attempt_at <= now() or place = ${WALKED_MAX}`;

/**
 * The due ones among the next 1,000 webhooks with pending deliveries, in the order of ids after `after`, and where to
 * continue; null at the end of the round.
 */
export async function findDueWebhooks(
  db: Queryable,
  after: string | null,
): Promise<{ readonly due: readonly DueWebhook[]; readonly next: string | null }> {
  const { rows } = await db.query(FIND_DUE, [after ?? BEFORE_ALL]);
  const found = rows as (DueWebhook & { isDue: boolean; isLast: boolean })[];
  return {
    due: found.filter(({ isDue }) => isDue),
    next: found.find(({ isLast }) => isLast)?.webhookId ?? null,
  };
}

// The deliveries of each chosen webhook that are due longest. The range condition makes Postgres use
// webhook_deliveries_pending: with equality it may scan all users' deliveries in due order. A second process skips the
// locked rows, and later the leased ones.
const CLAIM = `
with claimed as (
  select due.id from unnest($1::uuid[], $2::integer[]) as chosen (webhook_id, places)
  cross join lateral (
    select id from webhook_deliveries
    where webhook_id between chosen.webhook_id and chosen.webhook_id and status = 'Pending' and next_attempt_at <= now()
    order by webhook_id, next_attempt_at limit chosen.places
    for update skip locked) as due
)
update webhook_deliveries set
  attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, now()), last_attempt_at = now(),
  next_attempt_at = now() + $3 * interval '1 millisecond', leased_until = now() + $3 * interval '1 millisecond'
from claimed, webhooks
where webhook_deliveries.id = claimed.id and webhooks.id = webhook_deliveries.webhook_id
returning webhook_deliveries.id, webhook_id as "webhookId", user_id as "userId", event_type as "eventType",
  occurred_at as "occurredAt", data, attempts, url, is_enabled as "isEnabled", failing_since is not null as "isFailing",
  extract(epoch from now() - first_attempt_at)::float8 * 1000 as "sinceFirstMs",
  case when previous_secret_until > now() then array[secret, previous_secret] else array[secret] end as secrets`;

/** Leases due deliveries of the chosen webhooks for `leaseMs`, at most `places` of each. */
export async function claimDeliveries(
  db: Queryable,
  chosen: readonly { readonly webhookId: string; readonly places: number }[],
  leaseMs: number,
): Promise<readonly ClaimedDelivery[]> {
  const webhookIds = chosen.map(({ webhookId }) => webhookId);
  const places = chosen.map((one) => one.places);
  const { rows } = await db.query(CLAIM, [webhookIds, places, leaseMs]);
  return rows as ClaimedDelivery[];
}

const END_PENDING = `
update webhook_deliveries set status = 'Failed', error = $2, next_attempt_at = null, leased_until = null
where webhook_id = $1 and status = 'Pending'`;

/** Fails all pending deliveries of a webhook; they can be sent again from the log. */
export async function endPending(db: Queryable, webhookId: string, error: string): Promise<void> {
  await db.query(END_PENDING, [webhookId, error]);
}

const MEASURE = `
select count(*)::integer as pending,
       coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as "overdueSeconds"
from webhook_deliveries where status = 'Pending'`;

/** The number of pending deliveries, and how long the most overdue one has been due; below 0 when none is. */
export async function measurePending(db: Queryable): Promise<{ pending: number; overdueSeconds: number }> {
  const { rows } = await db.query(MEASURE, []);
  return rows[0] as { pending: number; overdueSeconds: number };
}
