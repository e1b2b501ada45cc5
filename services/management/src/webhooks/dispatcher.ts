import type { Logger } from '@smartlink/process/logger';
import type { Pool } from 'pg';
import { withTransaction } from '../transaction.js';
import {
  claimDueDeliveries,
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
import { ATTEMPT_MS_MAX, NoAnswerError } from './send-message.js';
import type { Answer, SendMessage } from './send-message.js';

const POLL_INTERVAL_MS = 500;
/** Attempts under way at once in a process, and of these to one webhook: a receiver that stalls holds up itself alone. */
const ATTEMPTS_MAX = 20;
const ATTEMPTS_PER_WEBHOOK_MAX = 2;
// Longer than an attempt and the writing down of its outcome; what a killed process had begun is begun anew after it.
const LEASE_MS = 3 * ATTEMPT_MS_MAX;
// What attempts under way may take at a stop; the API's shutdown deadline comes after it.
const STOP_GRACE_MS = 2_000;
/** A webhook to which nothing could be delivered for so long is disabled. */
const FAILING_MS_MAX = 5 * 24 * 60 * 60 * 1_000;
const GONE = 410;
const DISABLED = 'The webhook was disabled';

export type AttemptResult = 'delivered' | 'retried' | 'failed';

export type DispatchObserver = {
  readonly onAttempt: (result: AttemptResult, durationMs: number) => void;
};

export type Dispatcher = {
  readonly start: () => void;
  /** Begins nothing more, gives attempts under way two seconds, breaks them off and gives them back. */
  readonly stop: () => Promise<void>;
};

type DispatcherDeps = {
  readonly pg: Pool;
  readonly send: SendMessage;
  readonly publicBaseUrl: string;
  readonly log: Logger;
  readonly observer: DispatchObserver;
  /** Told of each webhook whose log has grown. */
  readonly onLogged: (webhookId: string) => void;
  /** In ms since 1970. */
  readonly now: () => number;
  readonly random: () => number;
};

/**
 * Returns what delivers messages that are due. Any number of processes may run one: a delivery is leased to one of them
 * at a time. It is delivered at least once: an attempt whose outcome is not known is made again, with the same id.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pg, log } = deps;
  const underWay = new Map<string, number>();
  const attempts = new Map<Promise<void>, AbortController>();
  let isStopped = false;
  let isLogged = false;
  let wake: () => void = () => undefined;
  let loop: Promise<void> = Promise.resolve();

  /** Begins what there is room for. Returns whether there was any. */
  async function beginSome(): Promise<boolean> {
    const limit = ATTEMPTS_MAX - attempts.size;
    if (limit <= 0) return false;
    const claimed = await claimDueDeliveries(pg, {
      limit,
      perWebhookMax: ATTEMPTS_PER_WEBHOOK_MAX,
      underWay,
      leaseMs: LEASE_MS,
    });
    for (const delivery of claimed) begin(delivery);
    return claimed.length > 0;
  }

  function begin(delivery: ClaimedDelivery): void {
    const { webhookId } = delivery;
    underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1);
    const abort = new AbortController();
    const attempt: Promise<void> = attemptDelivery(deps, delivery, abort)
      // Without a word of it the lease ends, and it is attempted anew.
      .catch(onFailure)
      .then(() => {
        attempts.delete(attempt);
        const left = (underWay.get(webhookId) ?? 1) - 1;
        if (left === 0) underWay.delete(webhookId);
        else underWay.set(webhookId, left);
        wake();
      });
    attempts.set(attempt, abort);
  }

  function onFailure(err: unknown): void {
    // Logged once an outage. Errors of Postgres may hold what was written, so only the message.
    if (!isLogged) log.warn({ err: { message: messageOf(err) } }, 'webhooks could not be dispatched');
    isLogged = true;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      try {
        const begun = await beginSome();
        isLogged = false;
        if (begun) continue;
      } catch (err) {
        onFailure(err);
      }
      // While a database is away the outcomes of attempts fail too: they must not make a busy loop of it.
      await pause(isLogged ? NEVER : woken);
    }
  }

  /** Waits for the next look, or less when `woken`. */
  async function pause(woken: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const due = new Promise<void>((resolve) => (timer = setTimeout(resolve, POLL_INTERVAL_MS)));
    await Promise.race([due, woken]);
    clearTimeout(timer);
  }

  return {
    start() {
      loop = run();
    },
    async stop() {
      isStopped = true;
      wake();
      await loop;
      const timer = setTimeout(() => {
        for (const abort of attempts.values()) abort.abort(STOPPED);
      }, STOP_GRACE_MS);
      await Promise.all(attempts.keys());
      clearTimeout(timer);
    },
  };
}

const STOPPED = new Error('The process ends');
const NEVER = new Promise<void>(() => undefined);

async function attemptDelivery(
  deps: DispatcherDeps,
  delivery: ClaimedDelivery,
  abort: AbortController,
): Promise<void> {
  const { pg, send, publicBaseUrl, now, observer } = deps;
  if (!delivery.isEnabled) {
    // It was disabled while the change that this tells of was being committed.
    await endPending(pg, delivery.webhookId, DISABLED);
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
  await finishAttempt(pg, delivery, outcome);
  deps.onLogged(delivery.webhookId);
  observer.onAttempt(resultOf(outcome), outcome.durationMs);
  if (outcome.status === 'Delivered') await noteSuccess(pg, delivery.webhookId);
  else await afterFailure(pg, delivery, outcome);
}

function toOutcome(
  deps: DispatcherDeps,
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

/** Disables the webhook when its receiver is gone, or has taken nothing for days. */
async function afterFailure(pg: Pool, delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
  const { webhookId } = delivery;
  const failingMs = await noteFailure(pg, webhookId);
  const reason =
    outcome.responseStatus === GONE
      ? 'The receiver answered 410 Gone'
      : failingMs >= FAILING_MS_MAX
        ? 'Nothing could be delivered for 5 days'
        : null;
  if (reason === null) return;
  await withTransaction(pg, async (client) => {
    await disableWebhook(client, webhookId, reason);
    await endPending(client, webhookId, DISABLED);
  });
}

function resultOf({ status }: AttemptOutcome): AttemptResult {
  if (status === 'Delivered') return 'delivered';
  return status === 'Failed' ? 'failed' : 'retried';
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
