import type { Pool } from 'pg';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { measureOutbox } from '../smartlinks/smartlinks.js';
import type { OutboxObserver } from '../smartlinks/smartlinks.js';
import { DURATION_BUCKETS_SECONDS } from './duration-buckets.js';

type PublishOutcome = Parameters<OutboxObserver['onPublished']>[0];

// What labels hold is known before it happens: a counter that begins with its first event has no rate() for it.
const PUBLISH_OUTCOMES: readonly PublishOutcome[] = ['request', 'relay', 'failed'];

/** Adds the figures of publishing to `registry`, and returns what feeds them. */
export function observePublishing(registry: Registry): OutboxObserver {
  const published = new Counter({
    name: 'smartlink_published_slugs_total',
    help: 'Slugs published after a change, by who did it; failed ones are left to the relay',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'smartlink_publish_duration_seconds',
    help: 'Time a request or the relay spent on publishing',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  const delay = new Histogram({
    name: 'smartlink_change_publish_delay_seconds',
    help: 'Time from a committed change until Redis had it, each slug for itself, by who published it',
    labelNames: ['outcome'],
    buckets: [...DURATION_BUCKETS_SECONDS, 30, 60, 300],
    registers: [registry],
  });
  delay.zero({ outcome: 'request' });
  delay.zero({ outcome: 'relay' });
  for (const outcome of PUBLISH_OUTCOMES) {
    published.inc({ outcome }, 0);
    duration.zero({ outcome });
  }
  return {
    onPublished(outcome, slugs, durationMs) {
      published.inc({ outcome }, slugs);
      duration.observe({ outcome }, durationMs / 1000);
    },
    onDelay(outcome, seconds) {
      delay.observe({ outcome }, seconds);
    },
  };
}

/** Both figures come from one query a scrape; while Postgres does not answer they are NaN, and the others stay. */
export function measureOutboxInto(registry: Registry, pg: Pool): void {
  const unknown = { depth: Number.NaN, oldestSeconds: Number.NaN };
  let measured = Promise.resolve(unknown);
  new Gauge({
    name: 'smartlink_outbox_depth',
    help: 'Changes that are committed and not yet known to be published',
    registers: [registry],
    async collect() {
      measured = measureOutbox(pg).catch(() => unknown);
      this.set((await measured).depth);
    },
  });
  // Collected after the one above, in the order of registration.
  new Gauge({
    name: 'smartlink_outbox_oldest_seconds',
    help: 'Age of the oldest of those changes',
    registers: [registry],
    async collect() {
      this.set((await measured).oldestSeconds);
    },
  });
}
