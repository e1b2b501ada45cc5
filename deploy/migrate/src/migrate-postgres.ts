import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { Client } from 'pg';
import { pendingMigrations, readMigrations } from './migration-files.js';
import type { AppliedMigration, Migration } from './migration-files.js';

// Any fixed numbers do; they only have to differ from each other and from other advisory locks in the database.
const POSTGRES_LOCK = 7_236_401;
const CLICKHOUSE_LOCK = 7_236_402;

const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 120_000;

const CREATE_BOOKKEEPING = `
  create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`;
// Of databases that an older release has migrated. Rows from then have null: compatible with the one before.
const ADD_COMPATIBLE_FROM = 'alter table schema_migration add column if not exists compatible_from integer';
const HAS_COMPATIBLE_FROM = `
  select 1 from pg_attribute
  where attrelid = 'schema_migration'::regclass and attname = 'compatible_from' and not attisdropped`;
const FIND_APPLIED = 'select number, name, sha256 from schema_migration order by number';

/**
 * Brings the Postgres database up to the newest file of `folder` and returns the names of the files it applied.
 * Runs at the same time wait for each other (up to two minutes). Each file is one transaction: a file that fails
 * leaves nothing behind, and the error names it. Throws MigrationError when folder and database do not fit.
 */
export async function migratePostgres(options: {
  databaseUrl: string;
  folder: string;
  report?: (line: string) => void;
}): Promise<readonly string[]> {
  const files = readMigrations(options.folder);
  return withAdvisoryLock(options.databaseUrl, POSTGRES_LOCK, async (client) => {
    await client.query(CREATE_BOOKKEEPING);
    // Asked first: to add what is there takes the lock that every start of a service would wait for.
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

/** Returns the names of the files that migratePostgres would apply now. Changes nothing. Throws as it does. */
export async function planPostgres(options: {
  databaseUrl: string;
  folder: string;
}): Promise<readonly string[]> {
  const files = readMigrations(options.folder);
  return withConnection(options.databaseUrl, async (client) => {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('schema_migration') is not null as "isThere"`,
    );
    const applied =
      rows[0]?.isThere === true ? (await client.query<AppliedMigration>(FIND_APPLIED)).rows : [];
    return pendingMigrations(files, applied).map((migration) => migration.name);
  });
}

/**
 * Runs `work` while no other process migrates ClickHouse, and returns its answer. ClickHouse has no lock to take,
 * so the lock is one of the Postgres database at `databaseUrl`.
 */
export async function withClickhouseLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  return withAdvisoryLock(databaseUrl, CLICKHOUSE_LOCK, work);
}

async function withAdvisoryLock<T>(
  databaseUrl: string,
  lock: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withConnection(databaseUrl, async (client) => {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Ending the session gives the lock back.
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query('reset lock_timeout');
    return work(client);
  });
}

async function withConnection<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks between two queries would otherwise be an uncaught 'error' event; the next query
  // rejects all the same.
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
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query(
      'insert into schema_migration (number, name, sha256, compatible_from) values ($1, $2, $3, $4)',
      [migration.number, migration.name, migration.sha256, migration.compatibleFrom],
    );
    await client.query('commit');
  } catch (err) {
    await client.query('rollback');
    const reason = err instanceof Error ? err.message : String(err);
    throw new Error(`${migration.name} failed and was rolled back: ${reason}`, { cause: err });
  }
}
