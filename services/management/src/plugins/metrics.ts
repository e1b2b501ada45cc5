import type { ClickHouseClient } from '@clickhouse/client';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RedisConnection } from '@smartlink/links/redis';
import { readPackageVersion } from '@smartlink/process/lifecycle';
import type { RollupStep } from '@smartlink/visits/rollup';
import type { MetricValues } from '../fairness/heavy-requests.js';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

export type Metrics = GuardMetrics & {
  readonly registry: Registry;
  readonly outboxObserver: OutboxObserver;
  readonly rollupObserver: RollupObserver;
};

/**
 * Measures requests, publishing and the engines' connections, for MANAGEMENT_METRICS_PORT. A thread adds its own figures to
 * those of the process.
 */
export const metrics = fp<{ isWholeProcess: boolean }>(
  (app, { isWholeProcess }, done) => {
    const registry = new Registry();
    if (isWholeProcess) {
      collectDefaultMetrics({ register: registry });
      showBuild(registry);
      measureRequests(app, registry);
    }
    measureEngines(registry, app);
    const outboxObserver = observePublishing(registry);
    app.decorate('metrics', {
      ...observeGuards(registry),
      registry,
      outboxObserver,
      rollupObserver: observeRollups(registry),
    });
    done();
  },
  { name: 'metrics', dependencies: ['postgres', 'redis', 'clickhouse'] },
);

/** In the thread of heavy requests: its metrics as JSON. */
export const ownMetrics = fp(
  (app, _options, done) => {
    app.get('/-/metrics', () => app.metrics.registry.getMetricsAsJSON());
    done();
  },
  { name: 'own-metrics', dependencies: ['metrics'] },
);

/** The metrics of the process, and the counts of its thread of heavy requests; the gauges are of the process alone. */
export async function readMetrics({
  metrics,
  heavyRequests,
}: FastifyInstance): Promise<readonly MetricValues[]> {
  const [own, thread] = await Promise.all([
    metrics.registry.getMetricsAsJSON(),
    heavyRequests.readMetrics().catch(() => []),
  ]);
  // The package declares the type as a member of its enum, and gives its name.
  return [own, thread.filter(({ type }) => String(type) !== 'gauge')];
}

function showBuild(registry: Registry): void {
  new Gauge({
    name: 'smartlink_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['service', 'version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set(
    {
      service: 'management',
      version: readPackageVersion(new URL('../../package.json', import.meta.url)),
      node: process.version,
    },
    1,
  );
}

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
// Probes and Prometheus must not count as customers.
const OWN_PATHS = '/-/';

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const duration = new Histogram({
    name: 'smartlink_api_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const responses = new Counter({
    name: 'smartlink_api_responses_total',
    help: 'Answers of the API, by class of status; paths below /-/ are not counted',
    labelNames: ['class'],
    registers,
  });
  for (const each of CLASSES) responses.inc({ class: each }, 0);
  app.addHook('onResponse', (request, reply, next) => {
    // The route's pattern: clients must not create labels.
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (!route.startsWith(OWN_PATHS)) responses.inc({ class: `${Math.floor(status / 100)}xx` });
    next();
  });
  measureLoad(app, registers);
}

function measureLoad(app: FastifyInstance, registers: Registry[]): void {
  const inFlight = new Gauge({
    name: 'smartlink_api_requests_in_flight',
    help: 'Requests in progress; paths below /-/ are not counted',
    registers,
  });
  // If the client goes away, the answer never finishes, but it closes.
  app.server.on('request', (req, res) => {
    if (req.url?.startsWith(OWN_PATHS) === true) return;
    inFlight.inc();
    res.once('close', () => {
      inFlight.dec();
    });
  });
  new Gauge({
    name: 'smartlink_api_connections',
    help: 'Open connections of clients',
    registers,
    async collect() {
      this.set(await countConnections(app));
    },
  });
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    app.server.getConnections((err, count) => {
      resolve(err === null ? count : Number.NaN);
    });
  });
}

/** From now on, queries of `clickhouse` are timed. */
function measureEngines(
  registry: Registry,
  engines: { readonly pg: Pool; readonly redis: RedisConnection; readonly clickhouse: ClickHouseClient },
): void {
  measurePool(registry, engines.pg);
  timeQueries(registry, engines.clickhouse);
  new Gauge({
    name: 'smartlink_redis_connected',
    help: '1 while Redis is connected',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(engines.redis.status === 'ready' ? 1 : 0);
    },
  });
}

function measurePool(registry: Registry, pg: Pool): void {
  const registers = [registry];
  new Gauge({
    name: 'smartlink_postgres_connections',
    help: 'Connections of the pool to Postgres',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pg.totalCount - pg.idleCount);
      this.set({ state: 'idle' }, pg.idleCount);
    },
  });
  new Gauge({
    name: 'smartlink_postgres_connections_max',
    help: 'Connections the pool may have: POSTGRES_CONNECTIONS_MAX less those of the thread',
    registers,
  }).set(pg.options.max);
  new Gauge({
    name: 'smartlink_postgres_requests_waiting',
    help: 'Requests waiting for a connection of the pool',
    registers,
    collect() {
      this.set(pg.waitingCount);
    },
  });
}

