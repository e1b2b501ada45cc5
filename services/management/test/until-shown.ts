import { expect } from 'vitest';

/**
 * Waits until `read` returns what is `expected`, and tells the difference when it never does. For totals in lists and
 * fetches: while ClickHouse takes longer than a second, those show the last known ones.
 */
export async function untilShown(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect.poll(read, { timeout: 30_000, interval: 20 }).toEqual(expected);
}
