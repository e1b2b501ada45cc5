import { randomUUID } from 'node:crypto';
import fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Logger } from '@smartlink/process/logger';
import { createRollupStateReader } from '@smartlink/visit-analytics/rollup-state';
import { accountRoutes } from './accounts/routes.js';
import { createTotalsReader, keepTotals, startRollups } from './analytics/analytics.js';
import { analyticsRoutes } from './analytics/routes.js';
import apiReference, { documentMethods, documentedRoutes } from './api-reference/api-reference.js';
import { answerClientError } from './client-error.js';
import type { Config } from './config.js';
import { ApiError } from './errors.js';
import { parseJsonBody } from './json-body.js';
import authenticate from './plugins/authenticate.js';
import clickhouse from './plugins/clickhouse.js';
import connections from './plugins/connections.js';
import cors from './plugins/cors.js';
import errorHandler, { sendFailure } from './plugins/error-handler.js';
import health from './plugins/health.js';
import metrics from './plugins/metrics.js';
import postgres from './plugins/postgres.js';
import rateLimit from './plugins/rate-limit.js';
import redis from './plugins/redis.js';
import requestId from './plugins/request-id.js';
import routing from './plugins/routing.js';
import tracing from './plugins/tracing.js';
import { qrRoutes } from './qr/routes.js';
import { resolveRoutes } from './resolve/routes.js';
import { smartlinkRoutes } from './smartlinks/routes.js';
import {
  createOutbox,
  createUrlRechecks,
  observeUrlRechecks,
  startIdempotencyCleanup,
  startLinkChangesCleanup,
} from './smartlinks/smartlinks.js';
import type { Outbox } from './smartlinks/smartlinks.js';
import { NO_URL_SAFETY, openUrlSafety } from './url-safety/url-safety.js';
import type { UrlSafety } from './url-safety/url-safety.js';
import { webhookRoutes } from './webhooks/routes.js';
import { startWebhooks } from './webhooks/webhooks.js';

const BODY_BYTES_MAX = 1024 * 1024;
// A request that is not complete after 10 s is ended at the next of the server's looks, 15 s at the latest.
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_CHECK_INTERVAL_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 30_000;

/**
 * Returns the service, with everything open and the outbox relay running. The caller listens and closes it.
 * `givenUrlSafety` is shown every URL that is stored, instead of the configured provider. Rejects with SafetyStartError
 * when that one cannot be opened, before anything else is.
 */
export async function buildApp(
  config: Config,
  log: Logger,
  givenUrlSafety?: UrlSafety,
): Promise<FastifyInstance> {
  const opened = givenUrlSafety === undefined ? await openUrlSafety(config, log) : null;
  const urlSafety = givenUrlSafety ?? opened ?? NO_URL_SAFETY;
  const logger: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance: logger,
    // Fastify's own lines hold the address, and with it the query; request-id.ts writes one without.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // What still comes in over an open connection is answered as ever, with `connection: close`.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
      // request-id.ts refuses a request without Host; Node's own refusal is not in the envelope.
      requireHostHeader: false,
    },
    // A path that is no URL reaches the routes as one that leads nowhere, so that it gets their answer.
    rewriteUrl: (req) => (isDecodable(req.url ?? '/') ? (req.url ?? '/') : undecodablePath(req.url ?? '/')),
  });
  // An expectation that is not 100-continue is ignored (RFC 9110, 10.1.1), where Node would answer without a body.
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body));
    } catch (err) {
      done(err as Error, undefined);
    }
  });

  await app.register(tracing, {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    sampledRatio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  await app.register(connections);
  await app.register(errorHandler);
  await app.register(requestId);
  await app.register(cors, { origins: config.CORS_ORIGINS });
  await app.register(postgres, {
    databaseUrl: config.DATABASE_URL,
    connectionsMax: config.POSTGRES_CONNECTIONS_MAX,
  });
  await app.register(redis, { redisUrl: config.REDIS_URL, log });
  await app.register(clickhouse, { clickhouseUrl: config.CLICKHOUSE_URL });
  await app.register(metrics);
  if (opened !== null) {
    opened.registerMetrics(app.metrics.registry);
    app.metrics.watchBreaker('url_safety', opened.isProviderDown);
    app.addHook('onClose', opened.close);
  }
  await app.register(health);
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new ApiError('NOT_FOUND', { message: 'Route not found' })),
  );
  await app.register(documentedRoutes);
  await app.register((api) => registerApi(api, config, log, urlSafety), { prefix: '/api/v1' });
  await app.register(apiReference);
  return app;
}

