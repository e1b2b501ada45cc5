import { readFileSync } from 'node:fs';
import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { settledLayers } from '../layer-counts.js';
import { writeLines } from '../line-script.js';
import { HOT_LINKS, URL_LINKS, fillLinks, linkPaths } from '../many-links.js';
import type { RedirectProcess } from '../redirect-process.js';
import type { StackRun } from '../stack-bench.js';
import { CONNECTIONS, loadVisits } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { withServices } from '../visited-services.js';
import { writeWalkScript } from '../walk-script.js';
import { probed, weighWorker } from '../worker-memory.js';
import { withHolder } from './holder.js';
import type { Holder } from './holder.js';

export type ConnectionSizes = {
  /** So many are wanted; a process may be allowed fewer. */
  readonly many: number;
};

export const CONNECTION_KINDS = ['few', 'quiet', 'slow', 'busy', 'new'] as const;

export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** A worker that holds so many connections. */
export type ConnectionSample = {
  readonly connections: number;
  readonly rssBytes: number;
  readonly usedBytes: number;
};

export type ConnectionFindings = {
  readonly many: number;
  readonly loads: Readonly<Record<ConnectionKind, readonly VisitLoad[]>>;
  readonly memory: readonly ConnectionSample[];
};

/** The server closes a connection that was idle for 10 s. */
export const SLOW_EVERY_MS = 5_000;
// Of open files, for what a process has beside connections.
const OTHER_FILES = 500;

/** Measures visits over a few connections, over many, and over new ones, in turns; and weighs a worker that holds many. */
export async function measureConnections(run: StackRun<ConnectionSizes>): Promise<ConnectionFindings> {
  const { stack, sizes, signal, saved } = run;
  const many = Math.min(sizes.many, openFilesMax() - OTHER_FILES);
  await fillLinks(stack.pg, { kind: URL_LINKS, from: 0, to: HOT_LINKS, signal });
  const loads = await saved.part('loads', () =>
    withServices(run, { service: {} }, ({ service }) => measureLoads(run, service, many)),
  );
  const memory = await saved.part('memory', () => weigh(run, many));
  return { many, loads, memory };
}

async function measureLoads(
  run: StackRun<ConnectionSizes>,
  service: RedirectProcess,
  many: number,
): Promise<ConnectionFindings['loads']> {
  const { stack, cores, sizes, signal } = run;
  const folder = stack.folder('wrk');
  const pathsFile = writeLines(folder, 'hot', linkPaths(0, HOT_LINKS));
  const kept = writeWalkScript(folder, 'kept', { pathsFile, offset: 0 });
  const closing = writeWalkScript(folder, 'closing', { pathsFile, offset: 0, isClosing: true });
  const load = (script: string, connections: number) =>
    loadVisits(service, { script, connections, seconds: sizes.seconds, clientCore: cores.others, signal });
  const beside = (everyMs: number | null) => {
    const settings = { url: service.url, path: linkPaths(0, 1)[0] ?? '', connections: many, everyMs };
    return withHolder(run, settings, (holder) =>
      loadBeside({ holder, connections: many }, () => load(kept, CONNECTIONS)),
    );
  };
  const kinds: Readonly<Record<ConnectionKind, () => Promise<VisitLoad>>> = {
    few: () => load(kept, CONNECTIONS),
    quiet: () => beside(null),
    slow: () => beside(SLOW_EVERY_MS),
    busy: () => load(kept, many),
    new: () => load(closing, CONNECTIONS),
  };
  let asked = 0;
  const before = await settledLayers(service);
  const loads = await withProgress(
    'in turns',
    (sizes.rounds + 1) * CONNECTION_KINDS.length,
    async ({ step }) => {
      for (const kind of CONNECTION_KINDS) {
        asked += (await kinds[kind]()).requests;
        step();
      }
      return inTurns(CONNECTION_KINDS, { rounds: sizes.rounds, signal, onStep: step }, async (kind) => {
        const figures = await kinds[kind]();
        asked += figures.requests;
        return figures;
      });
    },
  );
  await settledLayers(service, before.visits + asked);
  return loads;
}

// On a busy machine it takes long to have them all visit, and the first ones are idle for too long.
const LOST_SHARE_MAX = 0.5;

/** Returns the figures of a load beside held connections, whose visits count for the processor time too. */
async function loadBeside(
  { holder, connections }: { holder: Holder; connections: number },
  load: () => Promise<VisitLoad>,
): Promise<VisitLoad> {
  const before = await holder.refresh();
  const figures = await load();
  const after = await holder.end();
  const visits = figures.requests + after.visits - before.visits;
  if (after.lost > LOST_SHARE_MAX * connections)
    throw new Error(
      `Of ${connections} connections ${after.lost} were lost: the machine is too busy to keep them`,
    );
  const share = figures.requests / visits;
  return {
    ...figures,
    perSecond: figures.perSecond / share,
    cpuUs: figures.cpuUs * share,
    systemUs: figures.systemUs * share,
  };
}

const WARM_UP_ROUNDS = 100;

/** Weighs a fresh worker with no connection, with half of them, and with all. */
async function weigh(run: StackRun<ConnectionSizes>, many: number): Promise<readonly ConnectionSample[]> {
  const { folder, nodeArgs } = probed(run.stack.folder('probes'));
  return withServices(run, { weighed: { nodeArgs } }, ({ weighed }) =>
    withProgress('memory', 3, async ({ step }) => {
      const path = linkPaths(0, 1)[0] ?? '';
      const sample = async (connections: number): Promise<ConnectionSample> => {
        const { rssBytes, heapBytes, externalBytes } = await weighWorker(weighed, folder);
        step();
        return { connections, rssBytes, usedBytes: heapBytes + externalBytes };
      };
      const held = (connections: number) =>
        withHolder(run, { url: weighed.url, path, connections, everyMs: null }, async (holder) => {
          await holder.refresh();
          const figures = await sample(connections);
          await holder.end();
          return figures;
        });
      // Its code and caches stand after some visits.
      await withHolder(
        run,
        { url: weighed.url, path, connections: CONNECTIONS, everyMs: null },
        async (holder) => {
          for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await holder.refresh();
        },
      );
      return [await sample(0), await held(Math.round(many / 2)), await held(many)];
    }),
  );
}

/** Returns how many files a process may have open, sockets too; Node takes as many as it is allowed to. */
function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const [, hard] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard ?? 1_024);
}
