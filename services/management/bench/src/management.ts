// `npm run bench -- management`: calls of the API, beside the cheapest of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Column, inTurns, number, slope, type Table, turnsTable } from '@smartlink/bench/figures';
import { type Report, runBench, withProgress } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import { rollUp } from '@smartlink/visits/rollup';
import { type ApiLoad, apiRequest, type ApiRequest, loadApi, type Service, withService } from './api-load.js';
import { addLinks, addUser, type BenchUser } from './bench-data.js';
import { fillEvents } from './fill-events.js';

type Sizes = {
  /** Load before the first measurement: a route is compiled after some 40,000 requests. */
  readonly startSeconds: number;
  readonly bigUserLinks: number;
  readonly memoryCreates: number;
};
type Run = StackRun<Sizes>;

type Users = {
  /** Without links at first. */
  readonly creator: BenchUser;
  readonly small: BenchUser & { readonly linkIds: readonly string[] };
  readonly listed: BenchUser;
  readonly big: BenchUser;
};

type Calls = {
  readonly title: string;
  readonly connections?: number;
  readonly expectedStatus?: number;
  /** Requests of a connection in one round; rounds differ where a repeated request would change nothing. */
  readonly requestsOf: (connection: number, round: number) => readonly ApiRequest[];
};

// The size of the service's Postgres pool.
const CONNECTIONS = 10;
const SMALL_USER_LINKS = 100;
const LISTED_LINKS = 10_000;
const VISITS_PER_LINK = 10;
const MEMORY_STEPS = 5;
const MIB = 2 ** 20;
// Lets a phase's background work (publishing, key look-ups) end.
const PAUSE_MS = 100;
const UNKNOWN_ID = '0198f1c2-0000-7000-8000-000000000000';

const COLUMNS: readonly Column<ApiLoad>[] = [
  { title: 'requests/s', valueOf: ({ perSecond }) => perSecond },
  { title: 'CPU ms', valueOf: ({ cpuMs }) => cpuMs },
  { title: 'p50 ms', valueOf: ({ p50Ms }) => p50Ms, isAlone: true },
  { title: 'p99 ms', valueOf: ({ p99Ms }) => p99Ms, isAlone: true },
];

const SCENARIOS = {
  validate: ({ small }) => read('GET /validate: the key alone', small, ['/validate']),
  'not-found': ({ small }) => ({
    ...read('GET by an unknown id: 404', small, [`/smartlink?id=${UNKNOWN_ID}`]),
    expectedStatus: 404,
  }),
  fetch: ({ small }) => {
    const paths = small.linkIds.map((id) => `/smartlink?id=${id}`);
    return read('GET by id', small, paths);
  },
  'list-100': ({ small }) => read('GET list, limit=100', small, ['/smartlink?limit=100']),
  'big-list': ({ big }) => read('the same of a user with many links', big, ['/smartlink?limit=100']),
  // Megabytes: two at once keep a core busy.
  'list-10000': ({ listed }) => ({ ...read('GET list of 10,000', listed, ['/smartlink']), connections: 2 }),
  'create-url': ({ creator }) => create('POST Url', creator, URL_BODY),
  'create-qrmenu': ({ creator }) => create('POST QrMenu, 50 items', creator, qrMenuBody()),
  patch: ({ small }) => rename(small),
} satisfies Readonly<Record<string, (users: Users) => Calls>>;

type Name = keyof typeof SCENARIOS;

async function measureManagement(run: Run): Promise<Report> {
  const { sizes, signal } = run;
  const { rounds, seconds } = sizes;
  const users = await makeUsers(run);
  const names = (Object.keys(SCENARIOS) as Name[]).filter((name) => name === 'validate' || run.wants(name));
  const loads = await withService(run, {}, async (service) => {
    const phases: Record<string, (round: number) => Promise<ApiLoad>> = {};
    for (const name of names)
      phases[name] = await warmUp(run, service, { calls: SCENARIOS[name](users), name });
    return withProgress('in turns', names.length * rounds, ({ step }) =>
      inTurns(names, { rounds, signal, onStep: step }, async (name, round) => {
        const load = await phases[name]?.(round);
        if (load === undefined) throw new Error(`${name} was not warmed up`);
        return load;
      }),
    );
  });
  const titles = Object.fromEntries(names.map((name) => [name, SCENARIOS[name](users).title]));
  const title = `Calls of the API, some ${seconds} s each, as ratios to the key check`;
  const memory = run.wants('memory') ? await measureMemory(run, users) : null;
  return {
    tables: [turnsTable(title, loads, COLUMNS, titles), ...(memory === null ? [] : [memory.table])],
    figures: { loads, memory: memory?.samples },
  };
}

async function makeUsers({ stack, sizes, signal }: Run): Promise<Users> {
  return withProgress('users and their links', 3, async ({ step }) => {
    const withLinks = async (count: number) => {
      const user = await addUser(stack);
      const links = await addLinks(stack, [user], { count, prefix: `b${count}x` });
      const rows = count * VISITS_PER_LINK;
      await fillEvents(stack.clickhouse, { rows, nowMs: Date.now(), signal }, () => undefined);
      step();
      return { ...user, linkIds: links.map(({ id }) => id) };
    };
    const users = {
      creator: await addUser(stack),
      small: await withLinks(SMALL_USER_LINKS),
      listed: await withLinks(LISTED_LINKS),
      big: await withLinks(sizes.bigUserLinks),
    };
    // Or the service would do it during the first measurements.
    const mayGoOn = () => Promise.resolve(!signal.aborted);
    await rollUp(stack.clickhouse, { keptMonths: 0, mayGoOn, report: () => undefined });
    return users;
  });
}

