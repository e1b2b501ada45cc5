import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { percentile } from '@smartlink/bench/figures';
import type { Usage } from '@smartlink/bench/probe';
import { createProbe, findListening, type Place, startProgram } from '@smartlink/bench/processes';

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export function apiRequest(
  apiKey: string,
  path: string,
  write?: { readonly method: 'POST' | 'PATCH'; readonly body: object },
): ApiRequest {
  const authorization = `Bearer ${apiKey}`;
  const request = { method: 'GET', path: `/api/v1${path}`, headers: { authorization } } as const;
  if (write === undefined) return request;
  const headers = { authorization, 'content-type': 'application/json' };
  return { ...request, headers, method: write.method, body: JSON.stringify(write.body) };
}

/** The management service under measurement. */
export type Service = {
  readonly url: string;
  readonly usage: (when?: 'after collection') => Promise<Usage>;
};

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Does `work` with a management service on the core for servers. */
export async function withService<Result>(
  place: Place,
  env: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const probe = createProbe(place);
  const command = [process.execPath, ...probe.nodeArgs, PROGRAM];
  const options = { name: 'management', command, env: { ...place.stack.serviceEnv, ...env } };
  const { pid, ready, stop } = await startProgram(place, options, findListening);
  const usage: Service['usage'] = (when) => probe.ask(pid, when ? 'usage after collection' : 'usage');
  try {
    return await work({ url: ready, usage });
  } finally {
    await stop();
  }
}

export type LoadOptions = {
  readonly connections: number;
  readonly expectedStatus: number;
  /** What each connection sends, one after another and again from the start; `connection` counts from 0. */
  readonly requestsOf: (connection: number) => readonly ApiRequest[];
  /** Number of requests, over all connections. */
  readonly requests: number;
  readonly signal: AbortSignal;
};

/** One phase of load; `cpuMs` of the service for a request. */
export type ApiLoad = Readonly<Record<'perSecond' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'cpuMs', number>>;

// autocannon checks at this interval whether it is done; its own figures, which are per interval, are not used.
const CHECK_INTERVAL_MS = 20;
const LOAD_LIMIT_MS = 180_000;

/**
 * Sends requests over `connections` connections, each waiting for its answer before the next. Rejects when an answer has
 * another status than the expected one, when a connection breaks, when it takes over 3 minutes, or on `signal`.
 */
export async function loadApi(service: Service, options: LoadOptions): Promise<ApiLoad> {
  const { connections, expectedStatus, requests, signal } = options;
  signal.throwIfAborted();
  const before = await service.usage();
  let connection = 0;
  const latenciesMs: number[] = [];
  const faults = new Set<string>();
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  const stopping = AbortSignal.any([signal, AbortSignal.timeout(LOAD_LIMIT_MS)]);
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        ...{ url: service.url, connections, sampleInt: CHECK_INTERVAL_MS, amount: requests },
        setupClient: (client) => {
          // Copies: autocannon writes into what it is given.
          client.setRequests(options.requestsOf(connection++).map((request) => ({ ...request })));
        },
      },
      (err: unknown) => {
        stopping.removeEventListener('abort', stop);
        if (err) reject(err instanceof Error ? err : new Error('The load could not be made'));
        else resolve();
      },
    );
    const stop = () => {
      faults.add('took too long');
      instance.stop();
    };
    stopping.addEventListener('abort', stop);
    instance.on('response', (_client, status, _bytes, responseTimeMs) => {
      latenciesMs.push(responseTimeMs);
      lastAnswerAt = performance.now();
      if (status !== expectedStatus) faults.add(`answered ${status}`);
    });
    instance.on('reqError', (err: unknown) => faults.add(err instanceof Error ? err.message : 'broke off'));
  });
  signal.throwIfAborted();
  if (faults.size > 0 || latenciesMs.length === 0)
    throw new Error(`Some of ${latenciesMs.length} requests failed: ${[...faults].join(', ')}`);
  const after = await service.usage();
  return {
    perSecond: (latenciesMs.length * 1000) / (lastAnswerAt - startedAt),
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMs: (after.cpuMs - before.cpuMs) / latenciesMs.length,
  };
}
