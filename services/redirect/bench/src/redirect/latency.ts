import path from 'node:path';
import { spread } from '@smartlink/bench/figures';
import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { runOpenLoop, writeRequests } from '../open-loop.js';
import type { OpenLoopFigures } from '../open-loop.js';
import type { VisitLoad } from '../visit-load.js';
import { visitLines } from '../visit-requests.js';
import type { Bench } from './bench.js';
import type { Contender, LatencyFigures, Rounds } from './findings.js';
import type { Target } from './servers.js';

/** At more, the client's own core is full and it measures itself. */
const CLIENT_PER_SECOND_MAX = 45_000;

const MEASURED: readonly Contender[] = ['bare', 'same bytes', 'nginx', 'service', 'against'];

/**
 * Measures how long visits take at half of what the bare handler, and at half of what our service answers under full
 * load: as `ceiling` says, or else as one short load shows. Rejects when a visit stays unanswered.
 */
export async function measureLatency(
  bench: Bench,
  ceiling: Rounds<VisitLoad> | null,
): Promise<LatencyFigures> {
  const { servers, mixes, options, signal } = bench;
  const { rounds, seconds, latencyConnections: connections } = options.sizes;
  const [few] = mixes;
  if (few === undefined) throw new Error('There are no visits');
  const targets = servers.contenders(few.service);
  const names = MEASURED.filter((name) => targets.has(name));
  const requestsFile = path.join(bench.stack.folder('wrk'), 'latency-requests.txt');
  writeRequests(requestsFile, visitLines(few));
  const loads: LatencyFigures['loads'][number][] = [];
  for (const [of, title] of [
    ['bare', 'half of what the bare handler answers'],
    ['service', 'half of what the service answers'],
  ] as const) {
    const full = ceiling?.[of] ?? [await bench.load(targetOf(bench, of), few, seconds)];
    const capacity = spread(full.map(({ perSecond }) => perSecond)).median;
    const perSecond = Math.min(capacity / 2, CLIENT_PER_SECOND_MAX);
    const measured = await withProgress(title, rounds * names.length, ({ step }) =>
      inTurns(names, { rounds, signal, onStep: step }, (name) =>
        measure(bench, name, { requestsFile, perSecond, seconds, connections }),
      ),
    );
    loads.push({ title, perSecond, rounds: measured });
  }
  return { connections, loads };
}

async function measure(
  bench: Bench,
  name: Contender,
  settings: { requestsFile: string; perSecond: number; seconds: number; connections: number },
): Promise<OpenLoopFigures> {
  const { stack, cores, searchPath, signal, count } = bench;
  const target = targetOf(bench, name);
  const figures = await runOpenLoop(
    { ...settings, port: Number(new URL(target.url).port) },
    { core: cores.others, logFile: stack.logFile('client'), signal, searchPath },
  );
  if (figures.unanswered > 0) throw new Error(`${name} left ${figures.unanswered} visits without an answer`);
  count(target, figures.sent);
  return figures;
}

function targetOf({ servers, mixes }: Bench, name: Contender): Target {
  const target = servers.contenders(mixes[0]?.service ?? 'plain').get(name);
  if (target === undefined) throw new Error(`${name} was not started`);
  return target;
}
