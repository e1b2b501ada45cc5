import { setTimeout as sleep } from 'node:timers/promises';
import { comparePairs, percentile } from '@smartlink/bench/figures';
import type { Comparison, Phase } from '@smartlink/bench/figures';
import { runLoad } from '@smartlink/bench/load';
import type { LoadRequest } from '@smartlink/bench/load';
import type { ServerProcess } from '@smartlink/bench/server-process';
import type { Answer } from './bare-server.js';
import type { Scenario } from './scenarios.js';
import type { Sizes } from './sizes.js';

export type Target = { readonly server: ServerProcess; readonly scenario: Scenario };

/** A target, and how long a phase of load on it is. */
export type Side = Target & { readonly seconds: number };

/** null: the service does not take this type of smartlink. */
export type Captured = Answer | null;

export type MeasureOptions = {
  readonly sizes: Sizes;
  readonly signal: AbortSignal;
  /** Called after each phase of load. */
  readonly onPhase: () => void;
};

// Headers that belong to one connection or that Fastify writes for itself.
const UNCAPTURED_HEADERS = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-length',
  'transfer-encoding',
]);

// Between two phases, for what the one before has set going (publishing, key look-ups) to end.
const PAUSE_MS = 100;

/** Returns how many phases a comparison has. */
export const phaseCount = (sizes: Sizes) => 2 + 2 * sizes.pairs;

/**
 * Puts two servers under the same kind of load in turns, never both at once. A warm-up of each says
 * how many requests a phase of its length is; all of them are answered before the phase ends.
 */
export async function compare(a: Side, b: Side, options: MeasureOptions): Promise<Comparison> {
  const { sizes, onPhase } = options;
  let round = 0;
  const requestsPerPhase = async (side: Side): Promise<number> => {
    const perSecond = await warmUp(side, sizes.warmUpSeconds, options.signal);
    onPhase();
    return phaseRequests(side, perSecond, side.seconds);
  };
  const requests = { a: await requestsPerPhase(a), b: await requestsPerPhase(b) };
  const pairs: [Phase, Phase][] = [];
  for (let pair = 0; pair < sizes.pairs; pair += 1) {
    const ofA = await runPhase(a, requests.a, round++, options.signal);
    onPhase();
    const ofB = await runPhase(b, requests.b, round++, options.signal);
    onPhase();
    pairs.push([ofA, ofB]);
  }
  return comparePairs(pairs);
}

/**
 * Puts a server under load for about `seconds`, so that its code is compiled before figures are taken. Returns how many
 * requests it answers in a second.
 */
export async function warmUp(target: Target, seconds: number, signal: AbortSignal): Promise<number> {
  const first = await runPhase(target, phaseRequests(target, 0, seconds), -2, signal);
  const second = await runPhase(target, phaseRequests(target, first.perSecond, seconds), -1, signal);
  return second.perSecond;
}

function phaseRequests({ scenario }: Target, perSecond: number, seconds: number): number {
  return Math.max(2 * scenario.connections, Math.round(perSecond * seconds));
}

async function runPhase(
  { server, scenario }: Target,
  requests: number,
  round: number,
  signal: AbortSignal,
): Promise<Phase> {
  const before = await server.probe();
  const { latenciesMs, elapsedMs } = await runLoad({
    url: server.url,
    connections: scenario.connections,
    requestsOf: (connection) => scenario.requestsOf(connection, round),
    expectedStatus: scenario.expectedStatus,
    requests,
    signal,
  });
  await sleep(PAUSE_MS, undefined, { signal });
  const after = await server.probe();
  return {
    perSecond: (latenciesMs.length * 1000) / elapsedMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMs: (after.cpuMs - before.cpuMs) / latenciesMs.length,
  };
}

/**
 * Asks the service a scenario's first request, has the bare route answer the same, and looks that it does. Returns the
 * answer, or null for an optional scenario that the service refuses.
 */
export async function teachBareRoute(
  service: ServerProcess,
  bare: ServerProcess,
  scenario: Scenario,
): Promise<Captured> {
  const [request] = scenario.requestsOf(0, 0);
  if (request === undefined) throw new Error(`${scenario.name} has no request`);
  const answer = await send(service, request);
  if (answer.status === 400 && scenario.isOptional) return null;
  if (answer.status !== scenario.expectedStatus) {
    throw new Error(`${scenario.name}: the service answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
  await bare.ask({ answer });
  const copy = await send(bare, request);
  for (const part of ['status', 'body'] as const) {
    if (copy[part] !== answer[part]) throw new Error(`${scenario.name}: the bare route has another ${part}`);
  }
  if (copy.headers['content-type'] !== answer.headers['content-type']) {
    throw new Error(`${scenario.name}: the bare route has another content type`);
  }
  return answer;
}

async function send(server: ServerProcess, request: LoadRequest): Promise<Answer> {
  const { method, path, headers, body } = request;
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const kept = [...response.headers].filter(([name]) => !UNCAPTURED_HEADERS.has(name));
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
}
