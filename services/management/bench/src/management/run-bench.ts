import { fileURLToPath } from 'node:url';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { describeCores, describeMachine, shareCores } from '@smartlink/bench/machine';
import type { Cores } from '@smartlink/bench/machine';
import { withProgress } from '@smartlink/bench/progress';
import { startServer } from '@smartlink/bench/server-process';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { addUser, addUserWithLinks } from '../bench-users.js';
import { compare, phaseCount, teachBareRoute, warmUp } from './measure.js';
import { measureMemory } from './memory.js';
import type { MemoryFigures } from './memory.js';
import type { Options, Part } from './options.js';
import type { Findings, Row } from './report.js';
import { pagesOfBigAndSmallUser, scenariosAgainstBare } from './scenarios.js';
import type { BenchUsers, Scenario } from './scenarios.js';
import { LISTED_LINKS, SMALL_USER_LINKS, VISITS_PER_LINK } from './sizes.js';
import type { Sizes } from './sizes.js';
import { countStatements } from './statements.js';
import type { StatementCount } from './statements.js';

export type RunOptions = {
  readonly options: Options;
  readonly sizes: Sizes;
  /** PATH: where the servers' wrappers (taskset, setpriv) are looked for. */
  readonly searchPath: string | undefined;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
};

/** What the parts of a run work on. */
type Bench = RunOptions & { readonly stack: BenchStack; readonly users: BenchUsers; readonly cores: Cores };

const SERVICE_PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const BARE_PROGRAM = fileURLToPath(new URL('../../dist/management/bare-server.js', import.meta.url));

/**
 * Starts engines, a service and a bare server, measures what `options` ask for, and stops everything again. Rejects
 * with StackError when something does not start, and when `signal` ends the run.
 */
export async function runBench(run: RunOptions): Promise<Findings> {
  const endsAt = performance.now() + run.sizes.runSecondsMax * 1000;
  const machine = describeMachine();
  const cores = shareCores();
  run.print(`${machine}\n${describeCores(cores)}\n`);
  const stack = await openBenchStack({ report: () => undefined, signal: run.signal });
  try {
    const users = await makeUsers(stack, run.sizes, run.signal);
    const bench: Bench = { ...run, stack, users, cores };
    const compared = await withServer(bench, 'service', (service) => compareAll(bench, service));
    const memory = wants(run, 'memory')
      ? await withServer(bench, 'weighed', (service) => weigh(bench, service, endsAt))
      : null;
    const date = new Date().toISOString().slice(0, 10);
    return { machine, cores: describeCores(cores), date, ...compared, memory };
  } finally {
    await stack.close();
  }
}

const wants = ({ options: { only } }: RunOptions, part: Part) => only === null || only.includes(part);

async function makeUsers(stack: BenchStack, sizes: Sizes, signal: AbortSignal): Promise<BenchUsers> {
  return withProgress('users and their links', 3, async ({ step }) => {
    const withLinks = async (links: number) => {
      signal.throwIfAborted();
      const user = await addUserWithLinks(stack, links, VISITS_PER_LINK);
      step();
      return user;
    };
    return {
      creator: await addUser(stack.pg),
      small: await withLinks(SMALL_USER_LINKS),
      listed: await withLinks(LISTED_LINKS),
      big: await withLinks(sizes.bigUserLinks),
    };
  });
}

async function withServer<T>(
  { stack, cores, searchPath, options: { profileFolder } }: Bench,
  name: 'service' | 'weighed' | 'bare',
  work: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const isService = name !== 'bare';
  const server = await startServer({
    name,
    program: isService ? SERVICE_PROGRAM : BARE_PROGRAM,
    nodeArgs: isService && profileFolder !== null ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [],
    env: { PATH: searchPath, ...(isService && stack.serviceEnv) },
    core: cores.server,
    logFile: stack.logFile(name),
  });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function compareAll(
  bench: Bench,
  service: ServerProcess,
): Promise<Pick<Findings, 'againstBare' | 'skipped' | 'bigList' | 'statements'>> {
  return withServer(bench, 'bare', async (bare) => {
    const taken: Scenario[] = [];
    const skipped: string[] = [];
    const againstBare: Row[] = [];
    for (const scenario of scenariosAgainstBare(bench.users)) {
      if (!(await teachBareRoute(service, bare, scenario))) skipped.push(scenario.title);
      else taken.push(scenario);
    }
    await warmUpBoth(bench, service, bare, taken);
    for (const scenario of taken.filter(({ name }) => wants(bench, name)))
      againstBare.push(await compareWithBare(bench, service, bare, scenario));
    return {
      againstBare,
      skipped,
      bigList: wants(bench, 'big-list') ? await compareBigAndSmallUser(bench, service) : null,
      statements: wants(bench, 'statements') ? await count(bench, service, taken) : [],
    };
  });
}

async function warmUpBoth(
  { sizes, signal }: Bench,
  service: ServerProcess,
  bare: ServerProcess,
  [scenario]: readonly Scenario[],
): Promise<void> {
  if (scenario === undefined) return;
  await teachBareRoute(service, bare, scenario);
  await withProgress('warm-up', 2, async ({ step }) => {
    for (const server of [service, bare]) {
      await warmUp({ server, scenario }, sizes.startSeconds, signal);
      step();
    }
  });
}

async function compareWithBare(
  { sizes, signal }: Bench,
  service: ServerProcess,
  bare: ServerProcess,
  scenario: Scenario,
): Promise<Row> {
  await teachBareRoute(service, bare, scenario);
  const { serviceSeconds, bareSeconds } = sizes;
  const comparison = await withProgress(scenario.title, phaseCount(sizes), ({ step }) =>
    compare(
      { server: service, scenario, seconds: serviceSeconds },
      { server: bare, scenario, seconds: bareSeconds },
      { sizes, signal, onPhase: step },
    ),
  );
  return { title: scenario.title, comparison };
}

async function compareBigAndSmallUser(bench: Bench, server: ServerProcess): Promise<Findings['bigList']> {
  const { sizes, signal, users } = bench;
  const [big, small] = pagesOfBigAndSmallUser(users);
  const seconds = sizes.serviceSeconds;
  const comparison = await withProgress('a page of many links', phaseCount(sizes), ({ step }) =>
    compare(
      { server, scenario: big, seconds },
      { server, scenario: small, seconds },
      { sizes, signal, onPhase: step },
    ),
  );
  return { bigUserLinks: sizes.bigUserLinks, comparison };
}

async function count(
  { stack, signal }: Bench,
  service: ServerProcess,
  scenarios: readonly Scenario[],
): Promise<readonly StatementCount[]> {
  return withProgress('statements', scenarios.length, ({ step }) =>
    countStatements({ stack, service, scenarios, signal, onScenario: step }),
  );
}

async function weigh(
  { stack, sizes, signal, users }: Bench,
  service: ServerProcess,
  endsAt: number,
): Promise<MemoryFigures> {
  const scenario = scenariosAgainstBare(users).find(({ name }) => name === 'create-url');
  if (scenario === undefined) throw new Error('There is no scenario that creates');
  return withProgress('memory over creates', sizes.memoryCreates, ({ reach }) =>
    measureMemory({ service, scenario, pg: stack.pg, sizes, endsAt, signal, onProgress: reach }),
  );
}
