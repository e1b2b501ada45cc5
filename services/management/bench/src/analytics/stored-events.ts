import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { withProgress } from '@smartlink/bench/progress';
import { startServer } from '@smartlink/bench/server-process';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { timed } from '@smartlink/bench/timed';
import { goalCases, otherCases } from './api-cases.js';
import { checkAnswers } from './check-answers.js';
import { fillEvents } from './fill-events.js';
import { CONNECTIONS, measureCase } from './measure-api.js';
import type { CaseFigures } from './measure-api.js';
import { RAW_QUESTIONS, compareWithRaw } from './raw-pairs.js';
import type { RawPair } from './raw-pairs.js';
import { measureRollup } from './rollups.js';
import type { RollupFigures } from './rollups.js';
import type { Sizes } from './sizes.js';
import { readTableSizes } from './storage.js';
import type { TableSize } from './storage.js';
import { OWNERS, addTenants } from './tenants.js';
import type { Tenants } from './tenants.js';

/** What was found with so many events in ClickHouse. */
export type StoredFigures = {
  readonly events: number;
  readonly fillMs: number;
  readonly rollup: RollupFigures;
  readonly tables: readonly TableSize[];
  readonly cases: readonly CaseFigures[];
  /** Empty but for the last, the largest number of events. */
  readonly otherCases: readonly CaseFigures[];
  readonly rawPairs: readonly RawPair[];
};

export type StoredRun = {
  readonly sizes: Sizes;
  /** PATH: where the service's wrappers (taskset, setpriv) are looked for. */
  readonly searchPath: string | undefined;
  readonly signal: AbortSignal;
};

type Bench = StoredRun & { readonly stack: BenchStack; readonly tenants: Tenants };

const SERVICE_PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const TABLES = ['events', 'visits_daily'];
const MERGES_LIMIT_MS = 60_000;

/** Measures the API, the rollup and the disk with one number of events after the other, on engines of its own. */
export async function measureStored(run: StoredRun): Promise<readonly StoredFigures[]> {
  const stack = await openBenchStack({ report: () => undefined, signal: run.signal });
  try {
    const tenants = await withProgress('users and their links', OWNERS, ({ step }) =>
      addTenants(stack, Date.now(), step),
    );
    const bench = { ...run, stack, tenants };
    const found: StoredFigures[] = [];
    const largest = Math.max(...run.sizes.eventsStored);
    for (const events of run.sizes.eventsStored) {
      found.push(await measureWith(bench, events, events === largest));
    }
    return found;
  } finally {
    await stack.close();
  }
}

async function measureWith(bench: Bench, events: number, isLargest: boolean): Promise<StoredFigures> {
  const { stack, signal } = bench;
  const { clickhouse } = stack;
  for (const table of [...TABLES, 'rollup_state']) {
    await clickhouse.command({ query: `truncate table ${table}` });
  }
  const nowMs = Date.now();
  const fillMs = await timed(() =>
    withProgress(`${events.toLocaleString('en')} events`, events, ({ reach }) =>
      fillEvents(clickhouse, { rows: events, nowMs, signal }, reach),
    ),
  );
  const rollup = await measureRollup(clickhouse, events, signal);
  await waitForMerges(bench);
  const tables = await readTableSizes(clickhouse, TABLES);
  const answered = await withService(bench, async (service) => {
    await checkAnswers(service, clickhouse, bench.tenants);
    return {
      cases: await measureCases(bench, service, Object.values(goalCases(bench.tenants))),
      otherCases: isLargest ? await measureCases(bench, service, otherCases(bench.tenants, nowMs)) : [],
      rawPairs: isLargest ? await comparePairs(bench, service) : [],
    };
  });
  return { events, fillMs, rollup, tables, ...answered };
}

async function withService<T>(
  { stack, searchPath }: Bench,
  work: (service: ServerProcess) => Promise<T>,
): Promise<T> {
  const service = await startServer({
    name: 'management',
    program: SERVICE_PROGRAM,
    // Totals are asked for each time, and not kept for a second.
    env: { PATH: searchPath, ...stack.serviceEnv, TOTALS_AGE_MAX_MS: '0' },
    core: null,
    logFile: stack.logFile('management'),
  });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function measureCases(
  { stack, sizes, signal }: Bench,
  service: ServerProcess,
  cases: readonly Parameters<typeof measureCase>[0][],
): Promise<readonly CaseFigures[]> {
  return withProgress('requests', cases.length * CONNECTIONS.length, async ({ step }) => {
    const found: CaseFigures[] = [];
    for (const each of cases) {
      const { clickhouse } = stack;
      const options = { service, clickhouse, seconds: sizes.loadSeconds, signal, onPhase: step };
      found.push(await measureCase(each, options));
    }
    return found;
  });
}

async function comparePairs(
  { stack, tenants, sizes, signal }: Bench,
  service: ServerProcess,
): Promise<readonly RawPair[]> {
  const { clickhouse } = stack;
  const pairs = sizes.rawPairs;
  return withProgress('beside raw rows', RAW_QUESTIONS * pairs, ({ step }) =>
    compareWithRaw(tenants, { service, clickhouse, pairs, signal, onPair: step }),
  );
}

/** Waits until ClickHouse has merged what it merges by itself, or for a minute. */
async function waitForMerges({ stack: { clickhouse }, signal }: Bench): Promise<void> {
  const deadline = performance.now() + MERGES_LIMIT_MS;
  let quiet = 0;
  while (quiet < 3 && performance.now() < deadline) {
    await sleep(500, undefined, { signal });
    const result = await clickhouse.query({
      query: 'select toUInt32(count()) as merges from system.merges where database = currentDatabase()',
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ merges: number }>();
    quiet = row?.merges === 0 ? quiet + 1 : 0;
  }
}
