import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { layersBetween, settledLayers } from '../layer-counts.js';
import type { LayerCounts } from '../layer-counts.js';
import { PAGE_LINKS, URL_LINKS, fillLinks, linkPaths } from '../many-links.js';
import type { StackRun } from '../stack-bench.js';
import { visitEach } from '../visit-client.js';
import { CONNECTIONS } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { EMPTIED_DATABASE, emptyRedis, withServices } from '../visited-services.js';
import { pageNumber } from './cold-run.js';
import type { ColdServices, ColdSizes } from './cold-run.js';
import { loadKinds } from './visit-kinds.js';
import type { LoadKind, LoadKindName, PageBytes } from './visit-kinds.js';
import { measureLone } from './lone-visits.js';
import type { LoneFigures } from './lone-visits.js';

export type ColdFindings = {
  readonly loads: Readonly<Record<LoadKindName, readonly VisitLoad[]>>;
  readonly lone: LoneFigures;
  /** Of the services that ask Redis, Postgres, or for what there is not, while they were under load. */
  readonly counts: Readonly<Record<'redis' | 'postgres' | 'unknown', LayerCounts>>;
  readonly pageBytes: PageBytes;
};

/** So few links stay in memory that a walk over thousands finds none of them. */
const TINY_MEMORY = { L1_ENTRIES_MAX: '100' };

/** Measures every kind of visit in turns with redirects from memory. Rejects when one was answered from elsewhere. */
export async function measureCold(run: StackRun<ColdSizes>): Promise<ColdFindings> {
  const { stack, sizes, signal } = run;
  const pages = (sizes.rounds + 1) * sizes.firstPages;
  await withProgress('links', sizes.storedLinks + pages, async ({ reach }) => {
    await fillLinks(stack.pg, { kind: URL_LINKS, from: 0, to: sizes.storedLinks, signal, onStored: reach });
    const from = pageNumber(sizes, 0);
    await fillLinks(stack.pg, { kind: PAGE_LINKS, from, to: from + pages, signal });
  });
  return withServices(
    run,
    {
      hot: {},
      redis: { env: TINY_MEMORY },
      postgres: { env: TINY_MEMORY, redisDatabase: EMPTIED_DATABASE },
      unknown: {},
      pages: {},
    },
    async (services) => {
      const { kinds, pageBytes } = await loadKinds(run, services);
      await warmUp(run, services, kinds);
      const { loads, counts } = await run.saved.part('loads', () => measureLoads(run, services, kinds));
      const lone = await run.saved.part('lone', () => measureLone(run, services));
      return { loads, counts, lone, pageBytes };
    },
  );
}

async function warmUp(
  run: StackRun<ColdSizes>,
  services: ColdServices,
  kinds: readonly LoadKind[],
): Promise<void> {
  const { sizes, signal } = run;
  await withProgress('warm-up', 1 + kinds.length, async ({ step }) => {
    const { url } = services.redis;
    const paths = linkPaths(0, sizes.redisLinks);
    await visitEach({ url, paths, connections: CONNECTIONS, status: 302, signal });
    step();
    for (const kind of kinds) {
      await load(run, kind);
      step();
    }
  });
}

async function measureLoads(
  run: StackRun<ColdSizes>,
  services: ColdServices,
  kinds: readonly LoadKind[],
): Promise<Pick<ColdFindings, 'loads' | 'counts'>> {
  const { sizes, signal } = run;
  const counted = ['redis', 'postgres', 'unknown'] as const;
  const look = async (visitsMin: Readonly<Record<string, number>>) => {
    const looks: [string, LayerCounts][] = [];
    for (const name of counted) looks.push([name, await settledLayers(services[name], visitsMin[name] ?? 0)]);
    return Object.fromEntries(looks) as ColdFindings['counts'];
  };
  const before = await look({});
  const asked: Record<string, number> = {};
  for (const name of counted) asked[name] = before[name].visits;
  const loads = await withProgress('under load', sizes.rounds * kinds.length, ({ step }) =>
    inTurns(
      kinds.map(({ name }) => name),
      { rounds: sizes.rounds, signal, onStep: step },
      async (name) => {
        const kind = kinds.find((one) => one.name === name);
        if (kind === undefined) throw new Error(`${name} is not known`);
        const figures = await load(run, kind);
        asked[kind.service] = (asked[kind.service] ?? 0) + figures.requests;
        return figures;
      },
    ),
  );
  const after = await look(asked);
  const counts = {
    redis: layersBetween(before.redis, after.redis),
    postgres: layersBetween(before.postgres, after.postgres),
    unknown: layersBetween(before.unknown, after.unknown),
  };
  checkOrigin(counts);
  return { loads, counts };
}

async function load({ stack }: StackRun<ColdSizes>, kind: LoadKind): Promise<VisitLoad> {
  if (kind.service === 'postgres') await emptyRedis(stack, EMPTIED_DATABASE);
  return kind.load();
}

// What a link that is asked for twice at the same time, or a slow Redis, may spoil.
const ORIGIN_SHARE_MIN = 0.98;

/** Throws when visits were not answered from where they should have been: then the figures say nothing. */
function checkOrigin({ redis, postgres }: ColdFindings['counts']): void {
  const shares = { Redis: redis.redisHits / redis.visits, Postgres: postgres.postgresHits / postgres.visits };
  for (const [origin, share] of Object.entries(shares)) {
    if (share < ORIGIN_SHARE_MIN)
      throw new Error(`Only ${(100 * share).toFixed(1)} % of the visits were answered from ${origin}`);
  }
}
