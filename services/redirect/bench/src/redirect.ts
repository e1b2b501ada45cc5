// `npm run bench -- redirect`: a redirect with everything on beside a bare handler and nginx, in alternating pairs.
import path from 'node:path';
import { goal, inTurns, percent, ratios, type Table, times, turnsTable } from '@smartlink/bench/figures';
import { type Report, runBench, withProgress } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import { until } from '@smartlink/test-support/until';
import { APP_LINKS, EVEN_URL_LINKS, HOT_LINKS, fillLinks, linkSlugs } from './links.js';
import type { RedirectProcess } from './redirect-process.js';
import { type Contender, type Servers, startServers, type Target } from './redirect-servers.js';
import {
  CONNECTIONS,
  LOAD_COLUMNS,
  loadVisits,
  type VisitLoad,
  type VisitMix,
  writeMixScript,
} from './visit-load.js';

type Sizes = { readonly warmUpSeconds: number; readonly manyLinks: number };
type Run = StackRun<Sizes>;
type Rounds = Readonly<Partial<Record<Contender, readonly VisitLoad[]>>>;

type NamedMix = VisitMix & {
  readonly title: string;
  /** `proxied`: the service that trusts X-Forwarded-For of its peers. */
  readonly service: 'plain' | 'proxied';
};

const TITLES: Readonly<Record<Contender, string>> = {
  bare: 'bare uWebSockets.js, constant 302',
  nginx: 'nginx, return 302',
  service: 'redirect service, everything on',
  against: 'redirect service of --against',
};

async function measureRedirect(run: Run): Promise<Report> {
  const mixes = await makeMixes(run);
  const [few] = mixes;
  const against = run.values['against'];
  const servers = await startServers(run, against === undefined ? null : path.resolve(against));
  try {
    const bench = createLoads(run, servers);
    await warmUp(bench, servers, mixes);
    const names = [...servers.contenders('plain').keys()];
    const ceiling = run.wants('ceiling') ? await bench.compare(few, names) : null;
    const found: { title: string; rounds: Rounds }[] = [];
    for (const mix of run.wants('mixes') ? mixes : [])
      found.push({ title: mix.title, rounds: await bench.compare(mix, names.filter(isMixed)) });
    const accounts = await bench.settleAccounts();
    return {
      tables: [
        ...(ceiling === null ? [] : [ceilingTable(ceiling)]),
        ...(found.length > 0 ? [mixesTable(found)] : []),
      ],
      notes: [...servers.skipped, ...goals(ceiling), `✓ ${accounts} visits have their events on the disk`],
      figures: { ceiling, mixes: found },
    };
  } finally {
    await servers.stop();
  }
}

const isMixed = (name: Contender): boolean => name === 'bare' || name === 'service' || name === 'against';

/** Stores the links and describes the mixes of visits to them; the first is that of the ceiling. */
async function makeMixes({ stack: { pg }, sizes, signal }: Run): Promise<[NamedMix, ...NamedMix[]]> {
  const urlLinks = HOT_LINKS + sizes.manyLinks;
  await fillLinks(pg, EVEN_URL_LINKS, { from: 0, to: urlLinks, signal });
  await fillLinks(pg, APP_LINKS, { from: urlLinks, to: urlLinks + HOT_LINKS, signal });
  const slugs = linkSlugs(HOT_LINKS, sizes.manyLinks);
  const apps = linkSlugs(urlLinks, HOT_LINKS);
  const few: NamedMix = {
    title: 'ten links, one browser',
    service: 'plain',
    slugs: linkSlugs(0, HOT_LINKS),
    agents: 1,
    addresses: 0,
    queryEvery: 0,
    isScan: false,
    isPhone: false,
  };
  const count = sizes.manyLinks.toLocaleString('en');
  return [
    few,
    { ...few, title: `${count} links`, slugs },
    { ...few, title: '10,000 User-Agents', agents: 10_000 },
    { ...few, title: 'X-Forwarded-For of 20,000 visitors', addresses: 20_000, service: 'proxied' },
    { ...few, title: 'with a query', queryEvery: 1 },
    { ...few, title: 'QR scans', isScan: true },
    { ...few, title: 'App links, phones', slugs: apps, isPhone: true },
    {
      ...few,
      title: `all of it: ${count} links, 1,000 User-Agents, 20,000 visitors, a third with a query`,
      slugs,
      agents: 1_000,
      addresses: 20_000,
      queryEvery: 3,
      service: 'proxied',
    },
  ];
}

type Loads = ReturnType<typeof createLoads>;

/** Loads on the servers of a run, with an account of the visits to each. */
function createLoads(run: Run, servers: Servers) {
  const { sizes, signal } = run;
  const asked = new Map<Target, { requests: number; phases: number }>();
  const load = async (target: Target, mix: NamedMix, seconds: number): Promise<VisitLoad> => {
    const script = writeMixScript(run, 'visits', mix);
    const figures = await loadVisits(run, target, { script, seconds, connections: CONNECTIONS });
    const before = asked.get(target) ?? { requests: 0, phases: 0 };
    asked.set(target, { requests: before.requests + figures.requests, phases: before.phases + 1 });
    return figures;
  };
  return {
    load,
    sizes,
    compare: (mix: NamedMix, names: readonly Contender[]): Promise<Rounds> => {
      const targets = servers.contenders(mix.service);
      return withProgress(mix.title, sizes.rounds * names.length, ({ step }) =>
        inTurns(names, { rounds: sizes.rounds, signal, onStep: step }, (name) => {
          const target = targets.get(name);
          if (target === undefined) throw new Error(`${name} was not started`);
          return load(target, mix, sizes.seconds);
        }),
      );
    },
    /** Number of visits; rejects when a service has lost an event. */
    settleAccounts: async (): Promise<number> => {
      let visits = 0;
      for (const [name, service] of servers.services) {
        const { requests, phases } = asked.get(service) ?? { requests: 0, phases: 0 };
        visits += requests;
        if (phases > 0) await settleAccount(name, service, [requests, requests + phases * CONNECTIONS]);
      }
      return visits;
    },
  };
}

