import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { migrateBoth } from '@smartlink/migrate/migrate';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import { Pool } from 'pg';

export type BenchStack = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  readonly clickhouseUrl: string;
  readonly redisUrl: string;
  /** The variables of the service. */
  readonly serviceEnv: Readonly<Record<string, string>>;
  /** Returns the path of a log file in the run's own folder. */
  readonly logFile: (name: string) => string;
  /** Returns a folder in the run's own, which goes with it; made when it is missing. */
  readonly folder: (name: string) => string;
  /** Stops the engines and removes what they wrote. */
  readonly close: () => Promise<void>;
};

/** Every request is counted against this plan as against any other; it only never ends. */
export const BENCH_PLAN = 'Bench';
const REQUESTS_PER_MINUTE = 2_000_000_000;
/** Of one statement of the bench itself: a month of events is merged in some seconds. */
const STATEMENT_LIMIT_MS = 300_000;

/**
 * Starts engines of the run's own, in a temporary folder and as durable as those of `npm start`, brings them up to date
 * and adds the plan of the users of the bench. The caller closes it. Rejects with StackError when an engine does not start.
 */
export async function openBenchStack(options: {
  report: (line: string) => void;
  signal: AbortSignal;
}): Promise<BenchStack> {
  const { report, signal } = options;
  const dataFolder = await claimDataFolder(mkdtempSync(join(tmpdir(), 'smartlink-bench-')), report);
  const stack = await startStack({ dataFolder, external: {}, report, signal });
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
    for (const folder of stack.dataDirs) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrateBoth(stack);
    await pg.query(
      `insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed)
       values ($1, null, $2, null, true)`,
      [BENCH_PLAN, REQUESTS_PER_MINUTE],
    );
  } catch (err) {
    await close();
    throw err;
  }
  return {
    pg,
    clickhouse,
    clickhouseUrl: stack.clickhouseUrl,
    redisUrl: stack.redisUrl,
    serviceEnv: {
      DATABASE_URL: stack.databaseUrl,
      REDIS_URL: stack.redisUrl,
      CLICKHOUSE_URL: stack.clickhouseUrl,
      MANAGEMENT_PORT: '0',
    },
    logFile: (name) => join(dataFolder.folder('logs'), `${name}.log`),
    folder: dataFolder.folder,
    close,
  };
}
