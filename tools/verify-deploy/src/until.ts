import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Asks until the answer is true. Rejects when `limitMs` is over first, saying what was waited for, and when `signal` aborts.
 * A function says it as it is by then.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (await isSoWithin(isSo, limitMs, signal)) return;
  throw new Error(`waited ${limitMs / 1_000} s in vain until ${typeof what === 'string' ? what : what()}`);
}

/** Asks until the answer is true; returns false when `limitMs` is over first. Rejects when `signal` aborts. */
export async function isSoWithin(
  isSo: () => boolean | Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS, undefined, { signal });
  }
  return true;
}
