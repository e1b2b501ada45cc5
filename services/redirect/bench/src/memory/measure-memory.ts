import { withProgress } from '@smartlink/bench/progress';
import { settledLayers } from '../layer-counts.js';
import { APP_LINKS, PAGE_LINKS, URL_LINKS, fillLinks, linkPaths } from '../many-links.js';
import type { LinkKind } from '../many-links.js';
import type { RedirectProcess } from '../redirect-process.js';
import type { StackRun } from '../stack-bench.js';
import { visitEach } from '../visit-client.js';
import { WIDE } from '../visit-load.js';
import { withServices } from '../visited-services.js';
import { probed, weighWorker } from '../worker-memory.js';

export type MemorySizes = Readonly<Record<MemoryKind, readonly number[]>>;

export type MemoryKind = 'url' | 'app' | 'page';

/** A worker with so many links in its memory. */
export type MemorySample = {
  readonly links: number;
  readonly rssBytes: number;
  /** Heap, and what belongs to it outside. */
  readonly usedBytes: number;
  /** What the cache itself reckons. */
  readonly reckonedBytes: number;
};

export type MemoryFindings = Readonly<Record<MemoryKind, readonly MemorySample[]>>;

type Kind = {
  readonly name: MemoryKind;
  readonly links: LinkKind;
  readonly status: number;
  /** Where its links begin, so that each kind has slugs of its own. */
  readonly from: number;
  readonly connections: number;
};

// The thread that makes pages refuses work when more wait.
const NARROW = 16;

const KINDS: readonly Kind[] = [
  { name: 'url', links: URL_LINKS, status: 302, from: 0, connections: WIDE },
  // The visitor has Windows, and the link a store for it.
  { name: 'app', links: APP_LINKS, status: 302, from: 20_000_000, connections: WIDE },
  { name: 'page', links: PAGE_LINKS, status: 200, from: 30_000_000, connections: NARROW },
];

// Pages that were made are kept elsewhere, and are not what is weighed.
const ROOM = {
  L1_ENTRIES_MAX: '10000000',
  L1_BYTES_MAX: String(16 * 2 ** 30),
  PAGES_BYTES_MAX: String(2 ** 20),
};
// What V8 takes by itself ends at 4 GiB, which a million links come near to.
const HEAP_MEBIBYTES_MAX = 8_192;

/**
 * Weighs a worker as more and more links come into its memory by visits, a fresh worker for each kind of link. Rejects
 * when the cache does not hold what it should, and on `signal`.
 */
export async function measureMemory(run: StackRun<MemorySizes>): Promise<MemoryFindings> {
  const found: [MemoryKind, readonly MemorySample[]][] = [];
  for (const kind of KINDS)
    found.push([kind.name, await run.saved.part(kind.name, () => measureKind(run, kind))]);
  return Object.fromEntries(found) as MemoryFindings;
}

async function measureKind(run: StackRun<MemorySizes>, kind: Kind): Promise<readonly MemorySample[]> {
  const { stack, sizes, signal } = run;
  const steps = sizes[kind.name];
  const most = steps.at(-1) ?? 0;
  await withProgress(`${kind.name} links`, most, ({ reach }) =>
    fillLinks(stack.pg, {
      kind: kind.links,
      from: kind.from,
      to: kind.from + most,
      signal,
      onStored: reach,
    }),
  );
  const { folder, nodeArgs } = probed(stack.folder('probes'));
  const settings = { nodeArgs: [`--max-old-space-size=${HEAP_MEBIBYTES_MAX}`, ...nodeArgs], env: ROOM };
  return withServices(run, { [kind.name]: settings }, (services) =>
    withProgress(`${kind.name} links in memory`, most, async ({ reach }) => {
      const service = services[kind.name];
      if (service === undefined) throw new Error('The service was not started');
      // Its own code and caches are to stand before the first weighing.
      await visit(service, kind, { from: 0, to: WARM_UP_LINKS, signal });
      const samples = [await weigh(service, folder, WARM_UP_LINKS)];
      for (const links of steps) {
        const from = samples.at(-1)?.links ?? 0;
        await visit(service, kind, {
          from,
          to: links,
          signal,
          onVisited: (count) => {
            reach(from + count);
          },
        });
        samples.push(await weigh(service, folder, links));
      }
      return samples;
    }),
  );
}

const WARM_UP_LINKS = 500;

async function visit(
  { url }: RedirectProcess,
  { from: first, status, connections }: Kind,
  {
    from,
    to,
    signal,
    onVisited,
  }: { from: number; to: number; signal: AbortSignal; onVisited?: (count: number) => void },
): Promise<void> {
  await visitEach({
    ...{ url, status, signal, connections: Math.min(connections, to - from) },
    paths: linkPaths(first + from, to - from),
    // So many look-ups may be too much for Postgres for a moment; here only what is held in the end counts.
    retriesMax: 50,
    ...(onVisited !== undefined && { onVisited }),
  });
}

async function weigh(service: RedirectProcess, folder: string, links: number): Promise<MemorySample> {
  await settledLayers(service, links);
  const { rssBytes, heapBytes, externalBytes } = await weighWorker(service, folder);
  const metrics = await service.metrics();
  const held = metrics.get('cache_entries{kind="link"}');
  if (held !== links) throw new Error(`The cache holds ${held ?? 0} links, not ${links}`);
  return {
    links,
    rssBytes,
    usedBytes: heapBytes + externalBytes,
    reckonedBytes: metrics.get('cache_bytes') ?? 0,
  };
}
