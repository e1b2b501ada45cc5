import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import {
  describeDatabaseFailure,
  failureCode,
  failureMessage,
  LOGIN_CODES,
} from '@smartlink/process/database';
import { CLICKHOUSE_MIN, isAtLeast } from '@smartlink/process/schema';
import {
  type AppliedMigration,
  type Migration,
  MIGRATION_FOLDERS,
  MigrationError,
  pendingMigrations,
  readMigrations,
} from './migration-files.js';

// Errors are thrown, so the client need not log them.
const CLIENT_OPTIONS = { request_timeout: 120_000, log: { level: ClickHouseLogLevel.OFF } };
// A statement abandoned by the client continues on the server, and the next run of the file would queue it again. TCP
// keep-alive of the client's sockets keeps a silent connection open.
const STATEMENT_SECONDS_MAX = 3_600;
const PROGRESS_INTERVAL_MS = 10_000;
const UNKNOWN_TABLE_OR_DATABASE = ['60', '81'];

export type ClickhouseCluster = {
  /** Replaces `{engine_prefix}` before every MergeTree engine; `Replicated` on a cluster, empty by default. */
  readonly engine?: '' | 'Replicated' | undefined;
  /** Cluster name: `{on_cluster}` becomes `on cluster '<name>'`. Empty by default. */
  readonly onCluster?: string | undefined;
  /**
   * On a cluster of several shards, the database of the tables themselves. The one in the URL has Distributed tables of
   * the same names, so that readers and writers need no change.
   */
  readonly localDatabase?: string | undefined;
};

/**
 * Applies the pending migrations of `folder`, by default the project's, and returns their names; creates a missing
 * database. ClickHouse has neither transactions nor locks: a failed file is run again from its start, so every statement
 * must be repeatable (`if not exists`), and the caller must prevent concurrent runs. Throws MigrationError when folder
 * and database do not match.
 */