/** Lets V8 compile the code, which takes some hundred thousand visits, and every link reach the memory. */
async function warmUp({ load, sizes }: Loads, servers: Servers, mixes: readonly NamedMix[]): Promise<void> {
  await withProgress('warm-up', mixes.length, async ({ step }) => {
    for (const [index, mix] of mixes.entries()) {
      for (const [name, target] of servers.contenders(mix.service))
        if (index === 0 || (isMixed(name) && name !== 'bare'))
          await load(target, mix, index === 0 ? sizes.warmUpSeconds : 1);
      step();
    }
  });
}

const ACCOUNT_LIMIT_MS = 20_000;

/** Waits until the metrics of a service agree with its clients; throws when events are missing. */
async function settleAccount(
  name: string,
  service: RedirectProcess,
  [least, most]: readonly [least: number, most: number],
): Promise<void> {
  let counts = {};
  // Workers report once a second, and the last events are on their way to the disk.
  const agree = async () => {
    const metrics = await service.metrics();
    const redirects = metrics.get('visits_total{outcome="redirect"}') ?? 0;
    const accepted = metrics.get('events_total{fate="accepted"}') ?? 0;
    const written = metrics.get('events_total{fate="written"}') ?? 0;
    counts = { answers: [least, most], redirects, accepted, written };
    return redirects >= least && redirects <= most && accepted === redirects && written === accepted;
  };
  try {
    await until(agree, 'visits and events agree', ACCOUNT_LIMIT_MS);
  } catch (err) {
    throw new Error(`${name}: visits and events do not agree: ${JSON.stringify(counts)}`, { cause: err });
  }
}

const KERNEL = {
  title: 'kernel',
  valueOf: ({ systemUs, cpuUs }: VisitLoad) => systemUs / cpuUs,
  show: percent,
  isAlone: true,
};

const ceilingTable = (rounds: Rounds): Table =>
  turnsTable('Redirects beside a bare handler and nginx', rounds, [...LOAD_COLUMNS, KERNEL], TITLES);

/** The service on each mix, with its ratios to the bare handler in the same round. */
function mixesTable(mixes: readonly { title: string; rounds: Rounds }[]): Table {
  const tables = mixes.map(({ title, rounds }) => {
    const { head, rows } = turnsTable(title, rounds, LOAD_COLUMNS, TITLES);
    return {
      head,
      rows: rows
        .slice(1)
        .map(([name, ...cells]) => [rows.length > 2 ? `${title}: ${name ?? ''}` : title, ...cells]),
    };
  });
  return {
    title: 'Mixes of visits, as ratios to the bare handler',
    head: tables[0]?.head ?? [],
    rows: tables.flatMap(({ rows }) => rows),
  };
}

const BARE_SHARE_MIN = 0.85;

function goals(ceiling: Rounds | null): readonly string[] {
  const { bare, nginx, service, against } = ceiling ?? {};
  if (bare === undefined || service === undefined) return [];
  const rate = (base: readonly VisitLoad[]) =>
    ratios(
      service.map(({ perSecond }) => perSecond),
      base.map(({ perSecond }) => perSecond),
    ).median;
  const speed = (base: readonly VisitLoad[]) =>
    ratios(
      base.map(({ cpuUs }) => cpuUs),
      service.map(({ cpuUs }) => cpuUs),
    ).median;
  const compared = (name: string, base: readonly VisitLoad[], least: number) =>
    goal(
      Math.min(rate(base), speed(base)) >= least,
      `${times(rate(base))} the requests a second of ${name}, ${times(speed(base))} its speed by processor time (goal: ${times(least)})`,
    );
  return [
    ...(nginx === undefined ? [] : [compared('nginx', nginx, 1)]),
    compared('the bare handler', bare, BARE_SHARE_MIN),
    ...(against === undefined ? [] : [compared('the other checkout', against, 1)]),
  ];
}

await runBench<Sizes>({
  name: 'redirect',
  help: `npm run bench -- redirect [--only PART] [--against FOLDER]

A redirect from a real process with Redis, Postgres and a spool on the disk, in alternating pairs with a bare
uWebSockets.js handler and nginx, each on a core of its own. Needs Linux and wrk; nginx is left out where it is missing
(apt-get install wrk nginx-light). A whole run takes some 6 minutes.`,
  whole: { warmUpSeconds: 4, manyLinks: 10_000 },
  smoke: { warmUpSeconds: 1, manyLinks: 200 },
  secondsDefault: 3,
  parts: ['ceiling', 'mixes'],
  texts: { against: 'another built checkout of the project, measured in turns with this one' },
  needs: [['wrk', 'wrk']],
  isLinuxOnly: true,
  measure: (run) => withStack(run, measureRedirect),
});
