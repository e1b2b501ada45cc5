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
    const { rows } = await client.query<AppliedMigration>(
      'select number, name, sha256 from schema_migration order by number',
    );
    const pending = pendingMigrations(files, rows);
    for (const migration of pending) {
      options.report?.(`postgres: ${migration.name}`);
      await apply(client, migration);
    }
    return pending.map((migration) => migration.name);
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
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks between two queries would otherwise be an uncaught 'error' event; the next query
  // rejects all the same.
  client.on('error', () => undefined);
  await connect(client);
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query('reset lock_timeout');
    return await work(client);
  } finally {
    // Ending the session gives the lock back.
    await client.end();
  }
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (err) {
    // Node's error for a name with several addresses has a code and an empty message.
    const { message, code } = err as Error & { code?: string };
    const reason = message || (code ?? 'no reason given');
    throw new Error(`Postgres at ${client.host}:${client.port} cannot be reached: ${reason}`, { cause: err });
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migration (number, name, sha256) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.sha256,
    ]);
    await client.query('commit');
  } catch (err) {
    await client.query('rollback');
    const reason = err instanceof Error ? err.message : String(err);
    throw new Error(`${migration.name} failed and was rolled back: ${reason}`, { cause: err });
  }
}
