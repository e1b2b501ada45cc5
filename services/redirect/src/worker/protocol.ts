import type { DomainChanges } from '../http/served-host.js';
import type { CounterReport } from '../metrics/metric-definitions.js';

/** From a worker to its primary. */
export type WorkerMessage =
  | { readonly kind: 'listening' }
  /** It can serve: Redis or Postgres has answered once. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'report'; readonly counters: CounterReport; readonly gauges: CounterReport };

/**
 * From the primary to a worker. `stop`: stop listening, finish, close the recorder, exit. `drain`: the same, but after
 * visitors have had time to leave, since the successor already listens. `domains`: at its start the table of custom domains, or null
 * while none is known; then its changes.
 */
export type PrimaryMessage =
  | { readonly kind: 'stop' | 'drain' }
  | { readonly kind: 'domains'; readonly changes: DomainChanges | null };

// How long a worker may take to end, and how long its primary waits before it kills the worker, which loses events.

/** For visitors to leave: uWebSockets.js closes an idle connection within 12 s (10 s in steps of 4). */
export const WORKER_DRAIN_MS = 14_000;
/** For requests in progress, then events. */
export const WORKER_SHUTDOWN_MS = 4_500;
/** For an idle process to exit. */
const EXIT_MS = 500;

export const WORKER_STOP_KILL_MS = WORKER_SHUTDOWN_MS + EXIT_MS;
export const WORKER_DRAIN_KILL_MS = WORKER_DRAIN_MS + WORKER_STOP_KILL_MS;
