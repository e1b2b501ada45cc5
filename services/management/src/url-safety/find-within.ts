import type { SafetyProvider } from './safety-provider.js';

/**
 * Returns what `provider` finds unsafe among `urls`, each once. Rejects as it does, and after `limitMs` unless it is a
 * local one.
 */
export async function findWithin(
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
