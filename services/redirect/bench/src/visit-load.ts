import { percentile } from '@smartlink/bench/figures';
import { processTimeUs } from '@smartlink/bench/process-times';
import { runWrk } from '@smartlink/bench/wrk';
import { visitEach } from './visit-client.js';
import type { VisitOptions } from './visit-client.js';

/** As browsers behind a balancer: enough that a server always has something to do. */
export const CONNECTIONS = 64;

/**
 * A process asks Postgres once in 20 ms for all who wait, so how many wait is how many are answered: with so many a
 * query brings some hundred links.
 */
export const WIDE = 512;

/** What one phase of visits over some connections came to; each waits for its answer before the next. */
export type VisitLoad = {
  readonly requests: number;
  readonly perSecond: number;
  /** Processor time of the service's processes a visit, in µs; that of the engines is not in it. */
  readonly cpuUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
};

export type Loaded = {
  readonly url: string;
  /** The processes whose time is the cost of a visit. */
  readonly pids: () => readonly number[];
};

export type VisitLoadOptions = {
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
  /** Where the client may run; null: anywhere. */
  readonly clientCore: string | null;
  readonly signal: AbortSignal;
};

/** Puts a service under load with wrk. Rejects when a request fails, and on `signal`. */
export async function loadVisits(
  loaded: Loaded,
  { script, connections, seconds, clientCore, signal }: VisitLoadOptions,
): Promise<VisitLoad> {
  return measured(loaded, async () => {
    const options = { url: loaded.url, connections, seconds, script, signal, core: clientCore };
    const { requests, elapsedUs, p50Us, p99Us } = await runWrk(options);
    return { requests, perSecond: (requests * 1e6) / elapsedUs, p50Us, p99Us };
  });
}

/** Puts a service under the load of visitEach, for what wrk cannot ask; its rate is that of the client. */
export async function loadEach(loaded: Loaded, options: Omit<VisitOptions, 'url'>): Promise<VisitLoad> {
  return measured(loaded, async () => {
    const startedAt = performance.now();
    const latenciesUs = await visitEach({ ...options, url: loaded.url });
    const elapsedMs = performance.now() - startedAt;
    return {
      requests: latenciesUs.length,
      perSecond: (latenciesUs.length * 1_000) / elapsedMs,
      p50Us: percentile(latenciesUs, 0.5),
      p99Us: percentile(latenciesUs, 0.99),
    };
  });
}

async function measured({ pids }: Loaded, load: () => Promise<Omit<VisitLoad, 'cpuUs'>>): Promise<VisitLoad> {
  const usedUs = () => pids().reduce((sum, pid) => sum + processTimeUs(pid), 0);
  const before = usedUs();
  const figures = await load();
  return { ...figures, cpuUs: (usedUs() - before) / figures.requests };
}
