// `npm run bench -- memory`: memory of a worker for links, beside the figures of its own cache, and for connections.
import { readFileSync } from 'node:fs';
import { number, slope, type Table, times } from '@smartlink/bench/figures';
import { createProbe, type Probe } from '@smartlink/bench/processes';
import { type Report, runBench, withProgress } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import { APP_LINKS, fillLinks, HOT_LINKS, type LinkKind, linkPaths, PAGE_LINKS, URL_LINKS } from './links.js';
import { type RedirectProcess, settledLayers, withServices } from './redirect-process.js';
import { CONNECTIONS, WIDE, loadVisits, withIdleConnections, writeWalkScript } from './visit-load.js';

type Sizes = Readonly<Record<KindName, readonly number[]>> & { readonly connections: number };
type Run = StackRun<Sizes>;
type KindName = 'url' | 'app' | 'page';

/** Memory of a worker that holds a number of links or connections; used: heap and external memory. */
type Sample = Readonly<Record<'held' | 'rssBytes' | 'usedBytes' | 'cacheBytes', number>>;

type Kind = {
  readonly name: KindName;
  readonly links: LinkKind;
  /** Number of the first link. */
  readonly from: number;
  readonly connections: number;
};

const KINDS: readonly Kind[] = [
  { name: 'url', links: URL_LINKS, from: 0, connections: WIDE },
  { name: 'app', links: APP_LINKS, from: 20_000_000, connections: WIDE },
  // The thread that renders pages refuses longer queues.
  { name: 'page', links: PAGE_LINKS, from: 30_000_000, connections: 16 },
];

// Rendered pages are cached elsewhere and are not measured here.
const ROOM = {
  L1_ENTRIES_MAX: '10000000',
  L1_BYTES_MAX: String(16 * 2 ** 30),
  PAGES_BYTES_MAX: String(2 ** 20),
};
// The default of V8 ends at 4 GiB, close to a million links.
const HEAP_ARGUMENT = '--max-old-space-size=8192';
const WARM_UP_LINKS = 500;
const WALK_SECONDS = 10;
const WALKS_MAX = 60;
// Open files of a process besides connections.
const OTHER_FILES = 500;
/** Number of the first link that is visited over held connections. */
const VISITED_FROM = 90_000_000;
const MIB = 2 ** 20;

async function measureMemory(run: Run): Promise<Report> {
  const links: Record<string, readonly Sample[]> = {};
  for (const kind of KINDS.filter(({ name }) => run.wants(name)))
    links[kind.name] = await measureLinks(run, kind);
  const connections = run.wants('connections') ? await measureConnections(run) : null;
  const bytes = slope((connections ?? []).map(({ held: x, rssBytes: y }) => ({ x, y })));
  return {
    tables: [
      ...(Object.keys(links).length === 0 ? [] : [linksTable(links)]),
      ...(connections === null ? [] : [connectionsTable(connections)]),
    ],
    notes: connections === null ? [] : [`${Math.round(bytes)} bytes a connection`],
    figures: { links, connections },
  };
}

/** Bytes of a link above the first sample. */
function linksTable(found: Readonly<Record<string, readonly Sample[]>>): Table {
  return {
    title: 'Bytes of a link in the memory of a worker',
    head: ['kind', 'links', 'cache_bytes', 'heap', 'ratio', 'RSS', 'ratio'],
    rows: Object.entries(found).flatMap(([kind, [base, ...samples]]) =>
      samples.map((sample) => {
        const per = (of: keyof Sample) =>
          (sample[of] - (base?.[of] ?? 0)) / (sample.held - (base?.held ?? 0));
        const [cache, used, rss] = [per('cacheBytes'), per('usedBytes'), per('rssBytes')];
        const cells = [cache, used, times(used / cache), rss, times(rss / cache)];
        return [
          ...[kind, sample.held.toLocaleString('en')],
          ...cells.map((cell) => (typeof cell === 'number' ? String(Math.round(cell)) : cell)),
        ];
      }),
    ),
  };
}

function connectionsTable(samples: readonly Sample[]): Table {
  const base = samples[0]?.rssBytes ?? Number.NaN;
  return {
    title: 'Memory of a worker',
    head: ['connections', 'RSS MiB', 'ratio', 'heap MiB'],
    rows: samples.map(({ held, rssBytes, usedBytes }) => [
      ...[String(held), number(rssBytes / MIB)],
      ...[times(rssBytes / base), number(usedBytes / MIB)],
    ]),
  };
}

