import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { describeMachine } from '@smartlink/bench/machine';
import { inTurns } from '@smartlink/bench/pairs';
import { processTimeUs } from '@smartlink/bench/process-times';
import { withProgress } from '@smartlink/bench/progress';
import { openSavedParts } from '@smartlink/bench/saved-parts';
import { missingProgram, runWrk } from '@smartlink/bench/wrk';
import { EVEN_URL_LINKS, fillLinks, linkSlugs } from '../many-links.js';
import { startRedirect } from '../redirect-process.js';
import type { RedirectProcess } from '../redirect-process.js';
import { writeWrkScript } from '../visit-requests.js';
import type { Options } from './options.js';

/** Of services that are compared, by how many processes they have. */
export const PROCESSES = ['1', '2'] as const;

export type Processes = (typeof PROCESSES)[number];

export type CoresFigures = {
  readonly perSecond: number;
  /** Processor time of the workers a visit, in µs. */
  readonly cpuUs: number;
  /** Cores that the workers had, of their time under load. */
  readonly coresUsed: number;
  /** Of the connections, the share of the worker with most of them. */
  readonly fullest: number;
  /** Of the workers' processor time, the share of the busiest. */
  readonly busiest: number;
};

export type Findings = {
  readonly machine: string;
  readonly date: string;
  readonly options: Options;
  readonly connections: number;
  readonly rounds: Readonly<Record<Processes, readonly CoresFigures[]>>;
};

/** Dealt out by a hash of both addresses, and so unevenly: the fewer there are, the more. */
const CONNECTIONS = 256;
const LINKS = 1_000;
const AGENTS = 1_000;

/**
 * Starts engines and both services, puts them under load in turns and stops everything again. Rejects with StackError
 * when something does not start, and when `signal` ends the run.
 */
export async function runBench(run: {
  options: Options;
  /** PATH: where programs are looked for. */
  searchPath: string | undefined;
  signal: AbortSignal;
}): Promise<Findings | { readonly reason: string }> {
  const { options, searchPath, signal } = run;
  if (process.platform !== 'linux') return { reason: 'it runs on Linux only' };
  const noWrk = missingProgram('wrk', 'wrk');
  if (noWrk !== null) return { reason: noWrk };
  const machine = describeMachine();
  const { resumes, pageFolder: _page, ...size } = options;
  const saved = openSavedParts('cores', size, { resumes });
  const rounds = await saved.part('rounds', async () => {
    const stack = await withProgress('engines', 1, () => openBenchStack({ report: () => undefined, signal }));
    try {
      return await measure(stack, { options, searchPath, signal });
    } finally {
      await stack.close();
    }
  });
  saved.clear();
  return {
    machine,
    date: new Date().toISOString().slice(0, 10),
    options,
    connections: CONNECTIONS,
    rounds,
  };
}

async function measure(
  stack: BenchStack,
  { options, searchPath, signal }: { options: Options; searchPath: string | undefined; signal: AbortSignal },
): Promise<Findings['rounds']> {
  await fillLinks(stack.pg, { kind: EVEN_URL_LINKS, from: 0, to: LINKS, signal });
  const script = writeWrkScript(stack.folder('requests'), 'cores', {
    slugs: linkSlugs(0, LINKS),
    agents: AGENTS,
    addresses: 0,
    queryEvery: 0,
    isScan: false,
    isPhone: false,
  });
  const services = new Map<Processes, RedirectProcess>();
  try {
    for (const count of PROCESSES) {
      const env = { REDIRECT_PROCESSES: count };
      const name = `redirect-${count}`;
      services.set(count, await startRedirect({ name, stack, root: null, env, searchPath, core: null }));
    }
    const load = async (count: Processes, seconds: number): Promise<CoresFigures> => {
      const service = services.get(count);
      if (service === undefined) throw new Error(`There is no service with ${count} processes`);
      return measureLoad(service, { script, seconds, signal });
    };
    const { rounds, seconds, warmUpSeconds } = options;
    return await withProgress(
      'one process and two',
      (rounds + 1) * PROCESSES.length,
      async ({ step }: { step: () => void }) => {
        for (const count of PROCESSES) {
          await load(count, warmUpSeconds);
          step();
        }
        return inTurns(PROCESSES, { rounds, signal, onStep: step }, (count) => load(count, seconds));
      },
    );
  } finally {
    for (const service of services.values()) await service.stop();
  }
}

async function measureLoad(
  service: RedirectProcess,
  { script, seconds, signal }: { script: string; seconds: number; signal: AbortSignal },
): Promise<CoresFigures> {
  const pids = service.workerPids();
  const socketsAtRest = pids.map(countSockets);
  const timesBefore = pids.map(processTimeUs);
  const load = { url: service.url, connections: CONNECTIONS, seconds, script, core: null, signal };
  const [{ requests, elapsedUs }, connections] = await Promise.all([
    runWrk(load),
    sleep(seconds * 700).then(() => pids.map((pid, i) => countSockets(pid) - (socketsAtRest[i] ?? 0))),
  ]);
  const timesUs = pids.map((pid, i) => processTimeUs(pid) - (timesBefore[i] ?? 0));
  const cpuUs = sumOf(timesUs);
  return {
    perSecond: (requests * 1e6) / elapsedUs,
    cpuUs: cpuUs / requests,
    coresUsed: cpuUs / elapsedUs,
    fullest: Math.max(...connections) / sumOf(connections),
    busiest: Math.max(...timesUs) / cpuUs,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function countSockets(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      // Closed since it was listed.
      return false;
    }
  }).length;
}
