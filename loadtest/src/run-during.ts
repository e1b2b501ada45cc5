import { setTimeout as sleep } from 'node:timers/promises';
import type { During, RunningLoad } from './during.js';

/** Runs a scenario's own part beside k6. Resolves when it has ended; rejects when it failed before the load was over. */
export async function runDuring(
  during: During | undefined,
  { signal, ...load }: Omit<RunningLoad, 'at'> & { signal: AbortSignal },
): Promise<void> {
  if (during === undefined) return;
  const startedAt = performance.now();
  const at = async (seconds: number) => {
    const leftMs = seconds * 1000 - (performance.now() - startedAt);
    await sleep(Math.max(0, leftMs), undefined, { signal });
  };
  try {
    await during({ ...load, at });
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}
