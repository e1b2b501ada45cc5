// `npm run bench -- visits`: visits that the memory of the service cannot answer, a page, many and new connections, and a
// second process.
import { goal, inTurns, percent, type Table, turnsTable } from '@smartlink/bench/figures';
import { type BenchRun, type Report, runBench, withProgress } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import {
  EVEN_URL_LINKS,
  fillLinks,
  HOT_LINKS,
  linkPaths,
  linkSlugs,
  PAGE_LINKS,
  URL_LINKS,
  withRedis,
} from './links.js';
import { type LayerCounts, type RedirectProcess, settledLayers, withServices } from './redirect-process.js';
import {
  CONNECTIONS,
  LOAD_COLUMNS,
  loadVisits,
  type VisitLoad,
  WIDE,
  withIdleConnections,
  writeMixScript,
  writeWalkScript,
} from './visit-load.js';

type Sizes = {
  readonly storedLinks: number;
  /** In Redis, and too many for the memory of the process that is asked for them. */
  readonly redisLinks: number;
  readonly idleConnections: number;
};
type Run = StackRun<Sizes>;
type Services = Readonly<Record<'hot' | 'redis' | 'postgres', RedirectProcess>>;
type Kind = keyof typeof TITLES;

const TITLES = {
  hot: 'redirect from memory',
  redis: 'link from Redis',
  postgres: `link from Postgres, ${WIDE} connections`,
  unknown: `unknown slug, ${WIDE} connections`,
  page: 'page of 10 kB, gzip',
  idle: 'redirect beside idle connections',
  new: 'redirect, a new connection for each',
} as const;
const KINDS = Object.keys(TITLES) as Kind[];

/** So few links stay in memory that a walk over thousands finds none of them. */
const TINY_MEMORY = { L1_ENTRIES_MAX: '100' };
/** Redis database that is emptied between rounds. */
const EMPTIED_DATABASE = 1;
// More than a phase can ask for.
const UNKNOWN_A_PHASE = 300_000;
const UNKNOWN_FROM = 100_000_000;

async function measureVisits(run: BenchRun<Sizes>): Promise<Report> {
  const kinds = KINDS.filter(run.wants);
  const loads = kinds.length > 0 ? await withStack(run, (pinned) => measureKinds(pinned, kinds)) : null;
  const cores = run.wants('cores') ? await withStack(run, measureCores, { isPinned: false }) : null;
  return {
    tables: [...(loads === null ? [] : [loads.table]), ...(cores === null ? [] : [cores.table])],
    notes: loads?.notes ?? [],
    figures: { loads: loads?.loads, cores: cores?.loads },
  };
}

async function measureKinds(run: Run, wanted: readonly Kind[]) {
  const { stack, sizes, signal } = run;
  const { storedLinks, rounds } = sizes;
  const kinds = [...new Set<Kind>(['hot', ...wanted])];
  await withProgress('links', storedLinks, async ({ reach }) => {
    await fillLinks(stack.pg, URL_LINKS, { from: 0, to: storedLinks, signal, onStored: reach });
    await fillLinks(stack.pg, PAGE_LINKS, { from: storedLinks, to: storedLinks + 1, signal });
  });
  const settings = {
    hot: {},
    redis: { env: TINY_MEMORY },
    postgres: { env: TINY_MEMORY, redisDatabase: EMPTIED_DATABASE },
  };
  return withServices(run, settings, async (services) => {
    const load = createLoads(run, services);
    // The second walk finds in Redis what the first one put there.
    for (const kind of [...kinds, ...kinds.filter((each) => each === 'redis')]) await load(kind);
    const before = await countLayers(services);
    const loads = await withProgress('in turns', rounds * kinds.length, ({ step }) =>
      inTurns(kinds, { rounds, signal, onStep: step }, load),
    );
    const after = await countLayers(services);
    const notes = (['redis', 'postgres'] as const).flatMap((layer) =>
      kinds.includes(layer) ? [checkShare(layer, before[layer], after[layer])] : [],
    );
    return { loads, notes, table: turnsTable('Visits under full load', loads, LOAD_COLUMNS, TITLES) };
  });
}

