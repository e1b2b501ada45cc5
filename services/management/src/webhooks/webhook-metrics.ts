import type { Pool } from 'pg';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { AttemptResult, DispatchObserver } from './attempt-delivery.js';
import { measurePending } from './delivery-queries.js';

const RESULTS: readonly AttemptResult[] = ['delivered', 'retried', 'failed'];
// From a receiver next door to the limit of an attempt.
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type WebhookObserver = DispatchObserver & {
  readonly onDropped: (deliveries: number) => void;
  readonly onVisitsQueued: (visits: number) => void;
};

/** Registers the figures of webhooks and returns what they are told by. */
export function observeWebhooks(registry: Registry, pg: Pool): WebhookObserver {
  const registers = [registry];
  const attempts = new Counter({
    name: 'smartlink_webhook_attempts_total',
    help: 'Attempts to deliver a message, by what became of it; failed ones were the last of their message',
    labelNames: ['result'],
    registers,
  });
  const duration = new Histogram({
    name: 'smartlink_webhook_attempt_duration_seconds',
    help: 'Time of an attempt',
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const dropped = new Counter({
    name: 'smartlink_webhook_dropped_total',
    help: 'Messages that were given up since too many waited for their webhook',
    registers,
  });
  const visits = new Counter({
    name: 'smartlink_webhook_visits_total',
    help: 'Visits that were put into messages',
    registers,
  });
  for (const result of RESULTS) attempts.inc({ result }, 0);
  measurePendingInto(registry, pg);
  return {
    onAttempt(result, durationMs) {
      attempts.inc({ result });
      duration.observe(durationMs / 1_000);
    },
    onDropped: (deliveries) => {
      dropped.inc(deliveries);
    },
    onVisitsQueued: (count) => {
      visits.inc(count);
    },
  };
}

/** Both figures come from one query a scrape; while Postgres does not answer they are NaN, and the others stay. */
function measurePendingInto(registry: Registry, pg: Pool): void {
  const unknown = { pending: Number.NaN, overdueSeconds: Number.NaN };
  let measured = Promise.resolve(unknown);
  new Gauge({
    name: 'smartlink_webhook_pending',
    help: 'Messages that wait for their first attempt or the next',
    registers: [registry],
    async collect() {
      measured = measurePending(pg).catch(() => unknown);
      this.set((await measured).pending);
    },
  });
  // Collected after the one above, in the order of registration.
  new Gauge({
    name: 'smartlink_webhook_overdue_seconds',
    help: 'How long the most overdue attempt has been due; 0 when none is',
    registers: [registry],
    async collect() {
      this.set(Math.max(0, (await measured).overdueSeconds));
    },
  });
}
