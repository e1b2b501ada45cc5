import path from 'node:path';
import { goal, inTurns, percent, ratios, times, turnsTable } from '../figures.js';
import { fillLinks, HOT_LINKS, linkPaths, linkSlugs, publishLinks, urlOf, withRedis } from '../link-data.js';
import {
  browserHead,
  CONNECTIONS,
  CONNECTIONS_MANY,
  type Load,
  LOAD_COLUMNS,
  loadServer,
  mixRequests,
  type Requests,
} from '../load.js';
import { defineBench, isInstalled, type Report, withProgress } from '../program.js';
import {
  type RedirectServer,
  type Server,
  settleVisits,
  startBare,
  startNginx,
  startRedirect,
  withServers,
} from '../servers.js';
import { type StackRun, withStack } from '../stack.js';

type Sizes = {
  readonly warmUpSeconds: number;
  /** Links of the mixed visits. */
  readonly manyLinks: number;
  /** Published to Redis. */
  readonly redisLinks: number;
  /** In Postgres: more than one phase asks for. */
  readonly storedLinks: number;
};
type Run = StackRun<Sizes>;

const wholeRequests = (paths: readonly string[]): Requests => ({
  lines: paths.map((each) => `GET ${each} ${browserHead()}`),
});

type Contender = keyof typeof CONTENDERS;

const CONTENDERS = {
  bare: 'bare uWebSockets.js, constant 302',
  nginx: 'nginx, return 302',
  service: 'redirect service, everything on',
  against: 'redirect service of --against',
};

/** The service, another checkout of it, a bare handler and nginx, with the same requests. */
async function measureCeiling(run: Run): Promise<Report> {
  const { stack, sizes, signal, values } = run;
  const { rounds, seconds, warmUpSeconds } = sizes;
  const { against } = values;
  await fillLinks(stack.pg, { from: 0, to: HOT_LINKS, signal });
  const requests = wholeRequests(linkPaths(0, HOT_LINKS));
  const hasNginx = isInstalled('nginx');
  const root = path.resolve(against ?? '.');
  const starts: Readonly<Partial<Record<Contender, () => Promise<Server | RedirectServer>>>> = {
    bare: () => startBare(run, urlOf(0)),
    ...(hasNginx && { nginx: () => startNginx(run, urlOf(0)) }),
    service: () => startRedirect(run, 'service', {}),
    ...(against !== undefined && { against: () => startRedirect(run, 'against', { root }) }),
  };
  return withServers(starts as Record<Contender, () => Promise<Server | RedirectServer>>, async (servers) => {
    const names = Object.keys(servers) as Contender[];
    const load = (name: Contender, phaseSeconds = seconds) =>
      loadServer(run, servers[name], requests, { connections: CONNECTIONS, seconds: phaseSeconds });
    // V8 compiles the code in some hundred thousand visits.
    for (const name of names) await load(name, warmUpSeconds);
    const loads = await withProgress('ceiling', rounds * names.length, (advance) =>
      inTurns(names, { rounds, signal, onStep: advance }, (name) => load(name)),
    );
    let visits = 0;
    for (const name of names) {
      const server = servers[name];
      if ('metricsPort' in server) visits += await checkVisits(server, loads[name]);
    }
    const account = goal(true, `${visits} visits have their events on the disk`);
    return {
      tables: [turnsTable('Redirects beside a bare handler and nginx', loads, LOAD_COLUMNS, CONTENDERS)],
      notes: [
        ...(hasNginx ? [] : ['nginx is not installed (apt-get install nginx-light)']),
        ...[...compareLoads(loads), account],
      ],
      figures: loads,
    };
  });
}

/** Number of visits of a service; rejects when one of them or its event is missing. */
async function checkVisits(server: RedirectServer, loads: readonly Load[]): Promise<number> {
  const { visits } = await settleVisits(server);
  const answers = loads.reduce((sum, { requests }) => sum + requests, 0);
  if (visits < answers) throw new Error(`Of ${answers} answers ${visits} were counted as visits`);
  return visits;
}

const BARE_SHARE_MIN = 0.85;