function createLoads(run: Run, services: Services): (kind: Kind) => Promise<VisitLoad> {
  const { storedLinks, redisLinks, idleConnections, seconds } = run.sizes;
  const hot = linkPaths(0, HOT_LINKS);
  const redis = linkPaths(0, redisLinks);
  const postgres = linkPaths(0, storedLinks);
  let unknownFrom = UNKNOWN_FROM;
  const load = (service: RedirectProcess, script: string, connections = CONNECTIONS) =>
    loadVisits(run, service, { script, connections, seconds });
  const loads: Readonly<Record<Kind, () => Promise<VisitLoad>>> = {
    hot: () => load(services.hot, writeWalkScript(run, 'hot', hot)),
    redis: () => load(services.redis, writeWalkScript(run, 'redis', redis)),
    postgres: async () => {
      await withRedis(`${run.stack.redisUrl}/${EMPTIED_DATABASE}`, (client) => client.flushdb());
      return load(services.postgres, writeWalkScript(run, 'postgres', postgres), WIDE);
    },
    unknown: () => {
      unknownFrom += UNKNOWN_A_PHASE;
      const paths = linkPaths(unknownFrom, UNKNOWN_A_PHASE);
      return load(services.hot, writeWalkScript(run, 'unknown', paths, { isRefused: true }), WIDE);
    },
    page: () => {
      const headers = { 'Accept-Encoding': 'gzip' };
      return load(services.hot, writeWalkScript(run, 'page', linkPaths(storedLinks, 1), { headers }));
    },
    idle: () => {
      const held = { connections: idleConnections, visited: hot[0] ?? '' };
      return withIdleConnections(run, services.hot, held, loads.hot);
    },
    new: () => load(services.hot, writeWalkScript(run, 'new', hot, { isClosing: true })),
  };
  return (kind) => loads[kind]();
}

async function countLayers({ redis, postgres }: Services) {
  return { redis: await settledLayers(redis), postgres: await settledLayers(postgres) };
}

// Tolerates links that are asked for twice at the same time, and a slow Redis.
const SHARE_MIN = 0.98;

/** Throws when visits were answered by another layer than the one that is measured. */
function checkShare(layer: 'redis' | 'postgres', before: LayerCounts, after: LayerCounts): string {
  const share = (after[`${layer}Hits`] - before[`${layer}Hits`]) / (after.visits - before.visits);
  const text = `${percent(share)} of the visits were answered from ${layer}`;
  if (share < SHARE_MIN) throw new Error(`Only ${text}`);
  return goal(true, text);
}

/** The kernel distributes connections by a hash of both addresses: the fewer, the less even. */
const CORES_CONNECTIONS = 256;
const CORES_LINKS = 1_000;
const CORES_WARM_UP_SECONDS = 4;

async function measureCores(run: Run): Promise<{ readonly table: Table; readonly loads: unknown }> {
  const { stack, sizes, signal } = run;
  const { rounds, seconds } = sizes;
  await fillLinks(stack.pg, EVEN_URL_LINKS, { from: 0, to: CORES_LINKS, signal });
  const slugs = linkSlugs(0, CORES_LINKS);
  const mix = { slugs, agents: 1_000, addresses: 0, queryEvery: 0, isScan: false, isPhone: false };
  const script = writeMixScript(run, 'cores', mix);
  const settings = {
    one: { env: { REDIRECT_PROCESSES: '1' } },
    two: { env: { REDIRECT_PROCESSES: '2' } },
  };
  return withServices(run, settings, async (services) => {
    const load = (name: 'one' | 'two', loadSeconds = seconds) =>
      loadVisits(run, services[name], { script, connections: CORES_CONNECTIONS, seconds: loadSeconds });
    for (const name of ['one', 'two'] as const) await load(name, Math.min(seconds, CORES_WARM_UP_SECONDS));
    const loads = await withProgress('one process and two', 2 * rounds, ({ step }) =>
      inTurns(['one', 'two'], { rounds, signal, onStep: step }, (name) => load(name)),
    );
    return { table: turnsTable('Redirect processes, nothing pinned', loads, LOAD_COLUMNS), loads };
  });
}

await runBench<Sizes>({
  name: 'visits',
  help: `npm run bench -- visits [--only PART]

Each as a ratio to a redirect from memory: links from Redis, from Postgres with an empty Redis, unknown slugs, a hosted page
of some 10 kB, redirects beside 10,000 idle connections, and over a new one for each visit. Then one and two processes under
the same load: client and processes share all cores, so compare the processor time. Needs wrk (apt-get install wrk). A
whole run takes some 6 minutes.`,
  whole: { storedLinks: 200_000, redisLinks: 20_000, idleConnections: 10_000 },
  smoke: { storedLinks: 40_000, redisLinks: 1_000, idleConnections: 200 },
  secondsDefault: 3,
  parts: [...KINDS, 'cores'],
  needs: [['wrk', 'wrk']],
  isLinuxOnly: true,
  measure: measureVisits,
});
