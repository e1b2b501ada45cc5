import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import type { Pool } from 'pg';
import { STOPPED, attemptDelivery } from './attempt-delivery.js';
import type { AttemptDeps } from './attempt-delivery.js';
import { claimDeliveries, findDueWebhooks } from './delivery-queries.js';
import type { ClaimedDelivery } from './delivery-queries.js';
import { createFairTurns } from './fair-turns.js';
import type { FairTurns } from './fair-turns.js';
import { ATTEMPT_MS_MAX } from './send-message.js';

const POLL_INTERVAL_MS = 500;
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
  const { log, pollIntervalMs = POLL_INTERVAL_MS, stopGraceMs = STOP_GRACE_MS } = deps;
  const turns = createFairTurns();
  const beginDue = createRound(deps.pg, turns, begin);
  const attempts = new Map<Promise<void>, AbortController>();
  let isStopped = false;
  let isLogged = false;
  let wake: () => void = () => undefined;
  let loop: Promise<void> = Promise.resolve();

  function begin(delivery: ClaimedDelivery): void {
    const end = turns.begin(delivery);
    const abort = new AbortController();
    const attempt: Promise<void> = attemptDelivery(deps, delivery, abort)
      // Without a word of it the lease ends, and it is attempted anew.
      .catch(onFailure)
      .then(() => {
        attempts.delete(attempt);
        end();
        wake();
      });
    attempts.set(attempt, abort);
  }

  function onFailure(err: unknown): void {
    // Logged once an outage. Errors of Postgres may hold what was written, so only the message.
    if (!isLogged) log.warn({ err: { message: failureMessage(err) } }, 'webhooks could not be dispatched');
    isLogged = true;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      try {
        const isOver = await beginDue();
        isLogged = false;
        if (!isOver) continue;
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

/**
 * Returns what begins attempts that are due, as far as there is room, at some webhooks a call, and goes round over all that
 * something waits for. It returns whether there is nothing to do but wait.
 */
function createRound(pg: Pool, turns: FairTurns, begin: (delivery: ClaimedDelivery) => void) {
  let after: string | null = null;
  let isIdle = true;
  return async (): Promise<boolean> => {
    if (!turns.hasRoom()) return true;
    if (after === null) isIdle = true;
    const { due, next } = await findDueWebhooks(pg, after);
    const chosen = turns.choose(due);
    if (chosen.length > 0) {
      const claimed = await claimDeliveries(pg, chosen, LEASE_MS);
      for (const delivery of claimed) begin(delivery);
      if (claimed.length > 0) isIdle = false;
    }
    after = next;
    return next === null && isIdle;
  };
}

/** Waits for so long, or less when `woken`. */
async function pause(durationMs: number, woken: Promise<void> | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const due = new Promise<void>((resolve) => (timer = setTimeout(resolve, durationMs)));
  await (woken === null ? due : Promise.race([due, woken]));
  clearTimeout(timer);
}
