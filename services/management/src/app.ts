import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '@smartlink/process/lifecycle';
import { accessControl } from './accounts/access.js';
import { accountRoutes, authenticate } from './accounts/accounts.js';
import { auditRoutes } from './accounts/audit.js';
import { keyRoutes } from './accounts/keys.js';
import { memberRoutes } from './accounts/members.js';
import { optionalSession, sessions } from './accounts/sessions.js';
import { signInRoutes } from './accounts/sign-in.js';
import { accountAnalyticsRoutes } from './analytics/account-routes.js';
import { analytics } from './analytics/analytics.js';
import { analyticsRoutes } from './analytics/routes.js';
import { apiReference, documentedRoutes } from './api-reference/api-reference.js';
import cleanup from './cleanup.js';
import { folderRoutes } from './collections/folders.js';
import { tagRoutes } from './collections/tags.js';
import { utmTemplateRoutes } from './collections/utm-templates.js';
import { type Config, managementBaseUrl } from './config.js';
import { dashboard } from './dashboard/dashboard.js';
import { domains } from './domains/domains.js';
import { errorHandler, sendFailure } from './envelope.js';
import { ApiError } from './errors.js';
import { fairRoutes } from './fairness/fair-routes.js';
import { forwardedPrincipal, heavyRequests } from './fairness/heavy-requests.js';
import { delayedRefusals, workBudget } from './fairness/work-budget.js';
import { ignoredInput } from './ignored-input.js';
import { exportRoute } from './imports/export.js';
import { imports } from './imports/imports.js';
import { media } from './media/media.js';
import { installationRoutes } from './operators/accounts.js';
import { healthRoutes } from './operators/health.js';
import { peopleRoutes } from './operators/people.js';
import { clickhouse, health, postgres, redis } from './plugins/engines.js';
import {
  clientAddress,
  documentMethods,
  http,
  parsedBodies,
  routing,
  serverOptions,
} from './plugins/http.js';
import { metrics, ownMetrics } from './plugins/metrics.js';
import { tracing } from './plugins/tracing.js';
import { qrRoutes } from './qr/qr.js';
import { resolveRoutes } from './resolve/resolve.js';
import { passwordHasher } from './smartlinks/documents/password-hasher.js';
import { draftPageRoutes, draftPages, PREVIEW_PATH } from './smartlinks/preview/draft-pages.js';
import { formatGate } from './smartlinks/publishing/format-gate.js';
import { smartlinks } from './smartlinks/smartlinks.js';
import { urlSafety, type UrlSafety } from './url-safety/url-safety.js';
import { webhooks } from './webhooks/webhooks.js';

// Anyone may send one, and it is parsed at once.
const SIGN_IN_BODY_BYTES_MAX = 16 * 1_024;

// The share of heavy requests in the connections to Postgres.
const HEAVY_CONNECTIONS_SHARE = 0.3;

export type AppOptions = {
  /** Replaces the configured safety provider. */
  readonly urlSafety?: UrlSafety | undefined;
  /** Makes it the API of the thread of heavy requests, which this token opens: routes alone, without jobs and limits. */
  readonly heavyToken?: string;
};

/**
 * The service with its connections open and its jobs running. The caller listens and closes it. Rejects with
 * SafetyStartError when the safety provider cannot be opened.
 */
export async function buildApp(
  config: Config,
  log: Logger,
  { urlSafety: givenUrlSafety, heavyToken }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = fastify(serverOptions(log, { keepsRequestId: heavyToken !== undefined }));
  const heavyConnections = Math.max(1, Math.floor(config.POSTGRES_CONNECTIONS_MAX * HEAVY_CONNECTIONS_SHARE));
  const connectionsMax =
    heavyToken === undefined ? config.POSTGRES_CONNECTIONS_MAX - heavyConnections : heavyConnections;

  await registerEngines(app, config, { log, connectionsMax, isThread: heavyToken !== undefined });
  try {
    await app.register(urlSafety, { config, log, given: givenUrlSafety });
  } catch (err) {
    await app.close();
    throw err;
  }
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new ApiError('NOT_FOUND', { message: 'Route not found' })),
  );
  if (heavyToken !== undefined) {
    await app.register(forwardedPrincipal, { token: heavyToken });
    await app.register(ownMetrics);
    await app.register(parsedBodies);
    await app.register((api) => registerRoutes(api, config, { log, runsJobs: false }), { prefix: '/api/v1' });
    return app;
  }
  await app.register(health);
  await app.register(cleanup, { log });
  await app.register(formatGate, {
    redisUrl: config.REDIS_URL,
    keyPrefix: config.REDIS_KEY_PREFIX,
    log,
  });
  await app.register(heavyRequests, { config, log });
  await app.register(clientAddress, { config });
  await app.register(sessions, { baseUrl: managementBaseUrl(config) });
  await app.register(documentedRoutes);
  await app.register(registerSignIn, { prefix: '/auth', config });
  await app.register(registerDraftPages, { prefix: PREVIEW_PATH, config });
  await app.register(registerApi, { prefix: '/api/v1', config, log, connectionsMax });
  await app.register(apiReference);
  if (config.DASHBOARD_ENABLED) {
    await app.register(dashboard, { publicBaseUrl: config.PUBLIC_BASE_URL, log });
  }
  return app;
}