function compareLoads(loads: Readonly<Partial<Record<Contender, readonly Load[]>>>): readonly string[] {
  const { bare, nginx, service = [], against } = loads;
  const compare = (name: string, base: readonly Load[] | undefined, least: number) => {
    if (base === undefined) return [];
    const valuesOf = (measured: readonly Load[], key: 'perSecond' | 'cpuUs') =>
      measured.map((load) => load[key]);
    const rate = ratios(valuesOf(service, 'perSecond'), valuesOf(base, 'perSecond')).median;
    const speed = ratios(valuesOf(base, 'cpuUs'), valuesOf(service, 'cpuUs')).median;
    const text = `${times(rate)} the requests a second of ${name}, ${times(speed)} its speed by processor time (goal: ${times(least)})`;
    return [goal(Math.min(rate, speed) >= least, text)];
  };
  return [
    ...compare('nginx', nginx, 1),
    ...compare('the bare handler', bare, BARE_SHARE_MIN),
    ...compare('the other checkout', against, 1),
  ];
}

const KINDS = {
  hot: 'ten links, one browser',
  many: 'many links',
  mixed: 'many links, 1,000 User-Agents, 20,000 visitors, a third with a query',
  redis: 'link from Redis',
  postgres: `link from Postgres, ${CONNECTIONS_MANY} connections`,
  new: 'a new connection for each visit',
} as const;

type Kind = keyof typeof KINDS;

/** The client sends X-Forwarded-For. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };
/** So few links stay in memory that a walk over thousands finds none of them. */
const TINY_MEMORY = { L1_ENTRIES_MAX: '100' };
/** Redis database that is emptied between rounds. */
const EMPTIED_DATABASE = 1;

/** Visits from memory, Redis and Postgres, and over new connections. */
async function measureVisits(run: Run): Promise<Report> {
  const { stack, sizes, signal } = run;
  const { storedLinks, redisLinks, rounds, warmUpSeconds } = sizes;
  const kinds = Object.keys(KINDS) as Kind[];
  await withProgress('links', storedLinks + redisLinks, async (advance) => {
    await fillLinks(stack.pg, { from: 0, to: storedLinks, signal, onStored: advance });
    await publishLinks(stack, { from: 0, to: redisLinks, signal, onPublished: advance });
  });
  const starts = {
    memory: () => startRedirect(run, 'memory', { env: PROXIED }),
    redis: () => startRedirect(run, 'redis', { env: TINY_MEMORY }),
    postgres: () => startRedirect(run, 'postgres', { env: TINY_MEMORY, redisDatabase: EMPTIED_DATABASE }),
  };
  return withServers(starts, async (servers) => {
    const load = createLoads(run, servers);
    for (const kind of kinds) await load(kind, warmUpSeconds);
    const readCounts = async () => ({
      redis: await settleVisits(servers.redis),
      postgres: await settleVisits(servers.postgres),
    });
    const before = await readCounts();
    const loads = await withProgress('visits', rounds * kinds.length, (advance) =>
      inTurns(kinds, { rounds, signal, onStep: advance }, (kind) => load(kind)),
    );
    const after = await readCounts();
    await settleVisits(servers.memory);
    const notes = (['redis', 'postgres'] as const).map((layer) => {
      const found = after[layer][layer] - before[layer][layer];
      return checkShare(layer, found / (after[layer].visits - before[layer].visits));
    });
    return { tables: [turnsTable('Visits', loads, LOAD_COLUMNS, KINDS)], notes, figures: loads };
  });
}

/** Tolerates concurrent visits to one link, and a slow Redis. */
const SHARE_MIN = 0.98;

/** Throws when another layer than the measured one answered. */
function checkShare(layer: string, share: number): string {
  const text = `${percent(share)} of the visits were answered from ${layer}`;
  if (!(share >= SHARE_MIN)) throw new Error(`Only ${text}`);
  return goal(true, text);
}

