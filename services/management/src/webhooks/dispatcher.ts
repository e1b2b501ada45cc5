import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { failureMessage } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { attemptDelivery, type AttemptDeps, STOPPED } from './attempt-delivery.js';
import { claimDeliveries, type ClaimedDelivery, findDueWebhooks } from './delivery-queries.js';
import { createFairTurns, type FairTurns } from './fair-turns.js';
import { ATTEMPT_MS_MAX } from './send-message.js';

const POLL_INTERVAL_MS = 500;
// Longer than an attempt and the recording of its outcome; after it, the attempts of a killed process are repeated.
const LEASE_MS = 3 * ATTEMPT_MS_MAX;
// The API's shutdown deadline comes after it.
const STOP_GRACE_MS = 2_000;
const FAILURE = 'webhooks could not be dispatched';

type DispatcherDeps = AttemptDeps & {
  readonly log: Logger;
  /** Pause while nothing is due. */
  readonly pollIntervalMs?: number;
  /** Time for attempts in progress when the dispatcher stops. */
  readonly stopGraceMs?: number;
};

/**
 * Starts the delivery of due messages. Any number of processes may run one: a delivery is leased to one at a time.
 * Delivery is at least once: an attempt without a recorded outcome is repeated with the same id. `stop` starts no more
 * attempts, gives those in progress two seconds, then aborts and releases them.
 */
export function startDispatcher(deps: DispatcherDeps): Job {
  const { log, pollIntervalMs = POLL_INTERVAL_MS, stopGraceMs = STOP_GRACE_MS } = deps;
  const turns = createFairTurns();
  const beginDue = createRound(deps.pg, turns, begin);
  const attempts = new Map<Promise<void>, AbortController>();
  let isAttemptFailing = false;
  let waking = new AbortController();

  function begin(delivery: ClaimedDelivery): void {
    const end = turns.begin(delivery);
    const abort = new AbortController();
    const attempt: Promise<void> = attemptDelivery(deps, delivery, abort)
      .catch(onAttemptFailure)
      .then(() => {
        attempts.delete(attempt);
        end();
        waking.abort();
      });
    attempts.set(attempt, abort);
  }

  /** The outcome is not recorded, so the delivery is repeated after its lease. Logged once an outage, as by the job. */
  function onAttemptFailure(err: unknown): void {
    if (!isAttemptFailing) log.warn({ err: { message: failureMessage(err) } }, FAILURE);
    isAttemptFailing = true;
  }

  const job = startJob({
    everyMs: pollIntervalMs,
    firstAfterMs: 0,
    async run() {
      waking = new AbortController();
      const isIdle = await beginDue();
      isAttemptFailing = false;
      // The end of an attempt makes room, so it ends the pause. After a failed run the pause is never cut short.
      if (isIdle) await sleep(pollIntervalMs, undefined, waking).catch(() => undefined);
      return 0;
    },
    failure: FAILURE,
    log,
  });

  return {
    async stop() {
      const stopped = job.stop();
      waking.abort();
      await stopped;
      const timer = setTimeout(() => {
        for (const abort of attempts.values()) abort.abort(STOPPED);
      }, stopGraceMs);
      await Promise.all(attempts.keys());
      clearTimeout(timer);
    },
  };
}

/**
 * One step of a round over all webhooks with pending deliveries: starts due attempts while there is room. Resolves to
 * whether to pause.
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