/** Loads the service until the code of `calls` is compiled; a phase of about `seconds` for each round. */
async function warmUp(
  { sizes, signal }: Run,
  service: Service,
  { calls, name }: { readonly calls: Calls; readonly name: Name },
): Promise<(round: number) => Promise<ApiLoad>> {
  const { connections = CONNECTIONS, expectedStatus = 200 } = calls;
  const load = async (requests: number, round: number) => {
    const requestsOf = (connection: number) => calls.requestsOf(connection, round);
    const figures = await loadApi(service, { connections, expectedStatus, requestsOf, requests, signal });
    await sleep(PAUSE_MS, undefined, { signal });
    return figures;
  };
  const requestsIn = (perSecond: number, seconds: number) =>
    Math.max(2 * connections, Math.round(perSecond * seconds));
  const seconds = name === 'validate' ? sizes.startSeconds : sizes.seconds / 2;
  const first = await load(2 * connections, -2);
  const second = await load(requestsIn(first.perSecond, seconds), -1);
  return (round) => load(requestsIn(second.perSecond, sizes.seconds), round);
}

function read(title: string, { apiKey }: BenchUser, paths: readonly string[]): Calls {
  const requests = paths.map((path) => apiRequest(apiKey, path));
  return {
    title,
    // Each connection begins at another link.
    requestsOf: (connection) => {
      const start = Math.floor((connection * requests.length) / CONNECTIONS) % requests.length;
      return [...requests.slice(start), ...requests.slice(0, start)];
    },
  };
}

function create(title: string, { apiKey }: BenchUser, body: object): Calls {
  const request = apiRequest(apiKey, '/smartlink', { method: 'POST', body });
  return { title, expectedStatus: 201, requestsOf: () => [request] };
}

/** Each connection renames links of its own to a new name: every PATCH writes, none waits. */
function rename({ apiKey, linkIds }: Users['small']): Calls {
  const perConnection = Math.floor(linkIds.length / CONNECTIONS);
  return {
    title: 'PATCH of the name',
    requestsOf: (connection, round) => {
      const own = linkIds.slice(connection * perConnection, (connection + 1) * perConnection);
      return [`Round ${round}, odd`, `Round ${round}, even`].flatMap((smartlinkName) =>
        own.map((id) => {
          const body = { id, configuration: { smartlinkName } };
          return apiRequest(apiKey, '/smartlink', { method: 'PATCH', body });
        }),
      );
    },
  };
}

const URL_BODY = {
  configuration: { smartlinkName: 'Bench', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/bench/create?source=bench' },
};

function qrMenuBody(): object {
  const items = Array.from({ length: 10 }, (_, position) => ({
    name: `Dish ${position}`,
    description: 'A description of the dish in fifty characters.',
    price: 4.5 + position,
    variants: ['small', 'large'].map((label, size) => ({ label, price: 4.5 + position + 2.5 * size })),
    badges: ['vegan'],
    position,
  }));
  const categories = Array.from({ length: 5 }, (_, position) => ({
    ...{ name: `Course ${position}`, position, items },
  }));
  return {
    configuration: { smartlinkName: 'Bench', smartlinkType: 'QrMenu' },
    qrMenu: { title: 'Bench', currency: '€', categories },
  };
}

/** Heap and RSS of one process over many creates, after forced collections. */
async function measureMemory(run: Run, users: Users) {
  const { requestsOf } = SCENARIOS['create-url'](users);
  const requests = run.sizes.memoryCreates / MEMORY_STEPS;
  const options = { connections: CONNECTIONS, expectedStatus: 201, requests, signal: run.signal };
  const samples = await withService(run, {}, (service) =>
    withProgress('memory over creates', MEMORY_STEPS, async ({ step: advance }) => {
      const weighed: { creates: number; heapBytes: number; rssBytes: number }[] = [];
      for (let step = 0; step <= MEMORY_STEPS; step += 1) {
        if (step > 0) {
          await loadApi(service, { ...options, requestsOf: (connection) => requestsOf(connection, step) });
          advance();
        }
        const { heapBytes, rssBytes } = await service.usage('after collection');
        weighed.push({ creates: step * requests, heapBytes, rssBytes });
      }
      return weighed;
    }),
  );
  // The first step warms up.
  const points = samples.slice(1).map(({ creates: x, heapBytes: y }) => ({ x, y }));
  const table: Table = {
    title: `Memory over creates: ${number(Math.max(0, slope(points)))} bytes of heap for each`,
    head: ['creates', 'heap MiB', 'RSS MiB'],
    rows: samples.map(({ creates, heapBytes, rssBytes }) => [
      String(creates),
      ...[heapBytes, rssBytes].map((bytes) => (bytes / MIB).toFixed(1)),
    ]),
  };
  return { samples, table };
}

await runBench<Sizes>({
  name: 'management',
  help: `npm run bench -- management [--only PART]

Calls of the management API: requests a second, latency and processor time, in turns with the cheapest call; memory over
many creates. A whole run takes 5 to 10 minutes.`,
  whole: { startSeconds: 4, bigUserLinks: 100_000, memoryCreates: 50_000 },
  smoke: { startSeconds: 0.2, bigUserLinks: 1_000, memoryCreates: 300 },
  secondsDefault: 1.6,
  parts: [...Object.keys(SCENARIOS), 'memory'],
  measure: (run) => withStack(run, measureManagement),
});
