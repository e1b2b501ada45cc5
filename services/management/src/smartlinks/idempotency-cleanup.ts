import type { Pool } from 'pg';
import type { Logger } from '@smartlink/process/logger';
import { removeExpired } from './idempotency-queries.js';

const INTERVAL_MS = 60_000;
const BATCH_MAX = 1_000;

/** Removes expired idempotency keys, at most 1,000 a minute a process. Returns what stops it. */
export function startIdempotencyCleanup(pg: Pool, log: Logger): () => void {
  const timer = setInterval(() => {
    removeExpired(pg, BATCH_MAX).catch((err: unknown) => {
      log.warn({ err }, 'expired idempotency keys could not be removed');
    });
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
