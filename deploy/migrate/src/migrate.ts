import { Client } from 'pg';
import { describeDatabaseFailure, failureMessage, inTransaction } from '@smartlink/process/database';
import {
  type ClickhouseCluster,
  migrateClickhouse,
  planClickhouse,
  requireClickhouseVersion,
} from './migrate-clickhouse.js';
import {
  type AppliedMigration,
  type Migration,
  MIGRATION_FOLDERS,
  pendingMigrations,
  readMigrations,
} from './migration-files.js';

export { migrateClickhouse, MIGRATION_FOLDERS };

type Report = (line: string) => void;

// Arbitrary, but different from other advisory locks in the database.
const POSTGRES_LOCK = 7_236_401;
const CLICKHOUSE_LOCK = 7_236_402;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Applies pending migrations, Postgres first, and returns the names of the files applied. Concurrent runs wait for each
 * other. ClickHouse has no locks, so an advisory lock of Postgres guards it.
 */
export async function migrateBoth(
  options: ClickhouseCluster & { databaseUrl: string; clickhouseUrl: string; report?: Report },
): Promise<readonly string[]> {
  const { databaseUrl, clickhouseUrl, report } = options;
  // Before anything is changed.
  await requireClickhouseVersion(clickhouseUrl);
  const postgres = await migratePostgres({ databaseUrl, ...(report && { report }) });
  const clickhouse = await withAdvisoryLock(databaseUrl, CLICKHOUSE_LOCK, () => migrateClickhouse(options));
  return [...postgres, ...clickhouse];
}

/** Files that migrateBoth would apply now, as `postgres: NAME`. Changes nothing and takes no lock. */
export async function planBoth(databaseUrl: string, clickhouseUrl: string): Promise<readonly string[]> {
  await requireClickhouseVersion(clickhouseUrl);
  return [
    ...(await planPostgres(databaseUrl)).map((name) => `postgres: ${name}`),
    ...(await planClickhouse(clickhouseUrl)).map((name) => `clickhouse: ${name}`),
  ];
}

const CREATE_BOOKKEEPING = `
  create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`;
// For databases of an older release, whose rows keep null: compatible with the previous migration.
const ADD_COMPATIBLE_FROM = 'alter table schema_migration add column if not exists compatible_from integer';
const HAS_COMPATIBLE_FROM = `
  select 1 from pg_attribute
  where attrelid = 'schema_migration'::regclass and attname = 'compatible_from' and not attisdropped`;
const FIND_APPLIED = 'select number, name, sha256 from schema_migration order by number';

/**
 * Applies the pending migrations of `folder`, by default the project's, and returns their names. Concurrent runs wait for
 * each other, up to two minutes. Each file is a transaction: a failing file leaves nothing behind, and the error names it.
 * Throws MigrationError when folder and database do not match.
 */
export async function migratePostgres(options: {
  databaseUrl: string;
  folder?: string;
  report?: Report;
}): Promise<readonly string[]> {
  const files = readMigrations(options.folder ?? MIGRATION_FOLDERS.postgres);
  return withAdvisoryLock(options.databaseUrl, POSTGRES_LOCK, async (client) => {
    await client.query(CREATE_BOOKKEEPING);
    // Adding an existing column would take a lock for which every start of a service waits.
    if ((await client.query(HAS_COMPATIBLE_FROM)).rows.length === 0) await client.query(ADD_COMPATIBLE_FROM);
    const { rows } = await client.query<AppliedMigration>(FIND_APPLIED);
    const pending = pendingMigrations(files, rows);
    for (const migration of pending) {
      options.report?.(`postgres: ${migration.name}`);
      await apply(client, migration);
    }
    return pending.map((migration) => migration.name);
  });
}

async function planPostgres(databaseUrl: string): Promise<readonly string[]> {
  const files = readMigrations(MIGRATION_FOLDERS.postgres);
  return withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query("select 1 where to_regclass('schema_migration') is not null");
    const applied = rows.length === 0 ? [] : (await client.query<AppliedMigration>(FIND_APPLIED)).rows;
    return pendingMigrations(files, applied).map((migration) => migration.name);
  });
}

async function withAdvisoryLock<T>(
  databaseUrl: string,
  lock: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withConnection(databaseUrl, async (client) => {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // The end of the session releases the lock.
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query('reset lock_timeout');
    return work(client);
  });
}

async function withConnection<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that breaks between two queries would end the process. The next query rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (err) {
    throw new Error(describeDatabaseFailure('Postgres', databaseUrl, err), { cause: err });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const { number, name, sql, sha256, compatibleFrom } = migration;
  try {
    await inTransaction(client, async () => {
      await client.query(sql);
      await client.query(
        'insert into schema_migration (number, name, sha256, compatible_from) values ($1, $2, $3, $4)',
        [number, name, sha256, compatibleFrom],
      );
    });
  } catch (err) {
    throw new Error(`${name} failed and was rolled back: ${failureMessage(err)}`, { cause: err });
  }
}
