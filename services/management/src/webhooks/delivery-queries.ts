import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** An attempt that is under way until `finish…` tells of it, or its lease ends. */
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
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly isEnabled: boolean;
  readonly isFailing: boolean;
};

/** A webhook for which something is due. */
export type DueWebhook = {
  readonly webhookId: string;
  readonly userId: string;
  /** Whether nothing has been delivered since an attempt failed. */
  readonly isFailing: boolean;
};

// How many webhooks one look walks over.
const WALKED_MAX = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

// From webhook to webhook, and of each to what is due first, by one step in webhook_deliveries_pending: what it costs is a
// matter of how many webhooks wait, not of how much waits for them. While nothing is due it reads one page of
// webhook_deliveries_due.
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
 * Walks over at most 1,000 webhooks that something waits for, those after `after` by their id, from the first where it is
 * null. Returns those for which something is due, and after which to go on, null at the end of the round.
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

// The longest due of each webhook that was chosen. Asked for by a range, they can come from webhook_deliveries_pending alone:
// asked for by equality, Postgres may look for them in the order in which everybody's are due. A process that comes second finds the rows locked, and those after them
// when they are leased.
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

/**
 * Begins attempts at what is due for the chosen webhooks, at most so many to each as it has places. Nobody else takes
 * them for `leaseMs`.
 */
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

type Attempt = Pick<ClaimedDelivery, 'id' | 'attempts'>;

export type AttemptOutcome = {
  readonly status: 'Pending' | 'Delivered' | 'Failed';
  readonly responseStatus: number | null;
  /** null where it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Until the next attempt; null unless it is still Pending. */
  readonly delayMs: number | null;
};

// An attempt whose lease has ended, and that another process has begun anew, says nothing any more.
const FINISH = `
update webhook_deliveries set
  status = $3, response_status = $4, error = $5, duration_ms = $6,
  next_attempt_at = now() + $7::float8 * interval '1 millisecond', leased_until = null
where id = $1 and attempts = $2 and status = 'Pending'`;

/** Writes down what became of an attempt. */
export async function finishAttempt(db: Queryable, attempt: Attempt, outcome: AttemptOutcome): Promise<void> {
  const { status, responseStatus, error, durationMs, delayMs } = outcome;
  await db.query(FINISH, [
    attempt.id,
    attempt.attempts,
    status,
    responseStatus,
    error,
    Math.round(durationMs),
    delayMs,
  ]);
}

const RELEASE = `
update webhook_deliveries set attempts = attempts - 1, next_attempt_at = now(), leased_until = null
where id = $1 and attempts = $2 and status = 'Pending'`;

/** Gives an attempt back that was broken off here: it is due at once, for whoever comes. */
export async function releaseAttempt(db: Queryable, attempt: Attempt): Promise<void> {
  await db.query(RELEASE, [attempt.id, attempt.attempts]);
}

const NOTE_SUCCESS = `update webhooks set failing_since = null where id = $1 and failing_since is not null`;

/** Notes that a webhook's receiver takes messages. */
export async function noteSuccess(db: Queryable, webhookId: string): Promise<void> {
  await db.query(NOTE_SUCCESS, [webhookId]);
}

// The second half sees the row as it was before: a webhook that begins to fail has been failing for no time.
const NOTE_FAILURE = `
with begun as (update webhooks set failing_since = now() where id = $1 and failing_since is null)
select coalesce(extract(epoch from now() - failing_since)::float8 * 1000, 0) as "failingMs"
from webhooks where id = $1`;

/** Notes that it does not, and returns since how many milliseconds. */
export async function noteFailure(db: Queryable, webhookId: string): Promise<number> {
  const { rows } = await db.query(NOTE_FAILURE, [webhookId]);
  return (rows[0] as { failingMs: number } | undefined)?.failingMs ?? 0;
}

const DISABLE = `
update webhooks set
  is_enabled = false, disabled_reason = $2, visits_until = null, visits_after_id = null,
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1 and is_enabled`;

/** Disables a webhook because of what its receiver did. */
export async function disableWebhook(db: Queryable, webhookId: string, reason: string): Promise<void> {
  await db.query(DISABLE, [webhookId, reason]);
}

const END_PENDING = `
update webhook_deliveries set status = 'Failed', error = $2, next_attempt_at = null, leased_until = null
where webhook_id = $1 and status = 'Pending'`;

/** Gives up everything that waits for a webhook; it can be sent again from the log. */
export async function endPending(db: Queryable, webhookId: string, error: string): Promise<void> {
  await db.query(END_PENDING, [webhookId, error]);
}

const MEASURE = `
select count(*)::integer as pending,
       coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as "overdueSeconds"
from webhook_deliveries where status = 'Pending'`;

/** Returns how many deliveries wait, and how long the most overdue one has been due; below 0 when none is. */
export async function measurePending(db: Queryable): Promise<{ pending: number; overdueSeconds: number }> {
  const { rows } = await db.query(MEASURE, []);
  return rows[0] as { pending: number; overdueSeconds: number };
}
