import path from 'node:path';
import { goal, percent, ratios, times, turnsTable } from '../figures.js';
import { fillLinks, HOT_LINKS, linkPaths, linkSlugs, publishLinks, urlOf, withRedis } from '../link-data.js';
import {
  browserHead,
  CONNECTIONS,
  CONNECTIONS_MANY,
  type Load,
  LOAD_COLUMNS,
  loadInTurns,
  type LoadedServer,
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
  type VisitCounts,
  withServers,
} from '../servers.js';
import { type StackRun, withStack } from '../stack.js';
import { measureRules } from './rules.js';

type Sizes = {
  readonly warmUpSeconds: number;
  /** Links of the mixed visits. */
  readonly manyLinks: number;
  /** Published to Redis. */
  readonly redisLinks: number;
  /** In Postgres: more than the visits of one phase. */
  readonly storedLinks: number;
};
type Run = StackRun<Sizes>;

const wholeRequests = (paths: readonly string[]): Requests => ({
  lines: paths.map((each) => `GET ${each} ${browserHead()}`),
});

type Contender = 'bare' | 'nginx' | 'service' | 'against';

const FILL_DOMAINS = `
insert into domains (id, user_id, host, status, token)
select gen_random_uuid(), (select id from users limit 1), 'links' || n || '.example', 'Active', '' from generate_series(1, $1::int) n`;

/** The service, another checkout of it, a bare handler and nginx, with the same requests. */
async function measureCeiling(run: Run): Promise<Report> {
  const { against, domains = '0' } = run.values;
  await fillLinks(run.stack.pg, { from: 0, to: HOT_LINKS, signal: run.signal });
  await run.stack.pg.query(FILL_DOMAINS, [domains]);
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
    const loads = await loadInTurns(run, 'ceiling', loadAll(servers, CONNECTIONS, requests));
    let visits = 0;
    for (const [name, server] of Object.entries(servers))
      if ('metricsPort' in server) visits += await checkVisits(server, loads[name as Contender]);
    const account = goal(true, `${visits} visits have their events on the disk`);
    return {
      tables: [turnsTable('Redirects beside a bare uWebSockets.js handler and nginx', loads, LOAD_COLUMNS)],
      notes: [
        ...(hasNginx ? [] : ['nginx is not installed (apt-get install nginx-light)']),
        ...[...compareLoads(loads), account],
      ],
      figures: loads,
    };
  });
}

/** The same load for all servers. */
function loadAll<Name extends string>(
  servers: Readonly<Record<Name, Server>>,
  connections: number,
  requests: Requests,
): Readonly<Record<Name, LoadedServer>> {
  const loaded = Object.entries<Server>(servers).map(([name, server]) => [
    name,
    { server, connections, requestsOf: () => requests },
  ]);
  return Object.fromEntries(loaded) as Record<Name, LoadedServer>;
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

/** The client sends X-Forwarded-For. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };
/** Small enough for a walk over thousands of links to miss each time. */
const TINY_MEMORY = { L1_ENTRIES_MAX: '100' };
/** Redis database that is emptied between rounds. */
const EMPTIED_DATABASE = 1;

/** Visits from memory, Redis and Postgres, and over new connections. */
async function measureVisits(run: Run): Promise<Report> {
  const { stack, sizes, signal } = run;
  const { storedLinks, redisLinks } = sizes;
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
    const loads = await loadInTurns(run, 'visits', makeVisits(run, servers));
    await settleVisits(servers.memory);
    const notes = [
      checkShare('redis', await settleVisits(servers.redis)),
      checkShare('postgres', await settleVisits(servers.postgres)),
    ];
    return { tables: [turnsTable('Visits', loads, LOAD_COLUMNS)], notes, figures: loads };
  });
}

/** Tolerates concurrent visits to one link, and a slow Redis. */
const SHARE_MIN = 0.98;

/** Throws when visits were not answered from the measured layer. */
function checkShare(layer: 'redis' | 'postgres', counts: VisitCounts): string {
  const share = counts[layer] / counts.visits;
  const text = `${percent(share)} of the visits were answered from ${layer}`;
  if (!(share >= SHARE_MIN)) throw new Error(`Only ${text}`);
  return goal(true, text);
}

