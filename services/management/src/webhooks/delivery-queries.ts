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
};

// How many due rows a claim looks at: the rest of a long queue waits until those before it are under way.
const HEAD_ROWS = 200;

// While nothing is due it reads one page of webhook_deliveries_due, 0.05 ms. Of what is due it takes the longest due of
// each webhook that has an attempt left: $2 are webhooks that may have none, $3 those that may have but one. A process
// that comes second finds the rows locked, and none once they are leased.
const CLAIM = `
with head as materialized (
  select id, row_number() over (partition by webhook_id order by next_attempt_at) as place,
         case when webhook_id = any($3::uuid[]) then 1 else $4 end as places
  from (
    select id, webhook_id, next_attempt_at from webhook_deliveries
    where status = 'Pending' and next_attempt_at <= now() and webhook_id <> all($2::uuid[])
    order by next_attempt_at limit ${HEAD_ROWS}
  ) as due
), claimed as (
  select id from webhook_deliveries
  where id in (select id from head where place <= places order by place limit $1)
    and status = 'Pending' and next_attempt_at <= now()
  for update skip locked
)
update webhook_deliveries set
  attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, now()), last_attempt_at = now(),
  next_attempt_at = now() + $5 * interval '1 millisecond'
from claimed, webhooks
where webhook_deliveries.id = claimed.id and webhooks.id = webhook_deliveries.webhook_id
returning webhook_deliveries.id, webhook_id as "webhookId", user_id as "userId", event_type as "eventType",
  occurred_at as "occurredAt", data, attempts, url, is_enabled as "isEnabled",
  extract(epoch from now() - first_attempt_at)::float8 * 1000 as "sinceFirstMs",
  case when previous_secret_until > now() then array[secret, previous_secret] else array[secret] end as secrets`;

/**
 * Begins attempts at what is due, `limit` at most and `perWebhookMax` a webhook, beside those under way here
 * (`underWay`, by webhook). Nobody else takes them for `leaseMs`.
 */
export async function claimDueDeliveries(
  db: Queryable,
  options: {
    limit: number;
    perWebhookMax: 2;
    underWay: ReadonlyMap<string, number>;
    leaseMs: number;
  },
): Promise<readonly ClaimedDelivery[]> {
  const { limit, perWebhookMax, underWay, leaseMs } = options;
  const full: string[] = [];
  const started: string[] = [];
  for (const [webhookId, count] of underWay) (count >= perWebhookMax ? full : started).push(webhookId);
  const { rows } = await db.query(CLAIM, [limit, full, started, perWebhookMax, leaseMs]);
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
  next_attempt_at = now() + $7::float8 * interval '1 millisecond'
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
update webhook_deliveries set attempts = attempts - 1, next_attempt_at = now()
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
update webhook_deliveries set status = 'Failed', error = $2, next_attempt_at = null
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
