import { createBreaker } from '@smartlink/link-resolver/breaker';
import type { Logger } from '@smartlink/process/logger';
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';
import { ProviderError } from './safety-provider.js';
import type { SafetyProvider } from './safety-provider.js';
import type { SafetyVerdict, UrlSafety } from './safety-verdict.js';

/** `skipped`: the breaker was open, nobody was asked. */
export type CheckOutcome = 'safe' | 'unsafe' | 'failed' | 'skipped';

export type SafetyObserver = {
  readonly onCheck: (outcome: CheckOutcome, durationMs: number) => void;
};

export type UrlSafetyOptions = {
  readonly provider: SafetyProvider;
  /** Whether URLs that nobody can judge are refused. */
  readonly failClosed: boolean;
  /** Longest time a check may take, all URLs of a document together. */
  readonly limitMs: number;
  readonly log: Logger;
  readonly observer: SafetyObserver;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
};

/**
 * Three checks in a row without any answer and the provider is left alone, but for one check every ten seconds, so that
 * while it is down creates wait for 1.5 s six times a minute and not each time.
 */
export const PROVIDER_BREAKER = { failuresMax: 3, pauseMs: 10_000 } as const;

/** Returns the check of documents' URLs by a provider, within a time limit and behind a breaker. */
export function createUrlSafety(options: UrlSafetyOptions): UrlSafety {
  const { provider, failClosed, log, observer, now } = options;
  const breaker = createBreaker({ ...PROVIDER_BREAKER, now });
  return {
    async check(urls, { limitMs = options.limitMs } = {}) {
      if (urls.length === 0) return { unsafe: [], isChecked: true };
      const startedAt = now();
      const tell = (outcome: CheckOutcome): void => {
        observer.onCheck(outcome, now() - startedAt);
      };
      if (!breaker.allows() && !breaker.takesProbe()) {
        tell('skipped');
        return unjudged();
      }
      try {
        const found = await findWithin(limitMs, urls);
        breaker.succeeded();
        const unsafe = urls.filter(({ url }) => found.has(url));
        tell(unsafe.length > 0 ? 'unsafe' : 'safe');
        return { unsafe, isChecked: true };
      } catch (err) {
        const known = err instanceof ProviderError ? err : null;
        if (known?.isProviderUp === true) breaker.succeeded();
        else breaker.failed();
        // The message alone: what comes with an error may hold the request.
        log.warn({ provider: provider.name, reason: messageOf(err) }, 'URLs could not be checked');
        const unsafe = urls.filter(({ url }) => known?.unsafe.has(url) === true);
        tell(unsafe.length > 0 ? 'unsafe' : 'failed');
        return unsafe.length > 0 ? { unsafe, isChecked: false } : unjudged();
      }
    },
  };

  async function findWithin(limitMs: number, urls: readonly DocumentUrl[]): Promise<ReadonlySet<string>> {
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort(new Error(`no answer within ${limitMs} ms`));
    }, limitMs);
    try {
      return await provider.findUnsafe([...new Set(urls.map(({ url }) => url))], limit.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  function unjudged(): SafetyVerdict {
    if (!failClosed) return { unsafe: [], isChecked: false };
    throw new ApiError('SERVICE_UNAVAILABLE', {
      message: 'URLs cannot be checked at the moment',
      headers: { 'retry-after': String(PROVIDER_BREAKER.pauseMs / 1_000) },
    });
  }
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
