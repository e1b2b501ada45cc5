import fp from 'fastify-plugin';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { failureMessage } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import type { DocumentUrl } from '@smartlink/smartlink/model';
import type { Config } from '../config.js';
import { ApiError } from '../errors.js';
import { type BlocklistObserver, openBlocklist } from './blocklist.js';
import { WEB_RISK_URL, createHttpHook, createWebRisk } from './lookup-providers.js';
import type { SafetyProvider } from './provider.js';
import { SAFE_BROWSING_URL, createSafeBrowsing } from './safe-browsing.js';
import { type CheckOutcome, createUrlSafety, type SafetyObserver, type UrlSafety } from './url-check.js';

// The front file of the feature: the rest of the service imports it only.
export { cannotBeChecked } from './url-check.js';
export type { SafetyVerdict, UrlSafety } from './url-check.js';

declare module 'fastify' {
  interface FastifyInstance {
    urlSafety: UrlSafety;
  }
}

type SafetyConfig = Pick<Config, Extract<keyof Config, `SAFETY_${string}`>>;

type UrlSafetyPluginOptions = {
  readonly config: SafetyConfig;
  readonly log: Logger;
  /** Replaces the configured provider, in tests. */
  readonly given?: UrlSafety | undefined;
};

/** Opens the configured safety provider. Rejects with SafetyStartError. */
export const urlSafety = fp<UrlSafetyPluginOptions>(
  async (app, { config, log, given }) => {
    const opened = given === undefined ? await openUrlSafety(config, log, app.metrics.registry) : null;
    app.decorate('urlSafety', given ?? opened ?? NO_URL_SAFETY);
    if (opened === null) return;
    app.metrics.watchBreaker('url_safety', opened.isProviderDown);
    app.addHook('onClose', opened.close);
  },
  { name: 'url-safety', dependencies: ['metrics'] },
);

/** The provider `none`: nothing is checked. */
export const NO_URL_SAFETY: UrlSafety = {
  check: () => Promise.resolve({ unsafe: [], isChecked: false }),
};

/** The provider cannot be opened; the message names the variable. */
export class SafetyStartError extends Error {}

export type OpenUrlSafety = UrlSafety & {
  /** Whether the breaker is open. */
  readonly isProviderDown: () => boolean;
  readonly close: () => Promise<void>;
};

/** null for the provider `none`. Rejects with SafetyStartError when the blocklist cannot be loaded. The caller closes it. */
export async function openUrlSafety(
  config: SafetyConfig,
  log: Logger,
  registry: Registry,
): Promise<OpenUrlSafety | null> {
  const safetyLog = log.child({ component: 'url-safety' });
  const provider = await openProvider(config, safetyLog, registry);
  if (provider === null) return null;
  const safety = createUrlSafety({
    provider,
    failClosed: config.SAFETY_FAIL_CLOSED,
    limitMs: config.SAFETY_LIMIT_MS,
    log: safetyLog,
    observer: observeChecks(registry),
    now: () => performance.now(),
  });
  return { ...safety, close: () => provider.close() };
}

async function openProvider(
  config: SafetyConfig,
  log: Logger,
  registry: Registry,
): Promise<SafetyProvider | null> {
  const apiKey = config.SAFETY_API_KEY ?? '';
  const baseUrl = config.SAFETY_API_BASE_URL;
  switch (config.SAFETY_PROVIDER) {
    case 'none':
      return null;
    case 'blocklist':
      return openBlocklist({
        files: config.SAFETY_BLOCKLIST_FILES,
        reloadIntervalMs: config.SAFETY_BLOCKLIST_RELOAD_SECONDS * 1_000,
        log,
        observer: observeBlocklist(registry),
      }).catch((err: unknown) => {
        throw new SafetyStartError(`SAFETY_BLOCKLIST_FILES: ${failureMessage(err)}`, { cause: err });
      });
    case 'google-web-risk':
      return createWebRisk({ baseUrl: baseUrl ?? WEB_RISK_URL, apiKey });
    case 'google-safe-browsing':
      return createSafeBrowsing({ baseUrl: baseUrl ?? SAFE_BROWSING_URL, apiKey });
    case 'http':
      return createHttpHook({ url: config.SAFETY_HTTP_URL ?? '', token: config.SAFETY_HTTP_TOKEN ?? '' });
  }
}

/**
 * Whether the URLs were judged, all of them safe. Throws UNSAFE_URL with a detail for each unsafe URL, and
 * SERVICE_UNAVAILABLE as UrlSafety does.
 */
export async function requireSafeUrls(safety: UrlSafety, urls: readonly DocumentUrl[]): Promise<boolean> {
  const { unsafe, isChecked } = await safety.check(urls);
  if (unsafe.length === 0) return isChecked;
  throw new ApiError('UNSAFE_URL', { details: unsafeDetails(unsafe) });
}

export function unsafeDetails(unsafe: readonly DocumentUrl[]): { path: string; message: string }[] {
  return unsafe.map(({ path }) => ({ path, message: 'URL was judged unsafe' }));
}

// From a blocklist look-up to the default limit of 1.5 s, and beyond.
const DURATION_BUCKETS_SECONDS = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 5];
const OUTCOMES: readonly CheckOutcome[] = ['safe', 'unsafe', 'failed', 'skipped'];

function observeChecks(registry: Registry): SafetyObserver {
  const registers = [registry];
  const checks = new Counter({
    name: 'smartlink_url_safety_checks_total',
    help: "Checks of a document's URLs; skipped: the breaker was open; failed and skipped ones leave the URLs unjudged",
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'smartlink_url_safety_check_duration_seconds',
    help: 'Time of a check that was not skipped',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
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
  };
}

function observeBlocklist(registry: Registry): BlocklistObserver {
  const registers = [registry];
  const entries = new Gauge({
    name: 'smartlink_url_blocklist_entries',
    help: 'Hosts and URLs in the blocklist',
    aggregator: 'min',
    registers,
  });
  const loadedAt = new Gauge({
    name: 'smartlink_url_blocklist_last_load_timestamp_seconds',
    help: 'When the blocklist in use was loaded, in seconds since 1970',
    aggregator: 'min',
    registers,
  });
  const failures = new Counter({
    name: 'smartlink_url_blocklist_reload_failures_total',
    help: 'New blocklists that could not be used; the one before stayed in use',
    registers,
  });
  return {
    onLoaded(count) {
      entries.set(count);
      loadedAt.setToCurrentTime();
    },
    onReloadFailed() {
      failures.inc();
    },
  };
}
