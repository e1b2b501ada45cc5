import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { distributedTableSql, listDistributedTables } from './distributed-tables.js';
import { MigrationError, pendingMigrations, readMigrations } from './migration-files.js';
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
  /**
   * For a cluster of several shards: the database of the tables themselves. The one in the URL then gets Distributed
   * tables of the same names over them, so that nobody who reads or inserts there has to know.
   */
  readonly localDatabase?: string | undefined;
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
  const place = await openPlace(options);
  const { fill, tables, books } = place;
  try {
    await tables.command({ query: fill(CREATE_BOOKKEEPING) });
    await tables.command({ query: fill(ADD_COMPATIBLE_FROM) });
    await place.distribute();
    const pending = pendingMigrations(files, await findApplied(books));
    for (const migration of pending) {
      report(`clickhouse: ${migration.name}`);
      await apply(migration, (statement, title) =>
        reporting(
          () => tables.command({ query: fill(statement) }),
          (seconds) => {
            report(`clickhouse: ${title} has been running for ${seconds} s`);
          },
          progressIntervalMs,
        ),
      );
      // Before it is noted, so that a run that breaks off here is repeated.
      await place.distribute();
      await remember(books, migration);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await place.close();
  }
}

type Place = {
  readonly fill: (sql: string) => string;
  /** Where migrations are applied. */
  readonly tables: ClickHouseClient;
  /** Where the bookkeeping is read and written: as the services see it. */
  readonly books: ClickHouseClient;
  /** Brings Distributed tables up to the tables they stand for; nothing without shards. */
  readonly distribute: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Makes the databases and opens them. The caller closes it. */
async function openPlace(options: ClickhouseCluster & { readonly clickhouseUrl: string }): Promise<Place> {
  const { clickhouseUrl, localDatabase, onCluster: cluster } = options;
  if (localDatabase === undefined) {
    const fill = (sql: string) => fillPlaceholders(sql, options);
    await createDatabase(clickhouseUrl, fill);
    const client = openClient(clickhouseUrl);
    return {
      fill,
      tables: client,
      books: client,
      distribute: () => Promise.resolve(),
      close: () => client.close(),
    };
  }
  const database = decodeURIComponent(new URL(clickhouseUrl).pathname.slice(1));
  if (cluster === undefined) throw new MigrationError('CLICKHOUSE_LOCAL_DATABASE needs CLICKHOUSE_CLUSTER');
  if (!/^[A-Za-z_]\w*$/.test(database) || database === localDatabase) {
    throw new MigrationError(
      'CLICKHOUSE_URL needs a database of a plain name, and another than CLICKHOUSE_LOCAL_DATABASE',
    );
  }
  const localUrl = Object.assign(new URL(clickhouseUrl), { pathname: `/${localDatabase}` }).href;
  const onCluster = (await isAlone(clickhouseUrl, cluster)) ? '' : cluster;
  const fill = (sql: string) => fillPlaceholders(sql, { ...options, onCluster });
  await createDatabase(clickhouseUrl, fill);
  await createDatabase(localUrl, fill);
  const tables = openClient(localUrl);
  const books = openClient(clickhouseUrl);
  return {
    fill,
    tables,
    books,
    distribute: async () => {
      for (const table of await listDistributedTables(tables, { cluster, database, localDatabase })) {
        await books.command({ query: fill(distributedTableSql(table, '{on_cluster}')) });
      }
    },
    close: async () => {
      await tables.close();
      await books.close();
    },
  };
}

/** Whether the cluster is this server and no other: then nothing has to be told to others, which takes a Keeper. */
async function isAlone(clickhouseUrl: string, cluster: string): Promise<boolean> {
  const client = createClient({
    ...CLIENT_OPTIONS,
    url: Object.assign(new URL(clickhouseUrl), { pathname: '/' }).href,
  });
  try {
    const result = await client.query({
      query: 'select is_local from system.clusters where cluster = {cluster:String}',
      query_params: { cluster },
      format: 'JSONEachRow',
    });
    const hosts = await result.json<{ is_local: number }>();
    if (hosts.length === 0)
      throw new MigrationError(`ClickHouse has no cluster ${cluster} (system.clusters)`);
    return hosts.length === 1 && hosts[0]?.is_local === 1;
  } catch (err) {
    throw unreachable(clickhouseUrl, err);
  } finally {
    await client.close();
  }
}

function openClient(url: string): ClickHouseClient {
  return createClient({
    ...CLIENT_OPTIONS,
    request_timeout: STATEMENT_SECONDS_MAX * 1_000,
    clickhouse_settings: {
      // The embedded one ends after a minute what names no limit, and a cluster's hosts are waited for for three.
      max_execution_time: STATEMENT_SECONDS_MAX,
      distributed_ddl_task_timeout: String(STATEMENT_SECONDS_MAX),
      // What is noted must be there when it is read again.
      distributed_foreground_insert: 1,
    },
    url,
  });
}

const CREATE_BOOKKEEPING = `
  create table if not exists schema_migration {on_cluster} (
    number UInt32,
    name String,
    sha256 String,
    applied_at DateTime64(3, 'UTC') default now64(3)
  ) engine = {engine_prefix}ReplacingMergeTree(applied_at) order by number`;

// Of databases that an older release has migrated. Rows from then have null: compatible with the one before.
const ADD_COMPATIBLE_FROM =
  'alter table schema_migration {on_cluster} add column if not exists compatible_from Nullable(UInt32)';

/** Returns the names of the files that migrateClickhouse would apply now. Changes nothing. Throws as it does. */
export async function planClickhouse(options: {
  clickhouseUrl: string;
  folder: string;
}): Promise<readonly string[]> {
  const files = readMigrations(options.folder);
  const client = createClient({ ...CLIENT_OPTIONS, url: options.clickhouseUrl });
  try {
    const applied = await findApplied(client);
    return pendingMigrations(files, applied).map((migration) => migration.name);
  } catch (err) {
    if (err instanceof ClickHouseError && NEVER_MIGRATED.has(err.code)) return files.map((file) => file.name);
    throw unreachable(options.clickhouseUrl, err);
  } finally {
    await client.close();
  }
}

/** ClickHouse's codes for an unknown table and an unknown database. */
const NEVER_MIGRATED: ReadonlySet<string> = new Set(['60', '81']);

/** Returns one clear line for a failure to connect, and any other failure as it is. */
function unreachable(url: string, err: unknown): unknown {
  const isOurs = err instanceof MigrationError || (err instanceof ClickHouseError && !REFUSED.has(err.code));
  return isOurs ? err : new Error(describeDatabaseFailure('ClickHouse', url, err), { cause: err });
}

/** AUTHENTICATION_FAILED and REQUIRED_PASSWORD. */
const REFUSED: ReadonlySet<string> = new Set(['516', '194']);

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
    await client.command({
      query: fill('create database if not exists {database:Identifier} {on_cluster}'),
      query_params: { database },
    });
  } catch (err) {
    throw unreachable(clickhouseUrl, err);
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
    columns: ['number', 'name', 'sha256', 'compatible_from'],
    values: [
      {
        number: migration.number,
        name: migration.name,
        sha256: migration.sha256,
        compatible_from: migration.compatibleFrom,
      },
    ],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}
