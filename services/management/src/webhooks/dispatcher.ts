import type { Logger } from '@smartlink/process/logger';
import { STOPPED, attemptDelivery } from './attempt-delivery.js';
import type { AttemptDeps } from './attempt-delivery.js';
import { claimDueDeliveries } from './delivery-queries.js';
import type { ClaimedDelivery } from './delivery-queries.js';
import { ATTEMPT_MS_MAX } from './send-message.js';

const POLL_INTERVAL_MS = 500;
// Attempts under way at once in a process, and of these to one webhook: a receiver that stalls holds up itself alone,
// and a user with as many of them as there can be, 20, leaves others room.
const ATTEMPTS_MAX = 64;
const ATTEMPTS_PER_WEBHOOK_MAX = 2;
// Longer than an attempt and the writing down of its outcome; what a killed process had begun is begun anew after it.
const LEASE_MS = 3 * ATTEMPT_MS_MAX;
// The API's shutdown deadline comes after it.
const STOP_GRACE_MS = 2_000;

export type Dispatcher = {
  readonly start: () => void;
  /** Begins nothing more, gives attempts under way two seconds, breaks them off and gives them back. */
  readonly stop: () => Promise<void>;
};

type DispatcherDeps = AttemptDeps & {
  readonly log: Logger;
  /** Between two looks while nothing is due. */
  readonly pollIntervalMs?: number;
  /** What attempts under way may take at a stop. */
  readonly stopGraceMs?: number;
};

/**
 * Returns what delivers messages that are due. Any number of processes may run one: a delivery is leased to one of them
 * at a time. It is delivered at least once: an attempt whose outcome is not known is made again, with the same id.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pg, log, pollIntervalMs = POLL_INTERVAL_MS, stopGraceMs = STOP_GRACE_MS } = deps;
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
      await pause(pollIntervalMs, isLogged ? null : woken);
    }
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
      }, stopGraceMs);
      await Promise.all(attempts.keys());
      clearTimeout(timer);
    },
  };
}

/** Waits for so long, or less when `woken`. */
async function pause(durationMs: number, woken: Promise<void> | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const due = new Promise<void>((resolve) => (timer = setTimeout(resolve, durationMs)));
  await (woken === null ? due : Promise.race([due, woken]));
  clearTimeout(timer);
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
