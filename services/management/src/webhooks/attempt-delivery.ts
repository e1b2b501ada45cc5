import type { Pool } from 'pg';
import { withTransaction } from '../transaction.js';
import {
  disableWebhook,
  endPending,
  finishAttempt,
  noteFailure,
  noteSuccess,
  releaseAttempt,
} from './delivery-queries.js';
import type { AttemptOutcome, ClaimedDelivery } from './delivery-queries.js';
import { toMessage } from './message.js';
import { nextDelayMs } from './retry-schedule.js';
import { NoAnswerError } from './send-message.js';
import type { Answer, SendMessage } from './send-message.js';

/** A webhook to which nothing could be delivered for so long is disabled. */
const FAILING_MS_MAX = 5 * 24 * 60 * 60 * 1_000;
const GONE = 410;
const DISABLED = 'The webhook was disabled';

export type AttemptResult = 'delivered' | 'retried' | 'failed';

export type DispatchObserver = {
  readonly onAttempt: (result: AttemptResult, durationMs: number) => void;
};

export type AttemptDeps = {
  readonly pg: Pool;
  readonly send: SendMessage;
  readonly publicBaseUrl: string;
  readonly observer: DispatchObserver;
  /** Told of each webhook whose log has grown. */
  readonly onLogged: (webhookId: string) => void;
  /** In ms since 1970. */
  readonly now: () => number;
  readonly random: () => number;
};

/** What breaks an attempt off because the process ends. */
export const STOPPED = new Error('The process ends');

/**
 * Makes one attempt and writes down what became of it; one that `abort` is told to break off by STOPPED is given back.
 * Rejects when Postgres fails: the lease then ends by itself.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  abort: AbortController,
): Promise<void> {
  const { pg, send, publicBaseUrl, now, observer } = deps;
  if (!delivery.isEnabled) {
    // It was disabled while the change that this tells of was being committed.
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
    await releaseAttempt(pg, delivery);
    return;
  }
  const outcome = toOutcome(deps, delivery, result, performance.now() - startedAt);
  // Before the attempt has ended: the next one begins after that, and what it finds must be what is noted last.
  const failingMs = await noteOutcome(pg, delivery.webhookId, outcome);
  await finishAttempt(pg, delivery, outcome);
  observer.onAttempt(resultOf(outcome), outcome.durationMs);
  const reason = outcome.responseStatus === GONE ? 'The receiver answered 410 Gone' : reasonOf(failingMs);
  if (reason !== null) await disable(pg, delivery.webhookId, reason);
  deps.onLogged(delivery.webhookId);
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

/** Notes whether the receiver takes messages, and returns since how many milliseconds it does not. */
async function noteOutcome(pg: Pool, webhookId: string, { status }: AttemptOutcome): Promise<number> {
  if (status !== 'Delivered') return noteFailure(pg, webhookId);
  await noteSuccess(pg, webhookId);
  return 0;
}

const reasonOf = (failingMs: number): string | null =>
  failingMs >= FAILING_MS_MAX ? 'Nothing could be delivered for 5 days' : null;

/** Disables a webhook, and ends what waits for it. */
function disable(pg: Pool, webhookId: string, reason: string): Promise<void> {
  return withTransaction(pg, async (client) => {
    await disableWebhook(client, webhookId, reason);
    await endPending(client, webhookId, DISABLED);
  });
}

function resultOf({ status }: AttemptOutcome): AttemptResult {
  if (status === 'Delivered') return 'delivered';
  return status === 'Failed' ? 'failed' : 'retried';
}
