import { randomUUID } from 'node:crypto';
import { failureMessage } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import type { DocumentUrl } from '@smartlink/smartlink/model';
import { ApiError } from '../errors.js';
import { ProviderError, type SafetyProvider } from './provider.js';

export type SafetyVerdict = {
  readonly unsafe: readonly DocumentUrl[];
  /** False when some or all URLs are unjudged; they are judged later. */
  readonly isChecked: boolean;
  /** The provider is known to be down, so asking about other URLs is pointless for now. */
  readonly isProviderDown?: boolean;
};

type CheckOptions = {
  /** Time limit in ms, instead of the configured one, where no client waits. */
  readonly limitMs?: number;
  /** False for callers that retry later: unjudged URLs are then never refused. */
  readonly failClosed?: boolean;
};

export type UrlSafety = {
  /** Rejects with SERVICE_UNAVAILABLE when the provider cannot be asked and SAFETY_FAIL_CLOSED is set. */
  readonly check: (urls: readonly DocumentUrl[], options?: CheckOptions) => Promise<SafetyVerdict>;
  /** As that of the provider. */
  readonly listVersion?: () => number;
  /** Whether the breaker is open. */
  readonly isProviderDown?: () => boolean;
};

/** `skipped`: the breaker was open. */
export type CheckOutcome = 'safe' | 'unsafe' | 'failed' | 'skipped';

export type SafetyObserver = {
  readonly onCheck: (outcome: CheckOutcome, durationMs: number) => void;
};

type UrlSafetyOptions = {
  readonly provider: SafetyProvider;
  /** Whether URLs that cannot be judged are refused. */
  readonly failClosed: boolean;
  /** Time limit of a check, all URLs of a document together, in ms; a local provider has none. */
  readonly limitMs: number;
  readonly log: Logger;
  readonly observer: SafetyObserver;
  /** Monotonic clock in ms. */
  readonly now: () => number;
};

/** Checks URLs of documents with a provider, within a time limit and behind a breaker. */
export function createUrlSafety(
  options: UrlSafetyOptions,
): UrlSafety & { readonly isProviderDown: () => boolean } {
  const { provider, log, observer, now } = options;
  const breaker = createProviderBreaker(options);
  return {
    isProviderDown: breaker.isOpen,
    ...(provider.listVersion === undefined ? {} : { listVersion: provider.listVersion }),
    async check(urls, { limitMs = options.limitMs, failClosed = options.failClosed }: CheckOptions = {}) {
      if (urls.length === 0) return { unsafe: [], isChecked: true };
      const startedAt = now();
      const report = (outcome: CheckOutcome): void => {
        observer.onCheck(outcome, now() - startedAt);
      };
      if (!(await breaker.allows())) {
        report('skipped');
        return unjudged(failClosed, true);
      }
      try {
        const distinct = [...new Set(urls.map(({ url }) => url))];
        const found = await findWithin(provider, distinct, Math.max(1, limitMs - (now() - startedAt)));
        breaker.succeeded();
        const unsafe = urls.filter(({ url }) => found.has(url));
        report(unsafe.length > 0 ? 'unsafe' : 'safe');
        return { unsafe, isChecked: true };
      } catch (err) {
        const known = err instanceof ProviderError ? err : null;
        if (known?.isProviderUp === true) breaker.succeeded();
        else breaker.failed();
        // Only the message: the other members of an error may hold the request.
        log.warn({ provider: provider.name, reason: failureMessage(err) }, 'URLs cannot be checked');
        const unsafe = urls.filter(({ url }) => known?.unsafe.has(url) === true);
        report(unsafe.length > 0 ? 'unsafe' : 'failed');
        return unsafe.length > 0 ? { unsafe, isChecked: false } : unjudged(failClosed, false);
      }
    },
  };
}

export function cannotBeChecked(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'URLs cannot be checked at the moment',
    headers: { 'retry-after': String(PROVIDER_BREAKER.pauseMs / 1_000) },
  });
}

function unjudged(failClosed: boolean, isProviderDown: boolean): SafetyVerdict {
  if (failClosed) throw cannotBeChecked();
  return { unsafe: [], isChecked: false, ...(isProviderDown ? { isProviderDown } : {}) };
}

/** Consecutive failures before the probe, and the pause between probes of a provider that is down. */
export const PROVIDER_BREAKER = { failuresMax: 3, pauseMs: 10_000 } as const;

/**
 * A circuit breaker that opens only when a probe fails, a check of a URL of the service's own. Otherwise a URL on which
 * the provider fails or hangs, sent three times by one tenant, would switch the check off for everyone. After
 * `failuresMax` consecutive failures, and every `pauseMs` while it is open, one probe runs for at most `limitMs`. A local
 * provider is never probed.
 */
function createProviderBreaker({ provider, limitMs, now }: UrlSafetyOptions) {
  let failures = 0;
  let isOpen = false;
  let probeDueAt = 0;
  let probe: Promise<void> | null = null;

  async function runProbe(): Promise<void> {
    try {
      await findWithin(provider, [probeUrl()], limitMs);
      isOpen = false;
    } catch {
      isOpen = true;
    }
    failures = 0;
    probeDueAt = now() + PROVIDER_BREAKER.pauseMs;
    probe = null;
  }

  return {
    /** Waits for a probe in progress. */
    async allows(): Promise<boolean> {
      if (isOpen && now() >= probeDueAt) probe ??= runProbe();
      await probe;
      return !isOpen;
    },
    isOpen: (): boolean => isOpen,
    succeeded(): void {
      failures = 0;
    },
    failed(): void {
      failures += 1;
      const isDoubtful = failures >= PROVIDER_BREAKER.failuresMax && !isOpen && provider.isLocal !== true;
      if (isDoubtful) probe ??= runProbe();
    },
  };
}

/** A new URL each time, so that no cached answer hides an outage. IANA reserves example.com for such use. */
function probeUrl(): string {
  return `https://example.com/?${randomUUID()}`;
}

/** Rejects after `limitMs`, unless the provider is local. */
async function findWithin(
  provider: SafetyProvider,
  urls: readonly string[],
  limitMs: number,
): Promise<ReadonlySet<string>> {
  const limit = new AbortController();
  if (provider.isLocal === true) return provider.findUnsafe(urls, limit.signal);
  const timer = setTimeout(() => {
    limit.abort(new Error(`no answer within ${Math.round(limitMs)} ms`));
  }, limitMs);
  try {
    return await provider.findUnsafe(urls, limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