export async function migrateClickhouse(
  options: ClickhouseCluster & {
    clickhouseUrl: string;
    folder?: string;
    report?: (line: string) => void;
    /** Between reports of a running statement; 10 s by default. */
    progressIntervalMs?: number;
  },
): Promise<readonly string[]> {
  const { report = () => undefined, progressIntervalMs = PROGRESS_INTERVAL_MS } = options;
  const files = readMigrations(options.folder ?? MIGRATION_FOLDERS.clickhouse);
  const { tables, bookkeeping, execute, distribute } = await openTarget(options);
  try {
    await execute(CREATE_BOOKKEEPING);
    await execute(ADD_COMPATIBLE_FROM);
    await distribute();
    const pending = pendingMigrations(files, await findApplied(bookkeeping));
    for (const migration of pending) {
      report(`clickhouse: ${migration.name}`);
      for (const [index, statement] of splitStatements(migration.sql).entries()) {
        const title = `${migration.name}, statement ${index + 1},`;
        const startedAt = performance.now();
        const progress = setInterval(() => {
          const seconds = Math.round((performance.now() - startedAt) / 1_000);
          report(`clickhouse: ${title} has been running for ${seconds} s`);
        }, progressIntervalMs);
        try {
          await execute(statement);
        } catch (err) {
          throw new Error(`${title} failed: ${failureMessage(err)}`, { cause: err });
        } finally {
          clearInterval(progress);
        }
      }
      // First, so that an interrupted run is repeated.
      await distribute();
      await recordApplied(bookkeeping, migration);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await tables.close();
    await bookkeeping.close();
  }
}

/** Throws MigrationError for a server that would refuse every insert. */
export async function requireClickhouseVersion(clickhouseUrl: string): Promise<void> {
  await withClient(withDatabase(clickhouseUrl, ''), async (client) => {
    const result = await client.query({ query: 'select version() as version', format: 'JSONEachRow' });
    const [row] = await result.json<{ version: string }>();
    const fault = versionFault(row?.version ?? 'of no version');
    if (fault !== null) throw new MigrationError(fault);
  });
}

export function versionFault(version: string): string | null {
  if (isAtLeast(version, CLICKHOUSE_MIN)) return null;
  return `ClickHouse is ${version}, and ${CLICKHOUSE_MIN.join('.')} or newer is needed: upgrade the server first`;
}

/** Names of the project's migrations that migrateClickhouse would apply now. Changes nothing. */
export async function planClickhouse(clickhouseUrl: string): Promise<readonly string[]> {
  const files = readMigrations(MIGRATION_FOLDERS.clickhouse);
  return withClient(clickhouseUrl, async (client) => {
    const applied = await findApplied(client).catch((err: unknown) => {
      if (UNKNOWN_TABLE_OR_DATABASE.includes(failureCode(err))) return [];
      throw err;
    });
    return pendingMigrations(files, applied).map((migration) => migration.name);
  });
}

/** Creates the databases and opens them: `tables` for migrations, `bookkeeping` is that of the services. */
async function openTarget(options: ClickhouseCluster & { readonly clickhouseUrl: string }) {
  const { clickhouseUrl, localDatabase, onCluster: cluster = '' } = options;
  const database = decodeURIComponent(new URL(clickhouseUrl).pathname.slice(1));
  if (localDatabase !== undefined && cluster === '') {
    throw new MigrationError('CLICKHOUSE_LOCAL_DATABASE needs CLICKHOUSE_CLUSTER');
  }
  if (localDatabase !== undefined && (!/^[A-Za-z_]\w*$/.test(database) || database === localDatabase)) {
    throw new MigrationError(
      'CLICKHOUSE_URL must name a database other than CLICKHOUSE_LOCAL_DATABASE, in letters, digits and _',
    );
  }
  const databases = [database, localDatabase ?? ''].filter((name) => name !== '');
  // ClickHouse refuses any request that names a missing database.
  const fill = await withClient(withDatabase(clickhouseUrl, ''), async (client) => {
    const isAlone = localDatabase !== undefined && (await isSingleServer(client, cluster));
    const fillFor = (sql: string) => fillPlaceholders(sql, { ...options, onCluster: isAlone ? '' : cluster });
    const query = fillFor('create database if not exists {database:Identifier} {on_cluster}');
    for (const each of databases) await client.command({ query, query_params: { database: each } });
    return fillFor;
  });
  const tables = openClient(withDatabase(clickhouseUrl, localDatabase ?? database));
  const bookkeeping = openClient(clickhouseUrl);
  return {
    tables,
    bookkeeping,
    execute: (sql: string) => tables.command({ query: fill(sql) }),
    /** Updates the Distributed tables; does nothing without shards. */
    distribute: async () => {
      if (localDatabase === undefined) return;
      for (const { table, columns } of await listDistributedTables(tables, localDatabase)) {
        const target = `${database}.${table} {on_cluster} as ${localDatabase}.${table}`;
        const engine = `Distributed('${cluster}', '${localDatabase}', '${table}', ${shardingKeyOf(table, columns)})`;
        await bookkeeping.command({ query: fill(`create or replace table ${target} engine = ${engine}`) });
      }
    },
  };
}

/** Sharding keys by column; the first column that a table has decides. */
const SHARDING: readonly (readonly [column: string, expression: string])[] = [
  // All events and cells of an owner are on one shard, where `final` sees every copy of a row.
  ['owner_id', 'cityHash64(owner_id)'],
  // rollup_state: a few rows with the same id.
  ['id', 'id'],
  // schema_migration: all numbers are below a million, so one shard has all rows.
  ['number', 'intDiv(number, 1000000)'],
];

async function listDistributedTables(client: ClickHouseClient, localDatabase: string) {
  const result = await client.query({
    query: `
      select table, groupArray(name) as columns from system.columns
      where database = {localDatabase:String} and table in (
        select name from system.tables where database = {localDatabase:String} and engine like '%MergeTree'
      )
      group by table order by table`,
    query_params: { localDatabase },
    format: 'JSONEachRow',
  });
  return result.json<{ table: string; columns: readonly string[] }>();
}

/** Throws for a table without a sharding column. */
export function shardingKeyOf(table: string, columns: readonly string[]): string {
  const found = SHARDING.find(([column]) => columns.includes(column));
  if (found === undefined) throw new Error(`no sharding key is known for the table ${table}`);
  return found[1];
}

/** False if other servers must be informed, for which ClickHouse needs a Keeper. */
async function isSingleServer(client: ClickHouseClient, cluster: string): Promise<boolean> {
  const result = await client.query({
    query: 'select is_local from system.clusters where cluster = {cluster:String}',
    query_params: { cluster },
    format: 'JSONEachRow',
  });
  const hosts = await result.json<{ is_local: number }>();
  if (hosts.length === 0) throw new MigrationError(`ClickHouse has no cluster ${cluster} (system.clusters)`);
  return hosts.length === 1 && hosts[0]?.is_local === 1;
}

function withDatabase(clickhouseUrl: string, database: string): string {
  return Object.assign(new URL(clickhouseUrl), { pathname: `/${database}` }).href;
}

/** Runs `work` on a new client. Failures to connect or log in become one line. */
async function withClient<Result>(
  url: string,
  work: (client: ClickHouseClient) => Promise<Result>,
): Promise<Result> {
  const client = createClient({ ...CLIENT_OPTIONS, url });
  try {
    return await work(client);
  } catch (err) {
    if (err instanceof MigrationError || (err instanceof ClickHouseError && !LOGIN_CODES.has(err.code)))
      throw err;
    throw new Error(describeDatabaseFailure('ClickHouse', url, err), { cause: err });
  } finally {
    await client.close();
  }
}

function openClient(url: string): ClickHouseClient {
  return createClient({
    ...CLIENT_OPTIONS,
    request_timeout: STATEMENT_SECONDS_MAX * 1_000,
    clickhouse_settings: {
      // The defaults are one minute in the embedded ClickHouse and three minutes for the hosts of a cluster.
      max_execution_time: STATEMENT_SECONDS_MAX,
      distributed_ddl_task_timeout: String(STATEMENT_SECONDS_MAX),
      // Recorded migrations must be readable at once.
      distributed_foreground_insert: 1,
    },
    url,
  });
}

/** Throws for a cluster name that would need quoting. */
export function fillPlaceholders(sql: string, cluster: ClickhouseCluster): string {
  const name = cluster.onCluster ?? '';
  if (!/^[\w{}.-]*$/.test(name)) {
    throw new Error(`the cluster name ${name} may contain letters, digits and _ . - { } only`);
  }
  return sql
    .replaceAll('{engine_prefix}', cluster.engine ?? '')
    .replaceAll('{on_cluster}', name === '' ? '' : `on cluster '${name}'`);
}

const CREATE_BOOKKEEPING = `
  create table if not exists schema_migration {on_cluster} (
    number UInt32,
    name String,
    sha256 String,
    applied_at DateTime64(3, 'UTC') default now64(3)
  ) engine = {engine_prefix}ReplacingMergeTree(applied_at) order by number`;

// For databases of an older release, whose rows keep null: compatible with the previous migration.
const ADD_COMPATIBLE_FROM =
  'alter table schema_migration {on_cluster} add column if not exists compatible_from Nullable(UInt32)';

async function findApplied(client: ClickHouseClient): Promise<readonly AppliedMigration[]> {
  const result = await client.query({
    query: 'select number, name, sha256 from schema_migration final order by number',
    format: 'JSONEachRow',
  });
  return result.json<AppliedMigration>();
}

async function recordApplied(client: ClickHouseClient, migration: Migration): Promise<void> {
  const { number, name, sha256, compatibleFrom: compatible_from } = migration;
  await client.insert({
    table: 'schema_migration',
    columns: ['number', 'name', 'sha256', 'compatible_from'],
    values: [{ number, name, sha256, compatible_from }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}

/**
 * Statements of a migration without comments; ClickHouse executes one at a time. A `;` at the end of a line ends a
 * statement.
 */
export function splitStatements(sql: string): readonly string[] {
  return sql
    .replace(/('(?:\\.|[^'\\])*')|--.*/g, '$1')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
