import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

const RESULTS = ['allowed', 'refused', 'uncounted'] as const;
const BREAKERS = ['rate_limit', 'url_safety'] as const;

export type RateLimitResult = (typeof RESULTS)[number];

export type GuardMetrics = {
  /** A request was looked at by the rate limit; `uncounted`: it passes, since Redis did not answer. */
  readonly onRateLimit: (result: RateLimitResult) => void;
  /** Shows at each scrape whether what a breaker guards is left alone. */
  readonly watchBreaker: (breaker: (typeof BREAKERS)[number], isOpen: () => boolean) => void;
};

/** Adds the figures of the rate limit and of breakers to `registry`, and returns what feeds them. */
export function observeGuards(registry: Registry): GuardMetrics {
  const checks = new Counter({
    name: 'smartlink_rate_limit_checks_total',
    help: 'Requests by what the rate limit said; uncounted ones passed since Redis did not answer',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of RESULTS) checks.inc({ result }, 0);
  const watched = new Map<(typeof BREAKERS)[number], () => boolean>();
  new Gauge({
    name: 'smartlink_breaker_open',
    help: '1 while what the breaker guards is left alone after failures',
    labelNames: ['breaker'],
    registers: [registry],
    collect() {
      for (const breaker of BREAKERS) this.set({ breaker }, watched.get(breaker)?.() === true ? 1 : 0);
    },
  });
  return {
    onRateLimit(result) {
      checks.inc({ result });
    },
    watchBreaker(breaker, isOpen) {
      watched.set(breaker, isOpen);
    },
  };
}