async function registerApi(
  api: FastifyInstance,
  config: Config,
  log: Logger,
  urlSafety: UrlSafety,
): Promise<void> {
  const outbox = createOutbox({
    pg: api.pg,
    redis: api.redis,
    keyPrefix: config.REDIS_KEY_PREFIX,
    log,
    observer: api.metrics.outboxObserver,
  });
  outbox.start();
  const readState = createRollupStateReader(api.clickhouse, () => performance.now());
  const stopCleanup = startIdempotencyCleanup(api.pg, log);
  const stopChangesCleanup = startLinkChangesCleanup(api.pg, log);
  const rollups = startRollups({
    clickhouseUrl: config.CLICKHOUSE_URL,
    databaseUrl: config.DATABASE_URL,
    intervalMs: config.ROLLUP_INTERVAL_SECONDS * 1_000,
    keptMonths: config.EVENTS_KEPT_MONTHS,
    log,
    observer: api.metrics.rollupObserver,
  });
  api.addHook('onClose', async () => {
    stopCleanup();
    stopChangesCleanup();
    await Promise.all([outbox.stop(), rollups.stop()]);
  });
  if (urlSafety !== NO_URL_SAFETY) recheckUrls(api, { config, log, urlSafety, outbox });

  dispatchWebhooks(api, config, log);

  // The order of checks: decisions.md, HTTP and errors.
  await api.register(documentMethods);
  await api.register(authenticate);
  await api.register(rateLimit, { keyPrefix: config.REDIS_KEY_PREFIX });
  await api.register(routing);
  await api.register(accountRoutes);
  await api.register(smartlinkRoutes, {
    outbox,
    totals: keepTotals(createTotalsReader({ clickhouse: api.clickhouse, pg: api.pg, readState, log }), {
      ageMaxMs: config.TOTALS_AGE_MAX_MS,
      now: () => performance.now(),
    }),
    urlSafety,
    publicBaseUrl: config.PUBLIC_BASE_URL,
  });
  await api.register(analyticsRoutes, { readState });
  await api.register(qrRoutes, { publicBaseUrl: config.PUBLIC_BASE_URL });
  await api.register(resolveRoutes, { publicBaseUrl: config.PUBLIC_BASE_URL });
  await api.register(webhookRoutes, {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  });
}

function dispatchWebhooks(api: FastifyInstance, config: Config, log: Logger): void {
  const webhooks = startWebhooks({
    pg: api.pg,
    clickhouse: api.clickhouse,
    registry: api.metrics.registry,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    visitsIntervalMs: config.WEBHOOK_VISITS_INTERVAL_SECONDS * 1_000,
    log,
  });
  // While requests under way come to their end, so do deliveries.
  api.addHook('preClose', (next) => {
    void webhooks.stop();
    next();
  });
  api.addHook('onClose', webhooks.stop);
}

function recheckUrls(
  api: FastifyInstance,
  { config, ...deps }: { config: Config; log: Logger; urlSafety: UrlSafety; outbox: Outbox },
): void {
  const rechecks = createUrlRechecks({
    ...deps,
    pg: api.pg,
    intervalMs: config.SAFETY_RECHECK_INTERVAL_SECONDS * 1_000,
    observer: observeUrlRechecks(api.metrics.registry, api.pg),
  });
  rechecks.start();
  // Before the outbox, to which it hands what it pauses.
  api.addHook('onClose', rechecks.stop);
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

function undecodablePath(url: string): string {
  return url.startsWith('/api/v1/') ? '/api/v1/-/undecodable' : '/-/undecodable';
}