/** Samples of a fresh worker while more and more links of one kind come into its memory. */
async function measureLinks(run: Run, kind: Kind): Promise<readonly Sample[]> {
  const { stack, sizes, signal } = run;
  const steps = sizes[kind.name];
  const most = steps.at(-1) ?? 0;
  await withProgress(`${kind.name} links`, most, ({ reach }) =>
    fillLinks(stack.pg, kind.links, { from: kind.from, to: kind.from + most, signal, onStored: reach }),
  );
  const probe = createProbe(run);
  const settings = { nodeArgs: [HEAP_ARGUMENT, ...probe.nodeArgs], env: ROOM };
  return withServices(run, { weighed: settings }, ({ weighed }) =>
    withProgress(`${kind.name} links in memory`, most, async ({ reach }) => {
      const samples: Sample[] = [];
      // Code and caches are complete before the first sample.
      for (const links of [WARM_UP_LINKS, ...steps]) {
        await visitAll(run, weighed, { kind, links, onHeld: reach });
        samples.push(await weigh(weighed, probe, links));
      }
      return samples;
    }),
  );
}

/** Visits the first `links` links until the worker holds all of them. */
async function visitAll(
  run: Run,
  service: RedirectProcess,
  { kind, links, onHeld }: { kind: Kind; links: number; onHeld: (links: number) => void },
): Promise<void> {
  const paths = linkPaths(kind.from, links);
  let offset = (await heldLinks(service)) % links;
  for (let walk = 0; walk < WALKS_MAX; walk += 1) {
    // Postgres may refuse some lookups for a moment; they are asked for again.
    const script = writeWalkScript(run, 'walk', paths, { offset, isRefused: true });
    const seconds = Math.min(WALK_SECONDS, 3 + Math.ceil(links / 10_000));
    const { requests } = await loadVisits(run, service, { script, seconds, connections: kind.connections });
    offset = (offset + requests) % links;
    await settledLayers(service);
    const held = await heldLinks(service);
    onHeld(held);
    if (held === links) return;
  }
  throw new Error(`The cache does not hold ${links} links after ${WALKS_MAX} walks`);
}

async function heldLinks(service: RedirectProcess): Promise<number> {
  return (await service.metrics()).get('cache_entries{kind="link"}') ?? 0;
}

async function weigh(service: RedirectProcess, probe: Probe, held: number): Promise<Sample> {
  const [worker = 0] = service.workerPids();
  const usage = await probe.ask(worker, 'usage after collection');
  const cacheBytes = (await service.metrics()).get('cache_bytes') ?? 0;
  return {
    ...{ held, cacheBytes, rssBytes: usage.rssBytes },
    usedBytes: usage.heapBytes + usage.externalBytes,
  };
}

/** Memory of a fresh worker without connections, with half of them, and with all. */
async function measureConnections(run: Run): Promise<readonly Sample[]> {
  const { stack, sizes, signal } = run;
  const most = Math.min(sizes.connections, openFilesMax() - OTHER_FILES);
  const probe = createProbe(run);
  await fillLinks(stack.pg, URL_LINKS, { from: VISITED_FROM, to: VISITED_FROM + HOT_LINKS, signal });
  return withServices(run, { weighed: { nodeArgs: probe.nodeArgs } }, ({ weighed }) =>
    withProgress('connections', 3, async ({ step }) => {
      // Code and caches are complete after some visits.
      const paths = linkPaths(VISITED_FROM, HOT_LINKS);
      const script = writeWalkScript(run, 'walk', paths);
      await loadVisits(run, weighed, { script, seconds: 1, connections: CONNECTIONS });
      await settledLayers(weighed);
      const samples = [await weigh(weighed, probe, 0)];
      step();
      for (const connections of [Math.round(most / 2), most]) {
        const held = { connections, visited: paths[0] ?? '' };
        const work = () => weigh(weighed, probe, connections);
        samples.push(await withIdleConnections(run, weighed, held, work));
        step();
      }
      return samples;
    }),
  );
}

/** Open files, sockets too, that the system allows a process. */
function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const [, hard] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard ?? 1_024);
}

await runBench<Sizes>({
  name: 'memory',
  help: `npm run bench -- memory [--only PART]

Memory of a worker with a million Url links, 100,000 App links and 2,000 pages, beside cache_bytes, the figure of its own
cache; and with 10,000 connections. --rounds and --seconds have no effect. Needs wrk (apt-get install wrk). A whole run
takes some 8 minutes.`,
  whole: {
    url: [100_000, 300_000, 1_000_000],
    app: [30_000, 100_000],
    page: [700, 2_000],
    connections: 10_000,
  },
  smoke: { url: [2_000, 5_000], app: [2_000], page: [700], connections: 200 },
  secondsDefault: 1,
  parts: ['url', 'app', 'page', 'connections'],
  needs: [['wrk', 'wrk']],
  isLinuxOnly: true,
  measure: (run) => withStack(run, measureMemory),
});
