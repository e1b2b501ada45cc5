import { randomUUID } from 'node:crypto';
import { findWithin } from './find-within.js';
import type { SafetyProvider } from './safety-provider.js';

/**
 * After three questions in a row that the provider has not answered we ask one of our own, and if that fails too nobody
 * asks it for ten seconds.
 */
export const PROVIDER_BREAKER = { failuresMax: 3, pauseMs: 10_000 } as const;

export type ProviderBreaker = {
  /** Whether somebody may ask. Waits while the provider is asked the question of our own. */
  readonly allows: () => Promise<boolean>;
  readonly isOpen: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
};

/**
 * Returns what spares creates the wait for a provider that is down. Whether it is down shows in a question of our own,
 * about a URL that is no user's: else a URL on which it fails or hangs, sent three times by one tenant, would switch
 * the check off for everybody. Such a question is asked after three failures in a row and then every ten seconds that
 * somebody wants to ask, one at a time, for `limitMs` at most. A local provider is never asked one: it is never down.
 */
export function createProviderBreaker(options: {
  readonly provider: SafetyProvider;
  readonly limitMs: number;
  readonly now: () => number;
}): ProviderBreaker {
  const { provider, limitMs, now } = options;
  let failures = 0;
  let isOpen = false;
  let probeDueAt = 0;
  let probe: Promise<void> | null = null;

  async function askOwn(): Promise<void> {
    try {
      await findWithin(provider, [ownUrl()], limitMs);
      isOpen = false;
    } catch {
      isOpen = true;
    }
    failures = 0;
    probeDueAt = now() + PROVIDER_BREAKER.pauseMs;
    probe = null;
  }

  return {
    async allows() {
      if (isOpen && now() >= probeDueAt) probe ??= askOwn();
      await probe;
      return !isOpen;
    },
    isOpen: () => isOpen,
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      const isDoubtful = failures >= PROVIDER_BREAKER.failuresMax && !isOpen && provider.isLocal !== true;
      if (isDoubtful) probe ??= askOwn();
    },
  };
}

/** Another one each time, so that no answer kept from before stands for the provider. IANA keeps example.com for such use. */
function ownUrl(): string {
  return `https://example.com/?${randomUUID()}`;
}
