const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** What is waited after each failed attempt but the last: 23 h 43 min together. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
] as const;

/** Attempts end so long after the first. */
export const RETRIES_END_MS = 24 * HOUR_MS;

// Each wait is up to a tenth shorter or longer, so that what failed together does not come back together.
const JITTER = 0.1;

export type FailedAttempt = {
  /** How many there have been, this one included. */
  readonly attempts: number;
  /** Since the first of them began. */
  readonly sinceFirstMs: number;
  /** What the receiver asked for; null when it asked for nothing. */
  readonly retryAfterMs: number | null;
};

/**
 * Returns the milliseconds until the next attempt, or null when that was the last. A receiver can make it wait longer
 * than the schedule has it, but for no attempt beyond the end. `random` is from 0 to 1.
 */
export function nextDelayMs(failed: FailedAttempt, random: number): number | null {
  const leftMs = RETRIES_END_MS - failed.sinceFirstMs;
  const delayMs = RETRY_DELAYS_MS[failed.attempts - 1];
  if (delayMs === undefined || leftMs <= 0) return null;
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.min(Math.max(jittered, failed.retryAfterMs ?? 0), leftMs));
}

/** Returns what a Retry-After header asks for, in milliseconds (RFC 9110, 10.2.3); null for none that can be read. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const atMs = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
