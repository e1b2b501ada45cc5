import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { Counter, Histogram, type Registry } from 'prom-client';
import { type Logger, startJob } from '@smartlink/process/lifecycle';
import { gaugesFromQuery } from '../plugins/metrics.js';
import type { AttemptDeps, AttemptResult } from './attempt-delivery.js';
import { createLogCleanup } from './delivery-log.js';
import { measurePending } from './delivery-queries.js';
import { startDispatcher } from './dispatcher.js';
import { webhookRoutes } from './routes.js';
import { createMessageSender, createNameResolver } from './send-message.js';
import { createTargetRules } from './target-address.js';
import { ARRIVAL_LAG_MS, createVisitQueue } from './visits-feed.js';

const TRIM_INTERVAL_MS = 60_000;
// How often due webhooks are looked up; the visits of each are due every `visitsIntervalMs`.
const VISITS_POLL_MS_MAX = 5_000;

type WebhooksOptions = {
  readonly publicBaseUrl: string;
  /** WEBHOOK_ALLOWED_NETWORKS. */
  readonly allowedNetworks: readonly string[];
  readonly visitsIntervalMs: number;
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** The routes of webhooks, and the jobs that deliver messages, queue visits and trim logs. */
export async function webhooks(app: FastifyInstance, options: WebhooksOptions): Promise<void> {
  const rules = createTargetRules(options);
  if (options.runsJobs) startJobs(app, options, rules);
  await app.register(webhookRoutes, { rules });
}

function startJobs(
  app: FastifyInstance,
  options: WebhooksOptions,
  rules: ReturnType<typeof createTargetRules>,
): void {
  const { pg, clickhouse } = app;
  const { publicBaseUrl, visitsIntervalMs, log } = options;
  const observer = observeWebhooks(app.metrics.registry, pg);
  const resolve = createNameResolver(rules.hasAllowedNetworks);
  // A job of its own beside cleanup.ts: it trims the webhooks whose logs this process has extended.
  const cleanup = createLogCleanup({ pg });
  const jobs = [
    startDispatcher({
      pg,
      send: createMessageSender({ permitsAddress: rules.permitsAddress, resolve, now: Date.now }),
      publicBaseUrl,
      log,
      observer,
      onLogged: cleanup.noteGrown,
      now: Date.now,
      random: Math.random,
    }),
    startJob({
      everyMs: Math.min(visitsIntervalMs, VISITS_POLL_MS_MAX),
      run: createVisitQueue({
        pg,
        clickhouse,
        intervalMs: visitsIntervalMs,
        lagMs: ARRIVAL_LAG_MS,
        onQueued: observer.onVisitsQueued,
      }),
      failure: 'visits could not be queued for webhooks',
      log,
    }),
    startJob({
      everyMs: TRIM_INTERVAL_MS,
      run: async () => {
        observer.onDropped(await cleanup.run());
      },
      failure: 'the logs of webhooks could not be shortened',
      log,
    }),
  ];
  let stopped: Promise<unknown> | undefined;
  const stop = (): Promise<unknown> => (stopped ??= Promise.all(jobs.map((job) => job.stop())));
  // Deliveries end at the same time as the requests in progress.
  app.addHook('preClose', (next) => {
    void stop();
    next();
  });
  app.addHook('onClose', async () => {
    await stop();
  });
}

type WebhookObserver = AttemptDeps['observer'] & {
  readonly onDropped: (deliveries: number) => void;
  readonly onVisitsQueued: (visits: number) => void;
};

const RESULTS: readonly AttemptResult[] = ['delivered', 'retried', 'failed'];
// From a receiver on the same network to the time limit of an attempt.
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function observeWebhooks(registry: Registry, pg: Pool): WebhookObserver {
  const registers = [registry];
  const attempts = new Counter({
    name: 'smartlink_webhook_attempts_total',
    help: 'Attempts to deliver a message, by result; failed ones were the last of their message',
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
    help: 'Messages that failed because too many were pending for their webhook',
    registers,
  });
  const visits = new Counter({
    name: 'smartlink_webhook_visits_total',
    help: 'Visits put into messages',
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

function measurePendingInto(registry: Registry, pg: Pool): void {
  const query = async () => {
    const { pending, overdueSeconds } = await measurePending(pg);
    return { pending, overdueSeconds: Math.max(0, overdueSeconds) };
  };
  gaugesFromQuery(registry, query, [
    {
      name: 'smartlink_webhook_pending',
      help: 'Messages that wait for their first attempt or the next',
      member: 'pending',
    },
    {
      name: 'smartlink_webhook_overdue_seconds',
      help: 'How long the most overdue attempt has been due; 0 when none is',
      member: 'overdueSeconds',
    },
  ]);
}
