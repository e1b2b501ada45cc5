import type { ClickHouseClient } from '@clickhouse/client';
import { percentile } from '@smartlink/bench/figures';
import { runLoad } from '@smartlink/bench/load';
import type { LoadRequest } from '@smartlink/bench/load';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { readEngineCounters } from '../engine-counters.js';
import type { ApiCase } from './api-cases.js';

/** What one request takes over so many connections, each of which always has one under way. */
export type Latency = {
  readonly connections: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of ClickHouse, a request: statements that read, the time in them one by one, and rows read. */
  readonly selects: number;
  readonly selectMs: number;
  readonly rowsRead: number;
};

export type CaseFigures = {
  readonly title: string;
  readonly goalMs: number | null;
  /** Of the body, uncompressed. */
  readonly answerBytes: number;
  /** Of the first answer. */
  readonly status: number;
  /** By CONNECTIONS; null where not every request was answered with 200. */
  readonly latencies: readonly (Latency | null)[];
};

export const CONNECTIONS = [1, 4] as const;

const WARM_UP_REQUESTS = 5;
const WARM_UP_LIMIT_MS = 2_000;
const REQUESTS_MIN = 20;
/** Unless so many take longer than this. */
const REQUESTS_MIN_SECONDS = 12;
const REQUESTS_MAX = 500;
const ANSWER_LIMIT_MS = 30_000;

/** Measures one request over one connection and over four. Rejects on `signal`. */
export async function measureCase(
  { title, request, goalMs }: ApiCase,
  options: {
    readonly service: ServerProcess;
    readonly clickhouse: ClickHouseClient;
    readonly seconds: number;
    readonly signal: AbortSignal;
    readonly onPhase: () => void;
  },
): Promise<CaseFigures> {
  const { service, seconds, onPhase } = options;
  const first = await askOnce(service, request);
  const described = { title, goalMs, answerBytes: first.body.length, status: first.status };
  if (first.status !== 200) {
    for (const _ of CONNECTIONS) onPhase();
    return { ...described, latencies: CONNECTIONS.map(() => null) };
  }
  const perSecond = await warmUp(service, request);
  const requests = Math.round(
    Math.min(
      REQUESTS_MAX,
      Math.max(perSecond * seconds, Math.min(REQUESTS_MIN, 1 + perSecond * REQUESTS_MIN_SECONDS)),
    ),
  );
  const latencies: (Latency | null)[] = [];
  for (const connections of CONNECTIONS) {
    try {
      latencies.push(
        await measureLatency(request, {
          ...options,
          connections,
          requests: Math.max(requests, 2 * connections),
        }),
      );
    } catch {
      // Slow answers become refused ones when several are asked for at once; a run is not lost to that.
      options.signal.throwIfAborted();
      latencies.push(null);
    }
    onPhase();
  }
  return { ...described, latencies };
}

/** Returns how many requests are answered a second. */
async function warmUp(service: ServerProcess, request: LoadRequest): Promise<number> {
  const startedAt = performance.now();
  let requests = 0;
  while (requests < WARM_UP_REQUESTS && performance.now() < startedAt + WARM_UP_LIMIT_MS) {
    await askOnce(service, request);
    requests += 1;
  }
  return (requests * 1_000) / (performance.now() - startedAt);
}

async function measureLatency(
  request: LoadRequest,
  options: {
    readonly service: ServerProcess;
    readonly clickhouse: ClickHouseClient;
    readonly signal: AbortSignal;
    readonly connections: number;
    readonly requests: number;
  },
): Promise<Latency> {
  const { service, clickhouse, signal, connections, requests } = options;
  const before = await readEngineCounters(clickhouse);
  const { latenciesMs } = await runLoad({
    url: service.url,
    connections,
    requestsOf: () => [request],
    expectedStatus: 200,
    requests,
    signal,
  });
  const after = await readEngineCounters(clickhouse);
  return {
    connections,
    requests: latenciesMs.length,
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
    // The reading before is one of them.
    selects: (after.selects - before.selects - 1) / latenciesMs.length,
    selectMs: (after.selectMs - before.selectMs) / latenciesMs.length,
    rowsRead: (after.rowsRead - before.rowsRead) / latenciesMs.length,
  };
}

/** Asks the service once and returns the body. Rejects when it does not answer with 200. */
export async function askWell(service: ServerProcess, request: LoadRequest): Promise<string> {
  const { status, body } = await askOnce(service, request);
  if (status !== 200) throw new Error(`${request.path} was answered with ${status}: ${body.slice(0, 300)}`);
  return body;
}

async function askOnce(
  service: ServerProcess,
  { method, path, headers }: LoadRequest,
): Promise<{ status: number; body: string }> {
  const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const response = await fetch(`${service.url}${path}`, { method, headers, signal: limit });
  return { status: response.status, body: await response.text() };
}