/** Times every query, by replacing the client's method. */
function timeQueries(registry: Registry, clickhouse: ClickHouseClient): void {
  const duration = new Histogram({
    name: 'smartlink_clickhouse_query_duration_seconds',
    help: 'Time of a ClickHouse query until its answer begins; rollups are not counted',
    labelNames: ['result'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  duration.zero({ result: 'done' });
  duration.zero({ result: 'failed' });
  const query = clickhouse.query.bind(clickhouse);
  const timed: typeof query = async (params) => {
    const end = duration.startTimer();
    try {
      const answer = await query(params);
      end({ result: 'done' });
      return answer;
    } catch (err) {
      end({ result: 'failed' });
      throw err;
    }
  };
  clickhouse.query = timed;
}

const RESULTS = ['allowed', 'refused', 'uncounted', 'unknown_key'] as const;
const BREAKERS = ['rate_limit', 'url_safety'] as const;

type RateLimitResult = (typeof RESULTS)[number];

type GuardMetrics = {
  /**
   * `uncounted`: the request passed because Redis did not answer. `unknown_key`: it was refused because its client had sent
   * too many unknown keys.
   */
  readonly onRateLimit: (result: RateLimitResult) => void;
  readonly watchBreaker: (breaker: (typeof BREAKERS)[number], isOpen: () => boolean) => void;
};

function observeGuards(registry: Registry): GuardMetrics {
  const checks = new Counter({
    name: 'smartlink_rate_limit_checks_total',
    help: 'Requests by result of the rate limit; uncounted: passed because Redis did not answer; unknown_key: refused after too many unknown keys of one client',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of RESULTS) checks.inc({ result }, 0);
  const watched = new Map<(typeof BREAKERS)[number], () => boolean>();
  new Gauge({
    name: 'smartlink_breaker_open',
    help: '1 while the breaker is open after failures',
    labelNames: ['breaker'],
    aggregator: 'max',
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

export type OutboxObserver = {
  readonly onPublished: (outcome: 'request' | 'relay' | 'failed', slugs: number, durationMs: number) => void;
  /** Time from the commit of a change until a slug of it was published. */
  readonly onDelay: (outcome: 'request' | 'relay', seconds: number) => void;
};

type PublishOutcome = Parameters<OutboxObserver['onPublished']>[0];

// Counters start at 0: one that starts with its first event has no rate() for it.
const PUBLISH_OUTCOMES: readonly PublishOutcome[] = ['request', 'relay', 'failed'];

function observePublishing(registry: Registry): OutboxObserver {
  const published = new Counter({
    name: 'smartlink_published_slugs_total',
    help: 'Slugs published after a change, by publisher; failed ones are left to the relay',
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
    help: 'Time from the commit of a change until Redis has it, per slug, by publisher',
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

/** Gauges that share one query per scrape; NaN while it fails. Every process reads the same. */
export function gaugesFromQuery<Member extends string>(
  registry: Registry,
  query: () => Promise<Readonly<Record<Member, number>>>,
  gauges: readonly { readonly name: string; readonly help: string; readonly member: Member }[],
): void {
  let result: Promise<Readonly<Record<Member, number>> | null> = Promise.resolve(null);
  for (const [index, { name, help, member }] of gauges.entries()) {
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        // Gauges are collected in the order of registration.
        if (index === 0) result = query().catch(() => null);
        this.set((await result)?.[member] ?? Number.NaN);
      },
    });
  }
}

export type RollupObserver = {
  /** `skipped`: another process holds the lock. */
  readonly onTurn: (outcome: 'done' | 'skipped' | 'failed', durationMs: number) => void;
  readonly onStep: (step: RollupStep) => void;
};

type TurnOutcome = Parameters<RollupObserver['onTurn']>[0];
type StepKind = Parameters<RollupObserver['onStep']>[0]['kind'];

const TURN_OUTCOMES: readonly TurnOutcome[] = ['done', 'skipped', 'failed'];
const STEP_KINDS: readonly StepKind[] = ['days', 'late cells', 'reopened', 'days computed again', 'dropped'];

function observeRollups(registry: Registry): RollupObserver {
  const turns = new Counter({
    name: 'smartlink_rollup_turns_total',
    help: 'Rollup turns; skipped: another process had the turn',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const steps = new Counter({
    name: 'smartlink_rollup_steps_total',
    help: 'Steps of rollup turns: runs of days and late cells rolled up, days reopened or computed again, months of events dropped',
    labelNames: ['kind'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'smartlink_rollup_duration_seconds',
    help: 'Time of a rollup turn that was not skipped',
    buckets: [...DURATION_BUCKETS_SECONDS, 60, 600],
    registers: [registry],
  });
  const lastSuccess = new Gauge({
    name: 'smartlink_rollup_last_success_timestamp_seconds',
    help: 'When this process last finished a rollup turn, in seconds since 1970; 0 before the first',
    aggregator: 'max',
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
  return kind.replaceAll(' ', '_');
}

// From the answer to a cached key to the longest statement.
export const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
