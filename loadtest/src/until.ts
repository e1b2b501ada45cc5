/**
 * Calls `look` every `everyMs` until it returns something other than null, and returns that; null when `limitMs` is over.
 * Rejects when `look` or `signal` does.
 */
export async function until<Found>(
  look: () => Promise<Found | null>,
  { limitMs, everyMs, signal }: { limitMs: number; everyMs: number; signal: AbortSignal },
): Promise<Found | null> {
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const found = await look();
    if (found !== null) return found;
    if (performance.now() - startedAt > limitMs) return null;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
