import { setMaxListeners } from 'node:events';
import { ProviderError } from './safety-provider.js';

/** How many questions of one document are under way at once. */
const CONCURRENCY = 8;

/**
 * Asks about each batch, eight at a time, and returns all that `ask` calls unsafe. With the first question that fails
 * the others are given up, and it rejects with a ProviderError that tells what was found until then.
 */
export async function askInBatches<T>(
  batches: readonly T[],
  signal: AbortSignal,
  ask: (batch: T, signal: AbortSignal) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const unsafe = new Set<string>();
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  // Two for each question that is under way; Node warns of more than ten, and should still warn of a leak.
  setMaxListeners(4 * CONCURRENCY, either);
  let next = 0;
  let answers = 0;
  const askOn = async (): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      either.throwIfAborted();
      for (const url of await ask(batch, either)) unsafe.add(url);
      answers += 1;
    }
  };
  const failures: unknown[] = [];
  const asking = Array.from({ length: Math.min(CONCURRENCY, batches.length) }, () =>
    askOn().catch((err: unknown) => {
      failures.push(signal.aborted ? signal.reason : err);
      failure.abort();
    }),
  );
  await Promise.all(asking);
  if (failures.length === 0) return unsafe;
  // The others were given up because of the first.
  const [cause] = failures;
  throw new ProviderError(cause instanceof Error ? cause.message : 'the question failed', {
    unsafe,
    isProviderUp: answers > 0 || (cause instanceof ProviderError && cause.isProviderUp),
    cause,
  });
}

/** Returns `items` in runs of at most `size`. */
export function batchesOf<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let i = 0; i < items.length; i += size) batches.push(items.slice(i, i + size));
  return batches;
}
