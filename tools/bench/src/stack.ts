import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Pool } from 'pg';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import { migrateBoth } from '@smartlink/migrate/migrate';
import { allowedCores, onCores } from './machine.js';
import type { BenchRun } from './program.js';

export type BenchStack = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly redisUrl: string;
  /** Path of a folder of the run, created when missing and removed with the stack. */
  readonly folder: (name: string) => string;
  /** Stops the engines and removes their files. */
  readonly close: () => Promise<void>;
};

/** Plan of the bench users, without practical limits. */
export const BENCH_PLAN = 'Bench';
const ADD_PLAN = `
insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed)
values ('${BENCH_PLAN}', null, 2000000000, null, true)`;
// Merging 50 million events takes minutes on a busy machine.
const STATEMENT_LIMIT_MS = 1_800_000;

/**
 * Starts migrated engines in a temporary folder, as durable as those of `npm start`. The caller closes them. Rejects with
 * StackError when an engine does not start.
 */
export async function openBenchStack(signal: AbortSignal): Promise<BenchStack> {
  const report = () => undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-bench-'));
  const dataFolder = await claimDataFolder(folder, report);
  const remove = (each: string) => {
    rmSync(each, { recursive: true, force: true });
  };
  const stack = await startStack({ dataFolder, external: {}, report, signal }).catch((err: unknown) => {
    remove(folder);
    throw err;
  });
  const pg = new Pool({ connectionString: stack.databaseUrl, max: 4, connectionTimeoutMillis: 5_000 });
  pg.on('error', () => undefined);
  const clickhouse = createClient({
    url: stack.clickhouseUrl,
    request_timeout: STATEMENT_LIMIT_MS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const close = async () => {
    await pg.end();
    await clickhouse.close();
    await stack.stop();
    stack.dataDirs.forEach(remove);
  };
  try {
    await migrateBoth(stack);
    await pg.query(ADD_PLAN);
  } catch (err) {
    await close();
    throw err;
  }
  const { databaseUrl, clickhouseUrl, redisUrl } = stack;
  return { pg, clickhouse, databaseUrl, clickhouseUrl, redisUrl, folder: dataFolder.folder, close };
}

export type StackRun<Sizes extends object> = BenchRun<Sizes> & {
  readonly stack: BenchStack;
  /** Core of the server under load; null: any. */
  readonly serverCore: string | null;
};

/** Does `work` on engines of its own; if `isPinned`, one core is left to the server under load. */
export async function withStack<Sizes extends object, Result>(
  run: BenchRun<Sizes>,
  { isPinned }: { readonly isPinned: boolean },
  work: (run: StackRun<Sizes>) => Promise<Result>,
): Promise<Result> {
  const cores = allowedCores();
  const [first, ...others] = cores;
  const serverCore = isPinned && first !== undefined && others.length > 0 ? first : null;
  process.stdout.write(
    serverCore === null
      ? `Nothing is pinned${isPinned ? ': taskset is missing or there is only one core' : ''}.\n`
      : `The server under load runs alone on core ${serverCore}; the client and the engines share core ${others.join(',')}.\n`,
  );
  return onCores(serverCore === null ? cores : others, async () => {
    const stack = await openBenchStack(run.signal);
    try {
      return await work({ ...run, stack, serverCore });
    } finally {
      await stack.close();
    }
  });
}
