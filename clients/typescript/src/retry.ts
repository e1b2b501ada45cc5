import type { SmartlinkError } from './errors.js';

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;
// Callers that were refused together must not come back together.
const RETRY_AFTER_SPREAD_MS = 500;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/**
 * Returns how many milliseconds to wait before the request is sent again; null when it must not be.
 *
 * With 429 nothing was done, so anything may be sent again. After every other failure that may pass (no answer, 5xx) the
 * request may have been carried out, so only a `isRepeatable` one is: one that changes nothing, or that the service
 * carries out once however often it comes. Retry-After is honoured; without it the wait is anything up to a bound that
 * doubles with each attempt (full jitter). `attempt` is 1 after the first request.
 */
export function waitBeforeRetryMs(
  error: SmartlinkError,
  attempt: number,
  isRepeatable: boolean,
  random: () => number,
): number | null {
  const isLimited = 'status' in error && error.status === 429;
  if (!isLimited && !(isRepeatable && mayPass(error))) return null;
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
  if (retryAfterMs !== null) return retryAfterMs + random() * RETRY_AFTER_SPREAD_MS;
  return random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
}

function mayPass(error: SmartlinkError): boolean {
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  return 'status' in error && error.status >= 500;
}

/**
 * Returns the milliseconds that a Retry-After says (RFC 9110, 10.2.3: seconds, or a date), a day at most; null for
 * anything else. A date that is past is 0.
 */
export function parseRetryAfterMs(value: string | null, wallClockMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_SECONDS_MAX) * 1_000;
  if (!/^[A-Z][a-z]+, .*GMT$/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(0, at - wallClockMs), RETRY_AFTER_SECONDS_MAX * 1_000);
}