/** Requests, connections and metrics. */
async function registerEngines(
  app: FastifyInstance,
  config: Config,
  { log, connectionsMax, isThread }: { log: Logger; connectionsMax: number; isThread: boolean },
): Promise<void> {
  await app.register(tracing, {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    sampledRatio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  await app.register(ignoredInput);
  await app.register(errorHandler);
  await app.register(http, {
    origins: config.CORS_ORIGINS,
    isHttps: managementBaseUrl(config).startsWith('https:'),
    isThread,
  });
  await app.register(postgres, {
    databaseUrl: config.DATABASE_URL,
    connectionsMax,
  });
  await app.register(redis, { redisUrl: config.REDIS_URL, log });
  await app.register(clickhouse, { clickhouseUrl: config.CLICKHOUSE_URL });
  await app.register(metrics, { isWholeProcess: !isThread });
  await app.register(passwordHasher);
  await app.register(draftPages, {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    abuseContactUrl: config.ABUSE_CONTACT_URL ?? null,
    keyPrefix: config.REDIS_KEY_PREFIX,
  });
}

async function registerSignIn(auth: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const keyPrefix = config.REDIS_KEY_PREFIX;
  await auth.register(delayedRefusals);
  await auth.register(optionalSession);
  await auth.register(workBudget, { keyPrefix });
  await auth.register(routing);
  auth.addHook('onRoute', (route) => {
    route.bodyLimit = SIGN_IN_BODY_BYTES_MAX;
  });
  await auth.register(parsedBodies);
  // All processes of an installation have this address, with its password; Redis does not.
  await auth.register(signInRoutes, { keyPrefix, secret: config.DATABASE_URL });
}

async function registerDraftPages(pages: FastifyInstance, { config }: { config: Config }): Promise<void> {
  await pages.register(delayedRefusals);
  await pages.register(optionalSession);
  await pages.register(workBudget, { keyPrefix: config.REDIS_KEY_PREFIX });
  await pages.register(draftPageRoutes);
}

async function registerApi(
  api: FastifyInstance,
  { config, log, connectionsMax }: { config: Config; log: Logger; connectionsMax: number },
): Promise<void> {
  // Hooks run in this order.
  await api.register(documentMethods);
  await api.register(delayedRefusals);
  await api.register(authenticate);
  await api.register(workBudget, { keyPrefix: config.REDIS_KEY_PREFIX });
  await api.register(routing);
  await api.register(accessControl);
  await api.register(fairRoutes, { connectionsMax });
  await registerRoutes(api, config, { log, runsJobs: true });
}

async function registerRoutes(
  api: FastifyInstance,
  config: Config,
  { log, runsJobs }: { readonly log: Logger; readonly runsJobs: boolean },
): Promise<void> {
  const publicBaseUrl = config.PUBLIC_BASE_URL;
  await api.register(analytics, {
    clickhouseUrl: config.CLICKHOUSE_URL,
    databaseUrl: config.DATABASE_URL,
    rollupIntervalMs: config.ROLLUP_INTERVAL_SECONDS * 1_000,
    keptMonths: config.EVENTS_KEPT_MONTHS,
    totalsAgeMaxMs: config.TOTALS_AGE_MAX_MS,
    runsJobs,
    log,
  });
  // The order of the routes is their order in the reference.
  await api.register(accountRoutes);
  await api.register(memberRoutes, { baseUrl: managementBaseUrl(config) });
  await api.register(keyRoutes);
  await api.register(auditRoutes);
  await api.register(smartlinks, {
    publicBaseUrl,
    keyPrefix: config.REDIS_KEY_PREFIX,
    recheckIntervalMs: config.SAFETY_RECHECK_INTERVAL_SECONDS * 1_000,
    runsJobs,
    log,
  });
  await api.register(tagRoutes);
  await api.register(folderRoutes);
  await api.register(utmTemplateRoutes);
  await api.register(media, { config, runsJobs, log });
  await api.register(domains, { config, runsJobs, log });
  await api.register(analyticsRoutes);
  await api.register(accountAnalyticsRoutes, { publicBaseUrl });
  await api.register(qrRoutes, { publicBaseUrl });
  await api.register(resolveRoutes, { publicBaseUrl });
  await api.register(imports, { publicBaseUrl, runsJobs, log });
  await api.register(exportRoute, { publicBaseUrl });
  await api.register(webhooks, {
    publicBaseUrl,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    visitsIntervalMs: config.WEBHOOK_VISITS_INTERVAL_SECONDS * 1_000,
    runsJobs,
    log,
  });
  await api.register(peopleRoutes, { baseUrl: managementBaseUrl(config) });
  await api.register(installationRoutes, { baseUrl: managementBaseUrl(config) });
  await api.register(healthRoutes, { addresses: config });
}
