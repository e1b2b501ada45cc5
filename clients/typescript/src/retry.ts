import type { SmartlinkError } from './errors.js';

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;
// Spreads callers that were limited at the same time.
const RETRY_AFTER_SPREAD_MS = 500;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/**
 * Milliseconds to wait before the request is sent again; null when it must not be. `attempt` is 1 after the first request.
 *
 * After 429 any request may be sent again, because the service did nothing. After other temporary failures (no answer,
 * 5xx) the outcome is unknown, so only a request that `isRepeatable` is: one that changes nothing, or takes effect only
 * once. Retry-After is honoured; without it the wait is random up to a bound that doubles with each attempt (full jitter).
 */
export function waitBeforeRetryMs(
  error: SmartlinkError,
  attempt: number,
  isRepeatable: boolean,
  random: () => number,
): number | null {
  const isLimited = 'status' in error && error.status === 429;
  if (!isLimited && !(isRepeatable && isTemporary(error))) return null;
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
  if (retryAfterMs !== null) return retryAfterMs + random() * RETRY_AFTER_SPREAD_MS;
  return random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
}

function isTemporary(error: SmartlinkError): boolean {
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  return 'status' in error && error.status >= 500;
}

/** Milliseconds of a Retry-After (RFC 9110, 10.2.3), at most a day; 0 for a date in the past, null when invalid. */
export function parseRetryAfterMs(value: string | null, wallClockMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_SECONDS_MAX) * 1_000;
  if (!/^[A-Z][a-z]+, .*GMT$/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(0, at - wallClockMs), RETRY_AFTER_SECONDS_MAX * 1_000);
}
