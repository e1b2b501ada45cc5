import { parseArgs } from 'node:util';
import { readConfigOrExit } from '@smartlink/process/config';
import { migrateConfigSchema } from './config.js';
import { migrateBoth, planBoth } from './migrate.js';
import type { MigrationPlan } from './migrate.js';
import { waitForDatabases } from './wait-for-databases.js';

const HELP = `Brings Postgres and ClickHouse up to the newest migration of deploy/migrations.

  npm run migrate [-- --check | --dry-run] [--wait-seconds 60]

  --dry-run          prints what would be applied, and applies nothing
  --check            the same, and ends with 1 when something would be
  --wait-seconds 60  how long databases that do not answer yet are waited for; 0 tries once

Variables:
  DATABASE_URL               postgres://user:password@host:port/database
  CLICKHOUSE_URL             http://user:password@host:port/database (created when missing)
  CLICKHOUSE_ENGINE_PREFIX   Replicated, on a cluster with Keeper
  CLICKHOUSE_CLUSTER         the cluster's name, for "on cluster"
  CLICKHOUSE_LOCAL_DATABASE  a cluster of several shards: the database of the tables themselves; the one in the URL gets
                             Distributed tables over them (docs/clickhouse-cluster.md)

Ends with 0 when all is done, 1 when it failed and 2 when it was called wrongly. Safe to run again and from several
machines at once. "npm start" does it by itself. The order of an upgrade: docs/upgrading.md.
`;

type Arguments = {
  readonly isCheck: boolean;
  readonly isDryRun: boolean;
  readonly waitMs: number;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

process.exitCode = await main();

async function main(): Promise<number> {
  let given: Arguments | null;
  try {
    given = readArguments();
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    return 2;
  }
  if (given !== null) return migrate(given);
  process.stdout.write(HELP);
  return 0;
}

/** Returns null when help is asked for. Throws for what cannot be understood. */
function readArguments(): Arguments | null {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      check: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'wait-seconds': { type: 'string', default: '60' },
    },
  });
  if (!/^\d{1,4}$/.test(values['wait-seconds'])) {
    throw new Error('--wait-seconds: expected a whole number of seconds, up to 9999');
  }
  if (values.help) return null;
  return {
    isCheck: values.check,
    isDryRun: values['dry-run'],
    waitMs: Number(values['wait-seconds']) * 1_000,
  };
}

async function migrate({ isCheck, isDryRun, waitMs }: Arguments): Promise<number> {
  const config = readConfigOrExit(migrateConfigSchema, process.env);
  const databases = { databaseUrl: config.DATABASE_URL, clickhouseUrl: config.CLICKHOUSE_URL };
  try {
    await waitForDatabases({ ...databases, limitMs: waitMs, report: say });
    if (isCheck || isDryRun) {
      const count = tellPlan(await planBoth(databases));
      return isCheck && count > 0 ? 1 : 0;
    }
    const applied = await migrateBoth({
      ...databases,
      engine: config.CLICKHOUSE_ENGINE_PREFIX,
      onCluster: config.CLICKHOUSE_CLUSTER,
      localDatabase: config.CLICKHOUSE_LOCAL_DATABASE,
      report: say,
    });
    say(applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.length} migrations.`);
    return 0;
  } catch (err) {
    process.stderr.write(`Migration failed: ${err instanceof Error ? err.message : String(err)}\n`);
    return 1;
  }
}

function tellPlan({ postgres, clickhouse }: MigrationPlan): number {
  for (const name of postgres) say(`postgres: ${name} is pending`);
  for (const name of clickhouse) say(`clickhouse: ${name} is pending`);
  const count = postgres.length + clickhouse.length;
  say(count === 0 ? 'Nothing is pending.' : `${count} migrations are pending.`);
  return count;
}
