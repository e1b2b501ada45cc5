import { parseArgs } from 'node:util';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Client } from 'pg';
import type { z } from 'zod';
import { readConfigOrExit } from '@smartlink/process/config';
import { failureMessage } from '@smartlink/process/database';
import { schemaSources, waitForSchema } from '@smartlink/process/schema';
import { migrateConfigSchema } from './config.js';
import { migrateBoth, planBoth } from './migrate.js';

const HELP = `Applies the pending migrations of deploy/migrations to Postgres and ClickHouse.

  npm run migrate [-- --check | --dry-run] [--wait-seconds 60]

  --dry-run          print the pending migrations and apply nothing
  --check            the same, with exit code 1 if there are any
  --wait-seconds 60  wait this long for databases that do not answer; 0 tries once

Variables:
  DATABASE_URL               postgres://user:password@host:port/database
  CLICKHOUSE_URL             http://user:password@host:port/database (created if missing)
  CLICKHOUSE_ENGINE_PREFIX   Replicated, on a cluster with Keeper
  CLICKHOUSE_CLUSTER         name of the cluster, for "on cluster"
  CLICKHOUSE_LOCAL_DATABASE  on a cluster of several shards: the database of the tables themselves; the one in the URL gets
                             Distributed tables over them (docs/scale.md)

Exit codes: 0 success, 1 failure, 2 invalid arguments. It can be repeated, and run on several machines at once. "npm start"
runs it by itself. The order of an upgrade: docs/operate.md.
`;

// A database that is starting answers or refuses at once; after this silence it is asked again.
const ANSWER_MS_MAX = 5_000;

type MigrateConfig = z.output<typeof migrateConfigSchema>;

const print = (line: string) => process.stdout.write(`${line}\n`);

const given = readArguments();
process.exitCode = typeof given === 'number' ? given : await migrate(given);

/** An exit code after --help or invalid arguments. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        check: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        'wait-seconds': { type: 'string', default: '60' },
      },
    });
    const { help, check: isCheck, 'dry-run': isDryRun, 'wait-seconds': seconds } = values;
    if (!/^\d{1,4}$/.test(seconds)) {
      throw new Error('--wait-seconds: expected a whole number of seconds, up to 9999');
    }
    if (help !== true) return { isCheck, isDryRun, waitMs: Number(seconds) * 1_000 };
    process.stdout.write(HELP);
    return 0;
  } catch (err) {
    process.stderr.write(`${failureMessage(err)}\n`);
    return 2;
  }
}

async function migrate(options: { isCheck: boolean; isDryRun: boolean; waitMs: number }): Promise<number> {
  const config = readConfigOrExit(migrateConfigSchema, process.env);
  const { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl } = config;
  try {
    await waitForDatabases(config, options.waitMs);
    if (options.isCheck || options.isDryRun) {
      const pending = await planBoth(databaseUrl, clickhouseUrl);
      for (const line of pending) print(`${line} is pending`);
      print(pending.length === 0 ? 'Nothing is pending.' : `${pending.length} migrations are pending.`);
      return options.isCheck && pending.length > 0 ? 1 : 0;
    }
    const applied = await migrateBoth({
      databaseUrl,
      clickhouseUrl,
      engine: config.CLICKHOUSE_ENGINE_PREFIX,
      onCluster: config.CLICKHOUSE_CLUSTER,
      localDatabase: config.CLICKHOUSE_LOCAL_DATABASE,
      report: print,
    });
    print(applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.length} migrations.`);
    return 0;
  } catch (err) {
    process.stderr.write(`Migration failed: ${failureMessage(err)}\n`);
    return 1;
  }
}

/** Throws one line when a database does not answer within `limitMs`, and at once when it refuses the login or database. */
async function waitForDatabases(config: MigrateConfig, limitMs: number): Promise<void> {
  const startedAt = performance.now();
  const { postgres, clickhouse } = schemaSources(config, {
    answerMsMax: ANSWER_MS_MAX,
    applicationName: 'smartlink-migrate-start',
    openPostgres: (settings) => new Client(settings),
    openClickhouse: (settings) => createClient({ ...settings, log: { level: ClickHouseLogLevel.OFF } }),
  });
  for (const source of [postgres, clickhouse]) {
    const leftMs = Math.max(0, limitMs - (performance.now() - startedAt));
    const state = await waitForSchema(source, { limitMs: leftMs, report: print, endsOnRefusal: true });
    if (state.kind !== 'unreachable') continue;
    // A missing database of ClickHouse is created.
    const isMissing = state.refuses === 'database';
    const hint = isMissing ? `: create database ${quotedDatabase(config.DATABASE_URL)}` : '';
    throw new Error(`${state.reason}${hint}`);
  }
}

/** Name of the database as an SQL identifier. */
function quotedDatabase(databaseUrl: string): string {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
