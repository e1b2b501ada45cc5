import { number, type Table, times } from '../figures.js';
import { fillLinks, HOT_LINKS, linkPaths } from '../link-data.js';
import { browserHead, CONNECTIONS, CONNECTIONS_MANY, loadServer, withIdleConnections } from '../load.js';
import { type Report, withProgress } from '../program.js';
import {
  createProbe,
  type Probe,
  readMetrics,
  type RedirectServer,
  settleVisits,
  startRedirect,
  withServers,
} from '../servers.js';
import type { StackRun } from '../stack.js';

export type LinkSizes = { readonly links: number; readonly connections: number };
type Run = StackRun<LinkSizes>;

/** Memory of a worker that holds a number of links or connections. */
type Sample = Readonly<Record<'held' | 'rssBytes' | 'usedBytes' | 'cacheBytes', number>>;

// Rendered pages are cached elsewhere and are not measured here.
const ROOM = {
  L1_ENTRIES_MAX: '10000000',
  L1_BYTES_MAX: String(16 * 2 ** 30),
  PAGES_BYTES_MAX: String(2 ** 20),
};
// The default of V8 ends at 4 GiB, close to a million links.
const HEAP_ARGUMENT = '--max-old-space-size=8192';
const WARM_UP_LINKS = 100;
const WALK_SECONDS = 10;
const WALKS_MAX = 60;
const MIB = 2 ** 20;

/** Memory of a worker while its cache fills with links, beside the figure of the cache. */
export async function measureMemory(run: Run): Promise<Report> {
  const { links } = run.sizes;
  await withProgress('links', links, (advance) =>
    fillLinks(run.stack.pg, { from: 0, to: links, signal: run.signal, onStored: advance }),
  );
  const probe = createProbe(run);
  const settings = { nodeArgs: [HEAP_ARGUMENT, ...probe.nodeArgs], env: ROOM };
  const starts = { worker: () => startRedirect(run, 'worker', settings) };
  // The first sample comes after all code is compiled.
  const steps = [WARM_UP_LINKS, links / 10, links];
  const samples = await withServers(starts, ({ worker }) =>
    withProgress('links in memory', steps.length, async (advance) => {
      const found: Sample[] = [];
      for (const step of steps) {
        await visitAll(run, worker, linkPaths(0, step));
        found.push(await weigh(worker, probe, step));
        advance();
      }
      return found;
    }),
  );
  return { tables: [linksTable(samples)], figures: samples };
}

function linksTable([base, ...samples]: readonly Sample[]): Table {
  return {
    title: 'Bytes of a link in the memory of a worker',
    head: ['links', 'cache_bytes', 'heap', 'ratio', 'RSS', 'ratio'],
    rows: samples.map((sample) => {
      const bytes = (key: keyof Sample) =>
        (sample[key] - (base?.[key] ?? 0)) / (sample.held - (base?.held ?? 0));
      const cells = (key: keyof Sample) => [
        String(Math.round(bytes(key))),
        times(bytes(key) / bytes('cacheBytes')),
      ];
      const [cacheBytes = ''] = cells('cacheBytes');
      return [sample.held.toLocaleString('en'), cacheBytes, ...cells('usedBytes'), ...cells('rssBytes')];
    }),
  };
}

/** Visits links until the worker holds all of them. */
async function visitAll(run: Run, worker: RedirectServer, paths: readonly string[]): Promise<void> {
  const links = paths.length;
  const seconds = Math.min(WALK_SECONDS, 3 + Math.ceil(links / 10_000));
  const phase = { connections: CONNECTIONS_MANY, seconds };
  let held = await countHeld(worker);
  let offset = held % links;
  for (let walk = 0; held < links; walk += 1) {
    if (walk === WALKS_MAX) throw new Error(`The cache holds ${held} of ${links} links after ${walk} walks`);
    // Postgres may refuse some lookups for a moment; the next walk repeats them.
    const requests = { lines: paths, head: browserHead(), offset, ignored: ['status'] as const };
    offset = (offset + (await loadServer(run, worker, requests, phase)).requests) % links;
    await settleVisits(worker);
    held = await countHeld(worker);
  }
}

async function countHeld(worker: RedirectServer): Promise<number> {
  return (await readMetrics(worker)).get('cache_entries{kind="link"}') ?? 0;
}

async function weigh(server: RedirectServer, probe: Probe, held: number): Promise<Sample> {
  const [, worker = 0] = server.pids();
  const cacheBytes = (await readMetrics(server)).get('cache_bytes') ?? 0;
  return { held, cacheBytes, ...(await probe.ask(worker, 'memory')) };
}

/** Memory of a fresh worker without connections, with half of them, and with all. */
export async function measureConnections(run: Run): Promise<Report> {
  const { stack, sizes, signal } = run;
  const most = sizes.connections;
  const probe = createProbe(run);
  await fillLinks(stack.pg, { from: 0, to: HOT_LINKS, signal });
  const paths = linkPaths(0, HOT_LINKS);
  const starts = { worker: () => startRedirect(run, 'worker', { nodeArgs: probe.nodeArgs }) };
  const samples = await withServers(starts, ({ worker }) =>
    withProgress('connections', 3, async (advance) => {
      // The first sample comes after all code is compiled.
      const requests = { lines: paths, head: browserHead() };
      await loadServer(run, worker, requests, { connections: CONNECTIONS, seconds: 1 });
      await settleVisits(worker);
      const found = [await weigh(worker, probe, 0)];
      advance();
      for (const connections of [Math.round(most / 2), most]) {
        const held = { connections, visited: paths[0] ?? '' };
        found.push(await withIdleConnections(run, worker, held, () => weigh(worker, probe, connections)));
        advance();
      }
      return found;
    }),
  );
  const base = samples[0]?.rssBytes ?? Number.NaN;
  const table = {
    title: 'Memory of a worker',
    head: ['connections', 'RSS MiB', 'ratio', 'heap MiB'],
    rows: samples.map(({ held, rssBytes, usedBytes }) => [
      ...[String(held), number(rssBytes / MIB)],
      ...[times(rssBytes / base), number(usedBytes / MIB)],
    ]),
  };
  return { tables: [table], figures: samples };
}
