import fp from 'fastify-plugin';
import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { RollupObserver } from '../analytics/analytics.js';
import { measureOutbox } from '../smartlinks/smartlinks.js';
import type { OutboxObserver } from '../smartlinks/smartlinks.js';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

export type Metrics = {
  readonly registry: Registry;
  readonly outboxObserver: OutboxObserver;
  readonly rollupObserver: RollupObserver;
};

// From a cached key's answer to the longest statement.
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

// What labels hold is known before it happens: a counter that begins with its first event has no rate() for it.
const PUBLISH_OUTCOMES: readonly PublishOutcome[] = ['request', 'relay', 'failed'];
const TURN_OUTCOMES: readonly TurnOutcome[] = ['done', 'skipped', 'failed'];
const STEP_KINDS: readonly StepKind[] = ['days', 'late cells', 'reopened', 'dropped'];

type PublishOutcome = Parameters<OutboxObserver['onPublished']>[0];
type TurnOutcome = Parameters<RollupObserver['onTurn']>[0];
type StepKind = Parameters<RollupObserver['onStep']>[0]['kind'];

/** Measures requests, publishing and the outbox, and serves the figures at /-/metrics for Prometheus. */
export default fp(
  (app, _options, done) => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    measureRequests();
    const outboxObserver = observePublishing(registry);
    measureOutboxInto(registry, app.pg);
    app.decorate('metrics', { registry, outboxObserver, rollupObserver: observeRollups(registry) });
    app.get('/-/metrics', async (_request, reply) => {
      const text = await registry.metrics();
      return reply.type(registry.contentType).send(text);
    });
    done();

    function measureRequests(): void {
      const duration = new Histogram({
        name: 'smartlink_api_request_duration_seconds',
        help: 'Time from the first byte of a request to the last of its answer',
        labelNames: ['method', 'route', 'status'],
        buckets: DURATION_BUCKETS_SECONDS,
        registers: [registry],
      });
      app.addHook('onResponse', (request, reply, next) => {
        duration.observe(
          // The route's pattern, so that no client can make labels of its own.
          { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
          reply.elapsedTime / 1000,
        );
        next();
      });
    }
  },
  { name: 'metrics', dependencies: ['postgres'] },
);

function observePublishing(registry: Registry): OutboxObserver {
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
  for (const outcome of PUBLISH_OUTCOMES) {
    published.inc({ outcome }, 0);
    duration.zero({ outcome });
  }
  return {
    onPublished(outcome, slugs, durationMs) {
      published.inc({ outcome }, slugs);
      duration.observe({ outcome }, durationMs / 1000);
    },
  };
}

function observeRollups(registry: Registry): RollupObserver {
  const turns = new Counter({
    name: 'smartlink_rollup_turns_total',
    help: 'Turns at rolling visits up; those that another process took are skipped',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const steps = new Counter({
    name: 'smartlink_rollup_steps_total',
    help: 'What turns have done: runs of days and late cells rolled up, days reopened, months of events dropped',
    labelNames: ['kind'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'smartlink_rollup_duration_seconds',
    help: 'Time of a turn that was not skipped',
    buckets: [...DURATION_BUCKETS_SECONDS, 60, 600],
    registers: [registry],
  });
  const lastSuccess = new Gauge({
    name: 'smartlink_rollup_last_success_timestamp_seconds',
    help: 'When this process last ended a turn well, in seconds since 1970; 0 before the first',
    registers: [registry],
  });
  for (const outcome of TURN_OUTCOMES) turns.inc({ outcome }, 0);
  for (const kind of STEP_KINDS) steps.inc({ kind: labelOf(kind) }, 0);
  return {
    onTurn(outcome, durationMs) {
      turns.inc({ outcome });
      if (outcome === 'done') lastSuccess.setToCurrentTime();
      if (outcome !== 'skipped') duration.observe(durationMs / 1000);
    },
    onStep: ({ kind }) => {
      steps.inc({ kind: labelOf(kind) });
    },
  };
}

function labelOf(kind: StepKind): string {
  return kind.replace(' ', '_');
}

/** Both figures come from one query a scrape; while Postgres does not answer they are NaN, and the others stay. */
function measureOutboxInto(registry: Registry, pg: Pool): void {
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
