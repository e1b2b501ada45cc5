import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns } from '@smartlink/bench/pairs';
import { processTimeUs } from '@smartlink/bench/process-times';
import { withProgress } from '@smartlink/bench/progress';
import { EVEN_URL_LINKS, fillLinks, linkSlugs } from '../many-links.js';
import type { RedirectProcess } from '../redirect-process.js';
import type { StackRun } from '../stack-bench.js';
import { loadVisits } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { writeWrkScript } from '../visit-requests.js';
import { withServices } from '../visited-services.js';
import type { ServiceSettings } from '../visited-services.js';

export type CoresSizes = { readonly warmUpSeconds: number };

/** Of services that are compared, by how many processes they have. */
export const PROCESSES = ['1', '2'] as const;

export type Processes = (typeof PROCESSES)[number];

export type CoresFigures = VisitLoad & {
  /** Of the connections, the share of the worker with most of them. */
  readonly fullest: number;
  /** Of the workers' processor time, the share of the busiest. */
  readonly busiest: number;
};

export type CoresFindings = Readonly<Record<Processes, readonly CoresFigures[]>>;

/** Dealt out by a hash of both addresses, and so unevenly: the fewer there are, the more. */
export const DEALT_CONNECTIONS = 256;
const LINKS = 1_000;
const AGENTS = 1_000;

/** Puts services with one process and with two under load in turns. Rejects when a visit fails, and on `signal`. */
export async function measureCores(run: StackRun<CoresSizes>): Promise<CoresFindings> {
  const { stack, sizes, saved, signal } = run;
  await fillLinks(stack.pg, { kind: EVEN_URL_LINKS, from: 0, to: LINKS, signal });
  const script = writeWrkScript(stack.folder('wrk'), 'cores', {
    slugs: linkSlugs(0, LINKS),
    agents: AGENTS,
    addresses: 0,
    queryEvery: 0,
    isScan: false,
    isPhone: false,
  });
  const settings: Readonly<Record<Processes, ServiceSettings>> = {
    1: { env: { REDIRECT_PROCESSES: '1' } },
    2: { env: { REDIRECT_PROCESSES: '2' } },
  };
  return saved.part('rounds', () =>
    withServices(run, settings, (services) =>
      withProgress('one process and two', (sizes.rounds + 1) * PROCESSES.length, async ({ step }) => {
        const load = (count: Processes, seconds: number) =>
          measureLoad(services[count], { script, seconds, signal });
        for (const count of PROCESSES) {
          await load(count, sizes.warmUpSeconds);
          step();
        }
        const turns = { rounds: sizes.rounds, signal, onStep: step };
        return inTurns(PROCESSES, turns, (count) => load(count, sizes.seconds));
      }),
    ),
  );
}

async function measureLoad(
  service: RedirectProcess,
  { script, seconds, signal }: { script: string; seconds: number; signal: AbortSignal },
): Promise<CoresFigures> {
  const workers = service.workerPids();
  const socketsAtRest = workers.map(countSockets);
  const timesBefore = workers.map(processTimeUs);
  const load = { script, connections: DEALT_CONNECTIONS, seconds, clientCore: null, signal };
  const [figures, connections] = await Promise.all([
    loadVisits(service, load),
    sleep(seconds * 700).then(() => workers.map((pid, i) => countSockets(pid) - (socketsAtRest[i] ?? 0))),
  ]);
  const timesUs = workers.map((pid, i) => processTimeUs(pid) - (timesBefore[i] ?? 0));
  return { ...figures, fullest: shareOfMost(connections), busiest: shareOfMost(timesUs) };
}

function shareOfMost(values: readonly number[]): number {
  return Math.max(...values) / values.reduce((sum, value) => sum + value, 0);
}

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
