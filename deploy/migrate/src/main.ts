import { parseArgs } from 'node:util';
import { readConfigOrExit } from '@smartlink/process/config';
import { migrateConfigSchema } from './config.js';
import { migrateBoth } from './migrate.js';

const HELP = `Brings Postgres and ClickHouse up to the newest migration of deploy/migrations.

  npm run migrate

Variables:
  DATABASE_URL               postgres://user:password@host:port/database
  CLICKHOUSE_URL             http://user:password@host:port/database (created when missing)
  CLICKHOUSE_ENGINE_PREFIX   Replicated, on a cluster with Keeper
  CLICKHOUSE_CLUSTER         the cluster's name, for "on cluster"

Safe to run again and from several machines at once. "npm start" does it by itself.
`;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
    if (!values.help) return await migrate();
    process.stdout.write(HELP);
    return 0;
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    return 2;
  }
}

async function migrate(): Promise<number> {
  const config = readConfigOrExit(migrateConfigSchema, process.env);
  try {
    const applied = await migrateBoth({
      databaseUrl: config.DATABASE_URL,
      clickhouseUrl: config.CLICKHOUSE_URL,
      engine: config.CLICKHOUSE_ENGINE_PREFIX,
      onCluster: config.CLICKHOUSE_CLUSTER,
      report: (line) => process.stdout.write(`${line}\n`),
    });
    process.stdout.write(
      applied.length === 0 ? 'Nothing to do.\n' : `Applied ${applied.length} migrations.\n`,
    );
    return 0;
  } catch (err) {
    process.stderr.write(`Migration failed: ${err instanceof Error ? err.message : String(err)}\n`);
    return 1;
  }
}
