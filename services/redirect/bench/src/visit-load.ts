import { percentile } from '@smartlink/bench/figures';
import { processTimeUs, systemTimeUs } from '@smartlink/bench/process-times';
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
  /** Processor time of the server's processes a visit, in µs; that of the engines is not in it. */
  readonly cpuUs: number;
  /** Of that, in the kernel. */
  readonly systemUs: number;
  /** Cores that the server's processes had: one that has a core for itself is full at 1, and below it the client is. */
  readonly coresUsed: number;
  readonly p50Us: number;
  readonly p99Us: number;
};

export type Loaded = {
  readonly url: string;
  /** The processes whose time is the cost of a visit, a primary too: what it does for its workers is a part of it. */
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

/** Puts a server under as much load as one thread of wrk makes. Rejects when a request fails, and on `signal`. */
export async function loadVisits(
  loaded: Loaded,
  { script, connections, seconds, clientCore, signal }: VisitLoadOptions,
): Promise<VisitLoad> {
  return measured(loaded, async () => {
    const options = { url: loaded.url, connections, seconds, script, signal, core: clientCore };
    const { requests, elapsedUs, p50Us, p99Us } = await runWrk(options);
    return { requests, elapsedUs, p50Us, p99Us };
  });
}

/** Puts a service under the load of visitEach, for what wrk cannot ask; its rate is that of the client. */
export async function loadEach(loaded: Loaded, options: Omit<VisitOptions, 'url'>): Promise<VisitLoad> {
  return measured(loaded, async () => {
    const startedAt = performance.now();
    const latenciesUs = await visitEach({ ...options, url: loaded.url });
    const elapsedUs = (performance.now() - startedAt) * 1_000;
    return {
      requests: latenciesUs.length,
      elapsedUs,
      p50Us: percentile(latenciesUs, 0.5),
      p99Us: percentile(latenciesUs, 0.99),
    };
  });
}

type ClientFigures = Pick<VisitLoad, 'requests' | 'p50Us' | 'p99Us'> & {
  /** In which there was load: wrk reads its script before that. */
  readonly elapsedUs: number;
};

async function measured({ pids }: Loaded, load: () => Promise<ClientFigures>): Promise<VisitLoad> {
  const sum = (timeOf: (pid: number) => number) => pids().reduce((total, pid) => total + timeOf(pid), 0);
  const used = () => ({ allUs: sum(processTimeUs), systemUs: sum(systemTimeUs) });
  const before = used();
  const { requests, elapsedUs, p50Us, p99Us } = await load();
  const after = used();
  const allUs = after.allUs - before.allUs;
  return {
    ...{ requests, p50Us, p99Us },
    perSecond: (requests * 1e6) / elapsedUs,
    cpuUs: allUs / requests,
    systemUs: (after.systemUs - before.systemUs) / requests,
    coresUsed: allUs / elapsedUs,
  };
}
