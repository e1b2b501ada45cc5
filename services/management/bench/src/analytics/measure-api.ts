import type { ClickHouseClient } from '@clickhouse/client';
import { readEngineCounters } from '../engine-counters.js';
import { percentile } from '../figures.js';
import { runLoad } from '../load.js';
import type { LoadRequest } from '../load.js';
import type { ServerProcess } from '../server-process.js';
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
  /** Empty when the service does not answer with 200. */
  readonly latencies: readonly Latency[];
  readonly status: number;
};

export const CONNECTIONS = [1, 4] as const;

const WARM_UP_REQUESTS = 5;
const REQUESTS_MIN = 20;
const REQUESTS_MAX = 500;
const ANSWER_LIMIT_MS = 30_000;

/** Measures one request over one connection and over four. */
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
    return { ...described, latencies: [] };
  }
  const startedAt = performance.now();
  for (let i = 0; i < WARM_UP_REQUESTS; i += 1) await askOnce(service, request);
  const perSecond = (WARM_UP_REQUESTS * 1_000) / (performance.now() - startedAt);
  const requests = Math.min(REQUESTS_MAX, Math.max(REQUESTS_MIN, Math.round(perSecond * seconds)));
  const latencies: Latency[] = [];
  for (const connections of CONNECTIONS) {
    latencies.push(await measureLatency(request, { ...options, connections, requests }));
    onPhase();
  }
  return { ...described, latencies };
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
