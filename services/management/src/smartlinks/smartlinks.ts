import type { FastifyInstance } from 'fastify';
import type { Logger } from '@smartlink/process/lifecycle';
import { measureOutbox } from '@smartlink/smartlink/store';
import { gaugesFromQuery } from '../plugins/metrics.js';
import { NO_URL_SAFETY } from '../url-safety/url-safety.js';
import { bulkRoute } from './bulk/bulk-smartlinks.js';
import { createContext } from './context.js';
import { patchRoute } from './documents/change-smartlink.js';
import { createRoute } from './documents/create-smartlink.js';
import { readRoute } from './documents/read-smartlinks.js';
import { deleteRoute, statusRoute } from './documents/set-status.js';
import { previewRoute } from './preview/check-draft.js';
import { createOutbox } from './publishing/outbox.js';
import { safetyRoutes } from './rechecks/safety-queue.js';
import { observeUrlRechecks, startUrlRechecks } from './rechecks/url-rechecks.js';

// Also for analytics, which choose smartlinks by the same parameters.
export { createValues, linkFilterShape, toConditions } from './link-filter.js';
// Also for the health of the installation.
export { measureOverdue } from './rechecks/queries.js';

type SmartlinksOptions = {
  readonly publicBaseUrl: string;
  readonly keyPrefix: string;
  readonly recheckIntervalMs: number;
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** The routes of smartlinks, the relay that publishes their changes, and the job that re-checks stored URLs. */
export function smartlinks(app: FastifyInstance, options: SmartlinksOptions, done: () => void): void {
  const { publicBaseUrl, keyPrefix, runsJobs, log } = options;
  const { pg, redis, metrics, urlSafety, formatGate } = app;
  const outbox = createOutbox({ pg, redis, formatGate, keyPrefix, log, observer: metrics.outboxObserver });
  if (runsJobs) outbox.start();
  gaugesFromQuery(metrics.registry, () => measureOutbox(pg), [
    {
      name: 'smartlink_outbox_depth',
      help: 'Committed changes not yet known to be published',
      member: 'depth',
    },
    {
      name: 'smartlink_outbox_oldest_seconds',
      help: 'Age of the oldest of those changes',
      member: 'oldestSeconds',
    },
  ]);
  const rechecks =
    urlSafety === NO_URL_SAFETY || !runsJobs
      ? null
      : startUrlRechecks({
          pg,
          outbox,
          urlSafety,
          intervalMs: options.recheckIntervalMs,
          log,
          observer: observeUrlRechecks(metrics.registry, pg),
        });
  app.addHook('onClose', async () => {
    // In this order: the re-checks publish the links they pause through the outbox.
    await rechecks?.stop();
    await outbox.stop();
  });

  const context = createContext(app, { outbox, publicBaseUrl });
  app.addHook('preHandler', async ({ method }) => {
    if (method === 'POST' || method === 'PATCH') await context.domainHosts.refresh();
  });
  // Their order is the order of the API reference.
  createRoute(app, context);
  readRoute(app, context);
  patchRoute(app, context);
  statusRoute(app, context);
  deleteRoute(app, context);
  bulkRoute(app, context);
  previewRoute(app, context);
  safetyRoutes(app, context);
  done();
}
