import type { ClickHouseClient } from '@clickhouse/client';
import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { createDispatcher } from './dispatcher.js';
import { createLogCleanup } from './log-cleanup.js';
import { ARRIVAL_LAG_MS, createVisitQueue } from './queue-visits.js';
import { createNameResolver } from './resolve-name.js';
import { createMessageSender } from './send-message.js';
import { createTargetRules } from './target-url.js';
import { observeWebhooks } from './webhook-metrics.js';

const CLEANUP_INTERVAL_MS = 60_000;
// How often it is looked whether a webhook's visits are due; each is every `visitsIntervalMs`.
const VISITS_POLL_MS_MAX = 5_000;

export type Webhooks = {
  /**
   * Ends within some seconds: what is not delivered by then is left to the other processes, and to the next start. It may
   * be called again, to wait for the end.
   */
  readonly stop: () => Promise<void>;
};

export type WebhooksDeps = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  readonly registry: Registry;
  readonly publicBaseUrl: string;
  /** WEBHOOK_ALLOWED_NETWORKS. */
  readonly allowedNetworks: readonly string[];
  readonly visitsIntervalMs: number;
  readonly log: Logger;
};

/** Starts to deliver messages, to queue visits and to keep logs short. Any number of processes may do so. */
export function startWebhooks(deps: WebhooksDeps): Webhooks {
  const { pg, clickhouse, publicBaseUrl, visitsIntervalMs, log } = deps;
  const observer = observeWebhooks(deps.registry, pg);
  const rules = createTargetRules(deps);
  const resolve = createNameResolver(rules.hasAllowedNetworks);
  const cleanup = createLogCleanup({ pg });
  const dispatcher = createDispatcher({
    pg,
    send: createMessageSender({ permitsAddress: rules.permitsAddress, resolve, now: Date.now }),
    publicBaseUrl,
    log,
    observer,
    onLogged: (webhookId) => {
      cleanup.noteGrown(webhookId);
    },
    now: Date.now,
    random: Math.random,
  });
  const queueVisits = createVisitQueue({
    pg,
    clickhouse,
    intervalMs: visitsIntervalMs,
    lagMs: ARRIVAL_LAG_MS,
    onQueued: observer.onVisitsQueued,
  });
  dispatcher.start();
  const repeated = [
    repeat(Math.min(visitsIntervalMs, VISITS_POLL_MS_MAX), queueVisits, (err) => {
      log.warn({ err: { message: failureMessage(err) } }, 'visits could not be queued for webhooks');
    }),
    repeat(
      CLEANUP_INTERVAL_MS,
      async () => {
        observer.onDropped(await cleanup.run());
      },
      (err) => {
        log.warn({ err: { message: failureMessage(err) } }, 'the logs of webhooks could not be shortened');
      },
    ),
  ];
  const stop = async (): Promise<void> => {
    await Promise.all([dispatcher.stop(), ...repeated.map((job) => job.stop())]);
  };
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}

/** Does something again and again, `intervalMs` after it has ended. Of failures in a row the first is told of. */
function repeat(
  intervalMs: number,
  work: (isStopped: () => boolean) => Promise<void>,
  onFailure: (err: unknown) => void,
): Webhooks {
  let isStopped = false;
  let isTold = false;
  let turn: Promise<void> = Promise.resolve();
  let timer = setTimeout(takeTurn, intervalMs);

  function takeTurn(): void {
    turn = work(() => isStopped)
      .then(
        () => {
          isTold = false;
        },
        (err: unknown) => {
          if (!isTold) onFailure(err);
          isTold = true;
        },
      )
      .then(() => {
        if (!isStopped) timer = setTimeout(takeTurn, intervalMs);
      });
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
