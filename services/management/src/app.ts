import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '@smartlink/process/lifecycle';
import { accountRoutes, authenticate, rateLimit } from './accounts/accounts.js';
import { analytics } from './analytics/analytics.js';
import { analyticsRoutes } from './analytics/routes.js';
import { apiReference, documentedRoutes } from './api-reference/api-reference.js';
import cleanup from './cleanup.js';
import type { Config } from './config.js';
import { errorHandler, sendFailure } from './envelope.js';
import { ApiError } from './errors.js';
import { ignoredInput } from './ignored-input.js';
import { clickhouse, health, postgres, redis } from './plugins/engines.js';
import { documentMethods, http, routing, serverOptions } from './plugins/http.js';
import { metrics } from './plugins/metrics.js';
import { tracing } from './plugins/tracing.js';
import { qrRoutes } from './qr/qr.js';
import { resolveRoutes } from './resolve/resolve.js';
import { smartlinks } from './smartlinks/smartlinks.js';
import { urlSafety, type UrlSafety } from './url-safety/url-safety.js';
import { webhooks } from './webhooks/webhooks.js';

/**
 * The service with its connections open and its jobs running. The caller listens and closes it. `givenUrlSafety` replaces
 * the configured safety provider. Rejects with SafetyStartError when that provider cannot be opened.
 */
export async function buildApp(
  config: Config,
  log: Logger,
  givenUrlSafety?: UrlSafety,
): Promise<FastifyInstance> {
  const app = fastify(serverOptions(log));

  await app.register(tracing, {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    sampledRatio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  await app.register(ignoredInput);
  await app.register(errorHandler);
  await app.register(http, { origins: config.CORS_ORIGINS });
  await app.register(postgres, {
    databaseUrl: config.DATABASE_URL,
    connectionsMax: config.POSTGRES_CONNECTIONS_MAX,
  });
  await app.register(redis, { redisUrl: config.REDIS_URL, log });
  await app.register(clickhouse, { clickhouseUrl: config.CLICKHOUSE_URL });
  await app.register(metrics);
  try {
    await app.register(urlSafety, { config, log, given: givenUrlSafety });
  } catch (err) {
    await app.close();
    throw err;
  }
  await app.register(health);
  await app.register(cleanup, { log });
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new ApiError('NOT_FOUND', { message: 'Route not found' })),
  );
  await app.register(documentedRoutes);
  await app.register((api) => registerApi(api, config, log), { prefix: '/api/v1' });
  await app.register(apiReference);
  return app;
}

async function registerApi(api: FastifyInstance, config: Config, log: Logger): Promise<void> {
  const publicBaseUrl = config.PUBLIC_BASE_URL;
  // Hooks run in this order.
  await api.register(documentMethods);
  await api.register(authenticate, { trustedProxies: config.TRUSTED_PROXIES });
  await api.register(rateLimit, { keyPrefix: config.REDIS_KEY_PREFIX });
  await api.register(routing);
  await api.register(analytics, {
    clickhouseUrl: config.CLICKHOUSE_URL,
    databaseUrl: config.DATABASE_URL,
    rollupIntervalMs: config.ROLLUP_INTERVAL_SECONDS * 1_000,
    keptMonths: config.EVENTS_KEPT_MONTHS,
    totalsAgeMaxMs: config.TOTALS_AGE_MAX_MS,
    log,
  });
  // The order of the routes is their order in the reference.
  await api.register(accountRoutes);
  await api.register(smartlinks, {
    publicBaseUrl,
    keyPrefix: config.REDIS_KEY_PREFIX,
    recheckIntervalMs: config.SAFETY_RECHECK_INTERVAL_SECONDS * 1_000,
    log,
  });
  await api.register(analyticsRoutes);
  await api.register(qrRoutes, { publicBaseUrl });
  await api.register(resolveRoutes, { publicBaseUrl });
  await api.register(webhooks, {
    publicBaseUrl,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    visitsIntervalMs: config.WEBHOOK_VISITS_INTERVAL_SECONDS * 1_000,
    log,
  });
}
