import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { pendingMigrations, readMigrations } from './migration-files.js';
import type { AppliedMigration, Migration } from './migration-files.js';
import { splitStatements } from './statements.js';

// Errors are thrown, so the client need not print them too.
const CLIENT_OPTIONS = { request_timeout: 120_000, log: { level: ClickHouseLogLevel.OFF } };
// A statement that rewrites a large table is waited for, since one that is given up goes on over there, and is queued
// once more when the file is run again. The client's sockets have TCP's keep-alive, so the silence ends no connection.
const STATEMENT_SECONDS_MAX = 3_600;
const PROGRESS_INTERVAL_MS = 10_000;

export type ClickhouseCluster = {
  /** `Replicated` on a cluster: put before every MergeTree engine in place of `{engine_prefix}`. Empty by default. */
  readonly engine?: '' | 'Replicated' | undefined;
  /** Name of the cluster: `{on_cluster}` becomes `on cluster '<name>'`. Empty by default. */
  readonly onCluster?: string | undefined;
};

/**
 * Brings the ClickHouse database named in the URL up to the newest file of `folder`, creating the database where it
 * is missing, and returns the names of the files it applied. ClickHouse has neither transactions nor locks: a file
 * that fails halfway is run again whole (so every statement must bear that, `if not exists`), and the caller sees to
 * it that no two runs meet (withClickhouseLock). Throws MigrationError when folder and database do not fit.
 */
export async function migrateClickhouse(
  options: ClickhouseCluster & {
    clickhouseUrl: string;
    folder: string;
    report?: (line: string) => void;
    /** How often it reports that a statement is still running; 10 seconds by default. */
    progressIntervalMs?: number;
  },
): Promise<readonly string[]> {
  const { report = () => undefined, progressIntervalMs = PROGRESS_INTERVAL_MS } = options;
  const files = readMigrations(options.folder);
  const fill = (sql: string) => fillPlaceholders(sql, options);
  await createDatabase(options.clickhouseUrl, fill);
  const client = createClient({
    ...CLIENT_OPTIONS,
    request_timeout: STATEMENT_SECONDS_MAX * 1_000,
    clickhouse_settings: {
      // The embedded one ends after a minute what names no limit, and a cluster's hosts are waited for for three.
      max_execution_time: STATEMENT_SECONDS_MAX,
      distributed_ddl_task_timeout: String(STATEMENT_SECONDS_MAX),
    },
    url: options.clickhouseUrl,
  });
  try {
    await client.command({ query: fill(CREATE_BOOKKEEPING) });
    const pending = pendingMigrations(files, await findApplied(client));
    for (const migration of pending) {
      report(`clickhouse: ${migration.name}`);
      await apply(migration, (statement, title) =>
        reporting(
          () => client.command({ query: fill(statement) }),
          (seconds) => {
            report(`clickhouse: ${title} has been running for ${seconds} s`);
          },
          progressIntervalMs,
        ),
      );
      await remember(client, migration);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.close();
  }
}

const CREATE_BOOKKEEPING = `
  create table if not exists schema_migration {on_cluster} (
    number UInt32,
    name String,
    sha256 String,
    applied_at DateTime64(3, 'UTC') default now64(3)
  ) engine = {engine_prefix}ReplacingMergeTree(applied_at) order by number`;

/** Returns the SQL with `{engine_prefix}` and `{on_cluster}` filled in. Throws on a cluster name that needs quoting. */
export function fillPlaceholders(sql: string, cluster: ClickhouseCluster): string {
  const name = cluster.onCluster ?? '';
  if (!/^[\w{}.-]*$/.test(name))
    throw new Error(`the cluster name ${JSON.stringify(name)} is not a plain name`);
  return sql
    .replaceAll('{engine_prefix}', cluster.engine ?? '')
    .replaceAll('{on_cluster}', name === '' ? '' : `on cluster '${name}'`);
}

async function createDatabase(clickhouseUrl: string, fill: (sql: string) => string): Promise<void> {
  const url = new URL(clickhouseUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') return;
  // A request that names a database which is not there yet is refused, whatever it asks for.
  url.pathname = '/';
  const client = createClient({ ...CLIENT_OPTIONS, url: url.href });
  try {
    const ping = await client.ping();
    if (!ping.success)
      throw new Error(`ClickHouse at ${url.host} cannot be reached: ${describe(ping.error)}`);
    await client.command({
      query: fill('create database if not exists {database:Identifier} {on_cluster}'),
      query_params: { database },
    });
  } finally {
    await client.close();
  }
}

async function findApplied(client: ClickHouseClient): Promise<readonly AppliedMigration[]> {
  const result = await client.query({
    query: 'select number, name, sha256 from schema_migration final order by number',
    format: 'JSONEachRow',
  });
  return result.json<AppliedMigration>();
}

async function apply(
  migration: Migration,
  run: (statement: string, title: string) => Promise<unknown>,
): Promise<void> {
  for (const [index, statement] of splitStatements(migration.sql).entries()) {
    const title = `${migration.name}, statement ${index + 1},`;
    try {
      await run(statement, title);
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err);
      throw new Error(`${title} failed: ${reason}`, { cause: err });
    }
  }
}

/** Tells again and again, in whole seconds, how long the work has been going on. */
async function reporting(
  work: () => Promise<unknown>,
  tell: (seconds: number) => void,
  intervalMs: number,
): Promise<void> {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    tell(Math.round((performance.now() - startedAt) / 1_000));
  }, intervalMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function remember(client: ClickHouseClient, migration: Migration): Promise<void> {
  await client.insert({
    table: 'schema_migration',
    columns: ['number', 'name', 'sha256'],
    values: [{ number: migration.number, name: migration.name, sha256: migration.sha256 }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}

// Node's error for a name with several addresses has a code and an empty message.
function describe(err: Error & { code?: string }): string {
  return err.message || (err.code ?? err.name);
}
