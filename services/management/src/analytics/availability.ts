import { ApiError } from '../errors.js';

/** Longest wait for an analytics answer, in ms (decisions.md, Analytics); totals in lists wait far less. */
export const ANALYTICS_TIMEOUT_MS = 5_000;

/** Returns what ClickHouse answers, or rejects with SERVICE_UNAVAILABLE: better no figures than zeros. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (err) {
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: err });
  }
}

/** Returns how many ms are left of `limitMs` at each call, at least one. */
export function startLimit(limitMs: number): () => number {
  const endsAt = performance.now() + limitMs;
  return () => Math.max(1, Math.ceil(endsAt - performance.now()));
}
