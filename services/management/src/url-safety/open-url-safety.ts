import type { Logger } from '@smartlink/process/logger';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import { openBlocklist } from './blocklist.js';
import { createUrlSafety } from './create-url-safety.js';
import { SAFE_BROWSING_URL, createSafeBrowsing } from './google-safe-browsing.js';
import { WEB_RISK_URL, createWebRisk } from './google-web-risk.js';
import { createHttpHook } from './http-hook.js';
import { createBlocklistMetrics, createSafetyMetrics } from './safety-metrics.js';
import type { SafetyProvider } from './safety-provider.js';
import type { UrlSafety } from './safety-verdict.js';

/** The provider cannot be opened; the message names the variable. */
export class SafetyStartError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'SafetyStartError';
  }
}

export type OpenUrlSafety = UrlSafety & {
  /** Whether the provider is left alone now after failures. */
  readonly isProviderDown: () => boolean;
  readonly registerMetrics: (registry: Registry) => void;
  readonly close: () => Promise<void>;
};

type SafetyConfig = Pick<Config, Extract<keyof Config, `SAFETY_${string}`>>;
type OpenProvider = {
  readonly provider: SafetyProvider;
  readonly register?: (registry: Registry) => void;
};

/**
 * Returns the URL safety that the configuration asks for, null for `none`. Rejects with SafetyStartError when the blocklist
 * cannot be used. The caller closes it.
 */
export async function openUrlSafety(config: SafetyConfig, log: Logger): Promise<OpenUrlSafety | null> {
  const safetyLog = log.child({ component: 'url-safety' });
  const opened = await openProvider(config, safetyLog);
  if (opened === null) return null;
  const metrics = createSafetyMetrics();
  const { check, isProviderDown } = createUrlSafety({
    provider: opened.provider,
    failClosed: config.SAFETY_FAIL_CLOSED,
    limitMs: config.SAFETY_LIMIT_MS,
    log: safetyLog,
    observer: metrics,
    now: () => performance.now(),
  });
  return {
    check,
    isProviderDown,
    registerMetrics(registry) {
      metrics.register(registry);
      opened.register?.(registry);
    },
    close: () => opened.provider.close(),
  };
}

async function openProvider(config: SafetyConfig, log: Logger): Promise<OpenProvider | null> {
  const apiKey = config.SAFETY_API_KEY ?? '';
  switch (config.SAFETY_PROVIDER) {
    case 'none':
      return null;
    case 'blocklist':
      return openBlocklistProvider(config, log);
    case 'google-web-risk':
      return { provider: createWebRisk({ baseUrl: config.SAFETY_API_BASE_URL ?? WEB_RISK_URL, apiKey }) };
    case 'google-safe-browsing': {
      const baseUrl = config.SAFETY_API_BASE_URL ?? SAFE_BROWSING_URL;
      return { provider: createSafeBrowsing({ baseUrl, apiKey, now: () => performance.now() }) };
    }
    case 'http':
      return {
        provider: createHttpHook({
          url: config.SAFETY_HTTP_URL ?? '',
          token: config.SAFETY_HTTP_TOKEN ?? '',
        }),
      };
  }
}

async function openBlocklistProvider(config: SafetyConfig, log: Logger): Promise<OpenProvider> {
  const observer = createBlocklistMetrics();
  try {
    const provider = await openBlocklist({
      files: config.SAFETY_BLOCKLIST_FILES,
      reloadIntervalMs: config.SAFETY_BLOCKLIST_RELOAD_SECONDS * 1_000,
      log,
      observer,
    });
    return { provider, register: observer.register };
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    throw new SafetyStartError(`SAFETY_BLOCKLIST_FILES: ${reason}`, err);
  }
}
