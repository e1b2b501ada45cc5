import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { BlocklistObserver } from './blocklist.js';
import type { CheckOutcome, SafetyObserver } from './create-url-safety.js';

export type SafetyMetrics = SafetyObserver & {
  /** Makes the figures part of what the service shows. */
  readonly register: (registry: Registry) => void;
};

export type BlocklistMetrics = BlocklistObserver & { readonly register: (registry: Registry) => void };

// From a look-up in the blocklist to the limit of 1.5 s.
const DURATION_BUCKETS_SECONDS = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 5];
const OUTCOMES: readonly CheckOutcome[] = ['safe', 'unsafe', 'failed', 'skipped'];

/** Returns the figures of checks, unregistered: the provider is opened before there is a registry. */
export function createSafetyMetrics(): SafetyMetrics {
  const checks = new Counter({
    name: 'smartlink_url_safety_checks_total',
    help: "Checks of a document's URLs; skipped: the breaker was open; failed and skipped ones leave the URLs unjudged",
    labelNames: ['outcome'],
    registers: [],
  });
  const duration = new Histogram({
    name: 'smartlink_url_safety_check_duration_seconds',
    help: 'Time of a check that was not skipped',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [],
  });
  for (const outcome of OUTCOMES) {
    checks.inc({ outcome }, 0);
    if (outcome !== 'skipped') duration.zero({ outcome });
  }
  return {
    onCheck(outcome, durationMs) {
      checks.inc({ outcome });
      if (outcome !== 'skipped') duration.observe({ outcome }, durationMs / 1000);
    },
    register(registry) {
      registry.registerMetric(checks);
      registry.registerMetric(duration);
    },
  };
}

/** Returns the figures of the blocklist, unregistered. */
export function createBlocklistMetrics(): BlocklistMetrics {
  const entries = new Gauge({
    name: 'smartlink_url_blocklist_entries',
    help: 'Hosts and URLs in the blocklist',
    registers: [],
  });
  const loadedAt = new Gauge({
    name: 'smartlink_url_blocklist_last_load_timestamp_seconds',
    help: 'When the blocklist in use was loaded, in seconds since 1970',
    registers: [],
  });
  const failures = new Counter({
    name: 'smartlink_url_blocklist_reload_failures_total',
    help: 'New blocklists that could not be used; the one before stayed in use',
    registers: [],
  });
  return {
    onLoaded(count) {
      entries.set(count);
      loadedAt.setToCurrentTime();
    },
    onReloadFailed() {
      failures.inc();
    },
    register(registry) {
      for (const metric of [entries, loadedAt, failures]) registry.registerMetric(metric);
    },
  };
}
