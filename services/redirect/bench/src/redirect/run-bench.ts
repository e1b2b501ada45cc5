import type { BenchStack } from '@smartlink/bench/bench-stack';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import { describeCores, describeMachine, shareCores } from '@smartlink/bench/machine';
import type { Cores } from '@smartlink/bench/machine';
import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { openSavedParts } from '@smartlink/bench/saved-parts';
import { missingProgram } from '@smartlink/bench/wrk';
import { CONNECTIONS, loadVisits } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { BROWSER_HEADERS, userAgent, writeWrkScript } from '../visit-requests.js';
import { settleAccount } from './account.js';
import type { Asked } from './account.js';
import type { Bench, RunOptions } from './bench.js';
import type { Account, Contender, Findings, MixFindings, Rounds } from './findings.js';
import { measureLatency } from './latency.js';
import { CEILING_MIX, makeMixes } from './mixes.js';
import type { NamedMix } from './mixes.js';
import type { Part } from './options.js';
import { measureProfile } from './profile.js';
import type { Target } from './servers.js';
import { startServers } from './start-servers.js';
import type { Servers } from './start-servers.js';

/**
 * Starts engines, bare servers and services, measures what `options` ask for, and stops everything again. Rejects with
 * StackError when something does not start, when events are missing, and when `signal` ends the run.
 */
export async function runBench(run: RunOptions): Promise<Findings | { readonly reason: string }> {
  const { options, print, signal } = run;
  // Processor time is read from /proc.
  if (process.platform !== 'linux') return { reason: 'it runs on Linux only' };
  const noWrk = missingProgram('wrk', 'wrk');
  if (noWrk !== null) return { reason: noWrk };
  const machine = describeMachine();
  const cores = shareCores();
  print(`${machine}\n${describeCores(cores)}\n`);
  const { rounds, seconds } = options.sizes;
  const saved = openSavedParts('redirect', { ...options.sizes, against: options.against }, options);
  const stack = await withProgress('engines', 1, () => openBenchStack({ report: () => undefined, signal }));
  try {
    const place = { stack, core: cores.server, searchPath: run.searchPath };
    const { mixes, servers } = await withProgress('links and servers', 2, async ({ step }) => {
      const made = await makeMixes(stack, options.sizes, signal);
      step();
      return { mixes: made, servers: await startServers(place, options.against, made) };
    });
    try {
      const asked = new Map<Target, Asked>();
      const bench: Bench = {
        ...run,
        stack,
        cores,
        servers,
        mixes,
        saved,
        ...loader(run, stack, cores, asked),
      };
      const found = await measureParts(bench);
      const accounts = await settleAccounts(servers, asked);
      saved.clear();
      const date = new Date().toISOString().slice(0, 10);
      const [few] = mixes;
      return {
        ...{ machine, cores: describeCores(cores), date, sizes: { rounds, seconds } },
        requestBytes: requestBytes(few),
        ...found,
        accounts,
      };
    } finally {
      await servers.stop();
    }
  } finally {
    await stack.close();
  }
}

async function measureParts(
  bench: Bench,
): Promise<Pick<Findings, 'skipped' | 'ceiling' | 'mixes' | 'latency' | 'profile'>> {
  const { options, saved, servers } = bench;
  const wants = (part: Part) => options.parts.includes(part);
  await warmUp(bench);
  const ceiling = wants('ceiling') ? await saved.part('ceiling', () => measureCeiling(bench)) : null;
  const mixes = wants('mixes') ? await saved.part('mixes', () => measureMixes(bench)) : null;
  const latency = wants('latency') ? await saved.part('latency', () => measureLatency(bench, ceiling)) : null;
  const profile = wants('profile') ? await saved.part('profile', () => measureProfile(bench)) : null;
  return {
    skipped: [...servers.skipped, ...(profile !== null && 'skipped' in profile ? [profile.skipped] : [])],
    ceiling,
    mixes,
    latency,
    profile: profile !== null && 'skipped' in profile ? null : profile,
  };
}

/** Until the code is compiled and every link is known; V8 takes some hundred thousand visits. */
async function warmUp(bench: Bench): Promise<void> {
  const { servers, options, mixes } = bench;
  const ways = mixes.flatMap((mix) =>
    [...servers.contenders(mix.service)]
      .filter(([name]) => mix.name === CEILING_MIX || name === 'service' || name === 'against')
      .map(([, target]) => ({ target, mix })),
  );
  await withProgress('warm-up', ways.length, async ({ step }) => {
    for (const { target, mix } of ways) {
      await bench.load(target, mix, mix.name === CEILING_MIX ? options.sizes.warmUpSeconds : 1);
      step();
    }
  });
}

async function measureCeiling(bench: Bench): Promise<Rounds<VisitLoad>> {
  const [few] = bench.mixes;
  if (few === undefined) throw new Error('There are no visits');
  return compare(bench, few, [...bench.servers.contenders('plain').keys()], 'beside the floor and nginx');
}

async function measureMixes(bench: Bench): Promise<readonly MixFindings[]> {
  const found: MixFindings[] = [];
  for (const mix of bench.mixes) {
    const names = [...bench.servers.contenders(mix.service).keys()].filter(
      (name) => name === 'bare' || name === 'service' || name === 'against',
    );
    found.push({ name: mix.name, title: mix.title, rounds: await compare(bench, mix, names, mix.name) });
  }
  return found;
}

async function compare(
  { servers, options, signal, load }: Bench,
  mix: NamedMix,
  names: readonly Contender[],
  title: string,
): Promise<Rounds<VisitLoad>> {
  const { rounds, seconds } = options.sizes;
  const targets = servers.contenders(mix.service);
  return withProgress(title, rounds * names.length, ({ step }) =>
    inTurns(names, { rounds, signal, onStep: step }, (name) => {
      const target = targets.get(name);
      if (target === undefined) throw new Error(`${name} was not started`);
      return load(target, mix, seconds);
    }),
  );
}

function loader(
  { signal }: RunOptions,
  stack: BenchStack,
  cores: Cores,
  asked: Map<Target, Asked>,
): Pick<Bench, 'load' | 'count'> {
  const count = (target: Target, visits: number, phases = 0) => {
    const so = asked.get(target) ?? { requests: 0, phases: 0 };
    asked.set(target, { requests: so.requests + visits, phases: so.phases + phases });
  };
  const scripts = new Map<string, string>();
  return {
    count,
    async load(target, mix, seconds) {
      const script = scripts.get(mix.name) ?? writeWrkScript(stack.folder('wrk'), mix.name, mix);
      scripts.set(mix.name, script);
      const figures = await loadVisits(target, {
        ...{ script, seconds, signal },
        connections: CONNECTIONS,
        clientCore: cores.others,
      });
      count(target, figures.requests, 1);
      return figures;
    },
  };
}

async function settleAccounts(
  servers: Servers,
  asked: ReadonlyMap<Target, Asked>,
): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (const [name, target] of servers.services) {
    const ofTarget = asked.get(target);
    if (target.service === undefined || ofTarget === undefined) continue;
    accounts.push(await settleAccount(name, target.service, ofTarget, CONNECTIONS));
  }
  return accounts;
}

/** Bytes of one request of the simple mix, as wrk writes it. */
function requestBytes(mix: NamedMix | undefined): number {
  const lines = [
    `GET /${mix?.slugs[0] ?? ''} HTTP/1.1`,
    'Host: 127.0.0.1:65535',
    ...Object.entries({ ...BROWSER_HEADERS, 'User-Agent': userAgent(0, false) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`.length;
}
