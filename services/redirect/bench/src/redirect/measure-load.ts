import { processTimeUs, systemTimeUs } from '@smartlink/bench/process-times';
import { runWrk } from '@smartlink/bench/wrk';
import { CONNECTIONS } from '../visit-load.js';
import type { Target } from './servers.js';

/** What one phase of as much load as the client can make came to. */
export type LoadFigures = {
  readonly requests: number;
  readonly perSecond: number;
  /** Processor time of the server's processes a request, in µs. */
  readonly cpuUs: number;
  /** Of that, in the kernel. */
  readonly systemUs: number;
  /** Of one core, by the server's processes: at 1 it is the server that is full, below it the client. */
  readonly coreShare: number;
};

export type LoadOptions = {
  readonly script: string;
  readonly seconds: number;
  /** Where the client may run; null: anywhere. */
  readonly clientCore: string | null;
  readonly signal: AbortSignal;
};

/** Puts a server under as much load as one client thread makes. Rejects when a request fails, and on `signal`. */
export async function measureLoad(
  target: Target,
  { script, seconds, clientCore, signal }: LoadOptions,
): Promise<LoadFigures> {
  const before = usage(target);
  const startedAt = performance.now();
  const { requests, elapsedUs } = await runWrk({
    url: target.url,
    connections: CONNECTIONS,
    seconds,
    script,
    core: clientCore,
    signal,
  });
  const after = usage(target);
  const wallUs = (performance.now() - startedAt) * 1_000;
  const cpuUs = after.total - before.total;
  return {
    requests,
    perSecond: (requests * 1e6) / elapsedUs,
    cpuUs: cpuUs / requests,
    systemUs: (after.system - before.system) / requests,
    // Of the time in which there was load: wrk reads its script before that.
    coreShare: cpuUs / Math.min(wallUs, elapsedUs),
  };
}

function usage(target: Target): { total: number; system: number } {
  const pids = target.pids();
  const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
  return { total: sum(processTimeUs), system: sum(systemTimeUs) };
}
