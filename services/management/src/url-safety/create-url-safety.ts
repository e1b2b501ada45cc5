import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import { ApiError } from '../errors.js';
import { findWithin } from './find-within.js';
import { PROVIDER_BREAKER, createProviderBreaker } from './provider-breaker.js';
import { ProviderError } from './safety-provider.js';
import type { SafetyProvider } from './safety-provider.js';
import type { CheckOptions, SafetyVerdict, UrlSafety } from './safety-verdict.js';

/** `skipped`: the breaker was open, nobody was asked. */
export type CheckOutcome = 'safe' | 'unsafe' | 'failed' | 'skipped';

export type SafetyObserver = {
  readonly onCheck: (outcome: CheckOutcome, durationMs: number) => void;
};

export type UrlSafetyOptions = {
  readonly provider: SafetyProvider;
  /** Whether URLs that nobody can judge are refused. */
  readonly failClosed: boolean;
  /** Longest time a check may take, all URLs of a document together; a local provider has none. */
  readonly limitMs: number;
  readonly log: Logger;
  readonly observer: SafetyObserver;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
};

/** Returns the check of documents' URLs by a provider; one that asks others has a time limit and a breaker. */
export function createUrlSafety(
  options: UrlSafetyOptions,
): UrlSafety & { readonly isProviderDown: () => boolean } {
  const { provider, log, observer, now } = options;
  const breaker = createProviderBreaker({ provider, limitMs: options.limitMs, now });
  return {
    isProviderDown: breaker.isOpen,
    async check(urls, { limitMs = options.limitMs, failClosed = options.failClosed }: CheckOptions = {}) {
      if (urls.length === 0) return { unsafe: [], isChecked: true };
      const startedAt = now();
      const tell = (outcome: CheckOutcome): void => {
        observer.onCheck(outcome, now() - startedAt);
      };
      if (!(await breaker.allows())) {
        tell('skipped');
        return unjudged(failClosed, true);
      }
      try {
        const distinct = [...new Set(urls.map(({ url }) => url))];
        const found = await findWithin(provider, distinct, Math.max(1, limitMs - (now() - startedAt)));
        breaker.succeeded();
        const unsafe = urls.filter(({ url }) => found.has(url));
        tell(unsafe.length > 0 ? 'unsafe' : 'safe');
        return { unsafe, isChecked: true };
      } catch (err) {
        const known = err instanceof ProviderError ? err : null;
        if (known?.isProviderUp === true) breaker.succeeded();
        else breaker.failed();
        // The message alone: what comes with an error may hold the request.
        log.warn({ provider: provider.name, reason: failureMessage(err) }, 'URLs could not be checked');
        const unsafe = urls.filter(({ url }) => known?.unsafe.has(url) === true);
        tell(unsafe.length > 0 ? 'unsafe' : 'failed');
        return unsafe.length > 0 ? { unsafe, isChecked: false } : unjudged(failClosed, false);
      }
    },
  };
}

/** Returns the refusal of a request whose URLs nobody can judge now. */
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
