import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { JudgedOutcome } from './recheck-batch.js';
import { measureOverdue } from './recheck-queries.js';
import type { RecheckObserver } from './url-rechecks.js';

const OUTCOMES: readonly JudgedOutcome[] = ['safe', 'unsafe', 'unchecked', 'left'];

/** Adds the figures of re-checked URLs to `registry`, and returns what feeds them. Only where a provider is asked. */
export function observeUrlRechecks(registry: Registry, pg: Pool): RecheckObserver {
  const rechecked = new Counter({
    name: 'smartlink_url_rechecks_total',
    help: 'Smartlinks whose stored URLs were to be judged again, by outcome; those left are due at once, since they changed meanwhile',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) rechecked.inc({ outcome }, 0);
  measureInto(registry, pg);
  return {
    onJudged(counts) {
      for (const outcome of OUTCOMES) rechecked.inc({ outcome }, counts[outcome]);
    },
  };
}

/** Both figures come from one query a scrape; while Postgres does not answer they are NaN. */
function measureInto(registry: Registry, pg: Pool): void {
  const unknown = { count: Number.NaN, oldestSeconds: Number.NaN };
  let measured = Promise.resolve(unknown);
  new Gauge({
    name: 'smartlink_url_checks_overdue',
    help: 'Smartlinks whose URLs are due to be judged, counted up to 10,000',
    registers: [registry],
    async collect() {
      measured = measureOverdue(pg).catch(() => unknown);
      this.set((await measured).count);
    },
  });
  // Collected after the one above, in the order of registration.
  new Gauge({
    name: 'smartlink_url_checks_oldest_seconds',
    help: 'For how long the first of those has been due',
    registers: [registry],
    async collect() {
      this.set((await measured).oldestSeconds);
    },
  });
}
