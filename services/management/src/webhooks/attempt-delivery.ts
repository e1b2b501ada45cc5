import type { Pool } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { type ClaimedDelivery, endPending } from './delivery-queries.js';
import { type Answer, NoAnswerError, type SendMessage, toMessage } from './send-message.js';

/** A webhook whose deliveries have all failed for this long is disabled. */
const FAILING_MS_MAX = 5 * 24 * 60 * 60 * 1_000;
const GONE = 410;
const DISABLED = 'The webhook was disabled';

export type AttemptResult = 'delivered' | 'retried' | 'failed';

export type AttemptDeps = {
  readonly pg: Pool;
  readonly send: SendMessage;
  readonly publicBaseUrl: string;
  readonly observer: { readonly onAttempt: (result: AttemptResult, durationMs: number) => void };
  /** Called with each webhook whose log has grown. */
  readonly onLogged: (webhookId: string) => void;
  /** In ms since 1970. */
  readonly now: () => number;
  readonly random: () => number;
};

/** Reason to abort an attempt when the process stops. */
export const STOPPED = new Error('The process stops');

/**
 * Makes one attempt and records its outcome; an attempt aborted with STOPPED is released instead. Rejects when Postgres
 * fails: the lease then expires.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  abort: AbortController,
): Promise<void> {
  const { pg, send, publicBaseUrl, now, observer } = deps;
  if (!delivery.isEnabled) {
    // It was disabled while the change behind this delivery was being committed.
    await endPending(pg, delivery.webhookId, DISABLED);
    deps.onLogged(delivery.webhookId);
    return;
  }
  const startedAt = performance.now();
  const result = await send(toMessage(delivery, publicBaseUrl, now()), abort).catch((err: unknown) => {
    if (err instanceof NoAnswerError) return err;
    throw err;
  });
  if (result instanceof NoAnswerError && abort.signal.reason === STOPPED) {
    await pg.query(RELEASE, [delivery.id, delivery.attempts]);
    return;
  }
  const outcome = toOutcome(deps, delivery, result, performance.now() - startedAt);
  // Before finishAttempt: the next attempt starts after that, and must see the latest state of the receiver.
  const failingMs = await noteOutcome(pg, delivery.webhookId, outcome);
  await finishAttempt(pg, delivery, outcome);
  observer.onAttempt(resultOf(outcome), outcome.durationMs);
  const reason = outcome.responseStatus === GONE ? 'The receiver answered 410 Gone' : reasonOf(failingMs);
  if (reason !== null) await disable(pg, delivery.webhookId, reason);
  deps.onLogged(delivery.webhookId);
}

// An aborted attempt: the delivery is due at once, for any process.
const RELEASE = `
update webhook_deliveries set attempts = attempts - 1, next_attempt_at = now(), leased_until = null
where id = $1 and attempts = $2 and status = 'Pending'`;

// Ignored when the lease has expired and another process has started the next attempt.
const FINISH = `
update webhook_deliveries set
  status = $3, response_status = $4, error = $5, duration_ms = $6,
  next_attempt_at = now() + $7::float8 * interval '1 millisecond', leased_until = null
where id = $1 and attempts = $2 and status = 'Pending'`;

type AttemptOutcome = {
  readonly status: 'Pending' | 'Delivered' | 'Failed';
  readonly responseStatus: number | null;
  /** null when delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Until the next attempt; null unless Pending. */
  readonly delayMs: number | null;
};

export async function finishAttempt(
  db: Queryable,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  { status, responseStatus, error, durationMs, delayMs }: AttemptOutcome,
): Promise<void> {
  const values = [id, attempts, status, responseStatus, error, Math.round(durationMs), delayMs];
  await db.query(FINISH, values);
}

function toOutcome(
  deps: AttemptDeps,
  { attempts, sinceFirstMs }: ClaimedDelivery,
  result: Answer | NoAnswerError,
  durationMs: number,
): AttemptOutcome {
  const answer = result instanceof NoAnswerError ? null : result;
  const responseStatus = answer?.status ?? null;
  if (answer !== null && answer.status >= 200 && answer.status < 300) {
    return { status: 'Delivered', responseStatus, error: null, durationMs, delayMs: null };
  }
  const error = result instanceof NoAnswerError ? result.message : errorOf(result.status);
  const retryAfterMs = answer?.retryAfterMs ?? null;
  const delayMs =
    responseStatus === GONE ? null : nextDelayMs({ attempts, sinceFirstMs, retryAfterMs }, deps.random());
  return { status: delayMs === null ? 'Failed' : 'Pending', responseStatus, error, durationMs, delayMs };
}

function errorOf(status: number): string {
  if (status >= 300 && status < 400) return `Answered ${status}; redirects are not followed`;
  return `Answered ${status}`;
}

const NOTE_SUCCESS = `update webhooks set failing_since = null where id = $1 and failing_since is not null`;

// The select sees the row before the update: a webhook that starts to fail has been failing for 0 ms.
const NOTE_FAILURE = `
with begun as (update webhooks set failing_since = now() where id = $1 and failing_since is null)
select coalesce(extract(epoch from now() - failing_since)::float8 * 1000, 0) as "failingMs"
from webhooks where id = $1`;

/** For how many ms the receiver has been failing. */
async function noteOutcome(pg: Pool, webhookId: string, { status }: AttemptOutcome): Promise<number> {
  const statement = status === 'Delivered' ? NOTE_SUCCESS : NOTE_FAILURE;
  const { rows } = await pg.query<{ failingMs: number }>(statement, [webhookId]);
  return rows[0]?.failingMs ?? 0;
}

const reasonOf = (failingMs: number): string | null =>
  failingMs >= FAILING_MS_MAX ? 'Nothing could be delivered for 5 days' : null;

const DISABLE = `
update webhooks set
  is_enabled = false, disabled_reason = $2, visits_until = null, visits_after_id = null,
  updated_at = greatest(now(), updated_at + interval '1 millisecond')
where id = $1 and is_enabled`;

function disable(pg: Pool, webhookId: string, reason: string): Promise<void> {
  return withTransaction(pg, async (client) => {
    await client.query(DISABLE, [webhookId, reason]);
    await endPending(client, webhookId, DISABLED);
  });
}

function resultOf({ status }: AttemptOutcome): AttemptResult {
  if (status === 'Delivered') return 'delivered';
  return status === 'Failed' ? 'failed' : 'retried';
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays after each failed attempt but the last: 23 h 43 min in total. */
export const RETRY_DELAYS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS],
] as const;

/** No attempt starts later than this after the first. */
export const RETRIES_END_MS = 24 * HOUR_MS;

// Each delay is up to a tenth shorter or longer, so that simultaneous failures are not retried at once.
const JITTER = 0.1;

type FailedAttempt = {
  /** Number of attempts, this one included. */
  readonly attempts: number;
  /** Since the first attempt began. */
  readonly sinceFirstMs: number;
  /** Delay requested by the receiver. */
  readonly retryAfterMs: number | null;
};

/**
 * Milliseconds until the next attempt, or null after the last. The receiver can extend the delay, but not beyond the end.
 * `random` is from 0 to 1.
 */
export function nextDelayMs(failed: FailedAttempt, random: number): number | null {
  const leftMs = RETRIES_END_MS - failed.sinceFirstMs;
  const delayMs = RETRY_DELAYS_MS[failed.attempts - 1];
  if (delayMs === undefined || leftMs <= 0) return null;
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.min(Math.max(jittered, failed.retryAfterMs ?? 0), leftMs));
}