function makeVisits(
  { sizes, stack }: Run,
  { memory, redis, postgres }: Readonly<Record<'memory' | 'redis' | 'postgres', Server>>,
) {
  const hot = linkPaths(0, HOT_LINKS);
  const head = browserHead();
  const visit = (server: Server, requests: Requests): LoadedServer => ({
    ...{ server, connections: CONNECTIONS, requestsOf: () => requests },
  });
  return {
    'ten links, one browser': visit(memory, wholeRequests(hot)),
    'many links': visit(memory, wholeRequests(linkPaths(0, sizes.manyLinks))),
    'mixed: many links, browsers and visitors': visit(memory, {
      lines: mixRequests(linkSlugs(0, sizes.manyLinks)),
    }),
    'link from Redis': visit(redis, { lines: linkPaths(0, sizes.redisLinks), head }),
    [`link from Postgres, ${CONNECTIONS_MANY} connections`]: {
      server: postgres,
      connections: CONNECTIONS_MANY,
      requestsOf: async () => {
        await withRedis(`${stack.redisUrl}/${EMPTIED_DATABASE}`, (client) => client.flushdb());
        return { lines: linkPaths(0, sizes.storedLinks), head };
      },
    },
    'a new connection for each visit': visit(memory, {
      ...{ lines: hot, head: browserHead({ Connection: 'close' }) },
      // The answer does not announce that the connection is closed, so wrk counts each close as an error.
      ignored: ['read'],
    }),
  };
}

/** Many, because the kernel distributes connections by a hash of both addresses. */
const CORES_CONNECTIONS = 256;

/** One process and two under the same load. */
async function measureCores(run: Run): Promise<Report> {
  const { manyLinks } = run.sizes;
  await fillLinks(run.stack.pg, { from: 0, to: manyLinks, signal: run.signal });
  const requests = { lines: mixRequests(linkSlugs(0, manyLinks)) };
  const start = (name: string, processes: string) => () =>
    startRedirect(run, name, { env: { ...PROXIED, REDIRECT_PROCESSES: processes } });
  return withServers({ one: start('one', '1'), two: start('two', '2') }, async (servers) => {
    const loads = await loadInTurns(run, 'cores', loadAll(servers, CORES_CONNECTIONS, requests));
    return {
      tables: [turnsTable('Redirect processes, nothing pinned', loads, LOAD_COLUMNS)],
      figures: loads,
    };
  });
}

export const redirect = defineBench<Sizes>({
  name: 'redirect',
  question: 'visits beside a bare uWebSockets.js handler, nginx and an older checkout',
  help: `npm run bench -- redirect [--only PART] [--against FOLDER] [--domains N]

ceiling: a redirect from a real process with Redis, Postgres and a spool on the disk, in alternating pairs with a bare
uWebSockets.js handler and nginx, each on a core of its own. visits: mixed visits, links from Redis and from Postgres, and
new connections. cores: one process and two, which share all cores with the client: compare the processor time.
rules: what rules and variants add to the decision of a visit, in the process of the benchmark.
Needs Linux and wrk; without nginx its row is left out (apt-get install wrk nginx-light). A whole run takes 6 minutes.`,
  whole: { warmUpSeconds: 4, manyLinks: 10_000, redisLinks: 20_000, storedLinks: 200_000 },
  smoke: { warmUpSeconds: 1, manyLinks: 200, redisLinks: 1_000, storedLinks: 40_000 },
  secondsDefault: 3,
  parts: {
    ceiling: (run) => withStack(run, { isPinned: true }, measureCeiling),
    visits: (run) => withStack(run, { isPinned: true }, measureVisits),
    cores: (run) => withStack(run, { isPinned: false }, measureCores),
    rules: measureRules,
  },
  options: {
    against: { argument: 'FOLDER', help: 'another built checkout, for ceiling' },
    domains: { argument: 'N', help: 'custom domains in the table, for ceiling (default 0)' },
  },
  needs: 'Linux and wrk',
});