function createLoads(
  run: Run,
  servers: Readonly<Record<'memory' | 'redis' | 'postgres', Server>>,
): (kind: Kind, seconds?: number) => Promise<Load> {
  const { manyLinks, redisLinks, storedLinks } = run.sizes;
  const head = browserHead();
  const hot = linkPaths(0, HOT_LINKS);
  const requests: Readonly<Record<Kind, Requests>> = {
    hot: wholeRequests(hot),
    many: wholeRequests(linkPaths(0, manyLinks)),
    mixed: { lines: mixRequests({ slugs: linkSlugs(0, manyLinks), agents: 1_000, addresses: 20_000 }) },
    redis: { lines: linkPaths(0, redisLinks), head },
    postgres: { lines: linkPaths(0, storedLinks), head },
    // The answer does not announce that the connection is closed, so wrk counts each close as an error.
    new: { lines: hot, head: browserHead({ Connection: 'close' }), ignored: ['read'] },
  };
  return async (kind, seconds = run.sizes.seconds) => {
    if (kind === 'postgres')
      await withRedis(`${run.stack.redisUrl}/${EMPTIED_DATABASE}`, (client) => client.flushdb());
    const server = kind === 'redis' || kind === 'postgres' ? servers[kind] : servers.memory;
    const connections = kind === 'postgres' ? CONNECTIONS_MANY : CONNECTIONS;
    return loadServer(run, server, requests[kind], { connections, seconds });
  };
}

/** The kernel distributes connections by a hash of both addresses: the fewer, the less even. */
const CORES_CONNECTIONS = 256;

/** One process and two under the same load. */
async function measureCores(run: Run): Promise<Report> {
  const { stack, sizes, signal } = run;
  const { rounds, seconds, manyLinks, warmUpSeconds } = sizes;
  await fillLinks(stack.pg, { from: 0, to: manyLinks, signal });
  const mix = { slugs: linkSlugs(0, manyLinks), agents: 1_000, addresses: 20_000 };
  const requests = { lines: mixRequests(mix) };
  const start = (name: string, processes: string) => () =>
    startRedirect(run, name, { env: { ...PROXIED, REDIRECT_PROCESSES: processes } });
  return withServers({ one: start('one', '1'), two: start('two', '2') }, async (servers) => {
    const load = (name: 'one' | 'two', phaseSeconds = seconds) =>
      loadServer(run, servers[name], requests, { connections: CORES_CONNECTIONS, seconds: phaseSeconds });
    for (const name of ['one', 'two'] as const) await load(name, warmUpSeconds);
    const loads = await withProgress('one process and two', 2 * rounds, (advance) =>
      inTurns(['one', 'two'], { rounds, signal, onStep: advance }, (name) => load(name)),
    );
    return {
      tables: [turnsTable('Redirect processes, nothing pinned', loads, LOAD_COLUMNS)],
      figures: loads,
    };
  });
}

export const redirect = defineBench<Sizes>({
  name: 'redirect',
  question: 'visits beside a bare uWebSockets.js handler, nginx and an older checkout',
  help: `npm run bench -- redirect [--only PART] [--against FOLDER]

ceiling: a redirect from a real process with Redis, Postgres and a spool on the disk, in alternating pairs with a bare
uWebSockets.js handler and nginx, each on a core of its own. visits: mixed visits, links from Redis and from Postgres, and
new connections. cores: one process and two, which share all cores with the client: compare the processor time.
Needs Linux and wrk; without nginx its row is left out (apt-get install wrk nginx-light). A whole run takes 6 minutes.`,
  whole: { warmUpSeconds: 4, manyLinks: 10_000, redisLinks: 20_000, storedLinks: 200_000 },
  smoke: { warmUpSeconds: 1, manyLinks: 200, redisLinks: 1_000, storedLinks: 40_000 },
  secondsDefault: 3,
  parts: {
    ceiling: (run) => withStack(run, { isPinned: true }, measureCeiling),
    visits: (run) => withStack(run, { isPinned: true }, measureVisits),
    cores: (run) => withStack(run, { isPinned: false }, measureCores),
  },
  texts: { against: 'another built checkout of the project, measured in turns with this one' },
  needs: 'Linux and wrk',
});
