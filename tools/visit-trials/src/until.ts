/**
 * Calls `look` until it returns something other than null and returns that. Throws when `limitMs` is over, naming what
 * was waited for.
 */
export async function until<Found>(
  what: string,
  limitMs: number,
  look: () => Promise<Found | null>,
): Promise<Found> {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() - startedAt > limitMs)
      throw new Error(`${what}: not seen within ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
