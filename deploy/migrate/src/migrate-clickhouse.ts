import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { describeDatabaseFailure } from '@smartlink/process/database';
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
  const target = await openTarget(options);
  const { fill, tables, bookkeeping, distribute } = target;
  try {
    await tables.command({ query: fill(CREATE_BOOKKEEPING) });
    await tables.command({ query: fill(ADD_COMPATIBLE_FROM) });
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
          await tables.command({ query: fill(statement) });
        } catch (err) {
          const reason = err instanceof Error ? err.message : String(err);
          throw new Error(`${title} failed: ${reason}`, { cause: err });
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
    await target.close();
  }
}

/** Names of the project's migrations that migrateClickhouse would apply now. Changes nothing. */
export async function planClickhouse(clickhouseUrl: string): Promise<readonly string[]> {
  const files = readMigrations(MIGRATION_FOLDERS.clickhouse);
  return withClient(clickhouseUrl, async (client) => {
    try {
      return pendingMigrations(files, await findApplied(client)).map((migration) => migration.name);
    } catch (err) {
      if (err instanceof ClickHouseError && NEVER_MIGRATED.has(err.code))
        return files.map((file) => file.name);
      throw err;
    }
  });
}

/** ClickHouse's codes for an unknown table and an unknown database. */
const NEVER_MIGRATED: ReadonlySet<string> = new Set(['60', '81']);

/** Creates the databases and opens them. */
async function openTarget(options: ClickhouseCluster & { readonly clickhouseUrl: string }) {
  const { clickhouseUrl, localDatabase, onCluster: cluster = '' } = options;
  const database = databaseOf(clickhouseUrl);
  const isSharded = localDatabase !== undefined;
  if (isSharded && cluster === '') {
    throw new MigrationError('CLICKHOUSE_LOCAL_DATABASE needs CLICKHOUSE_CLUSTER');
  }
  if (isSharded && (!/^[A-Za-z_]\w*$/.test(database) || database === localDatabase)) {
    throw new MigrationError(
      'CLICKHOUSE_URL must name a database other than CLICKHOUSE_LOCAL_DATABASE, in letters, digits and _',
    );
  }
  const onCluster = isSharded && (await isSingleServer(clickhouseUrl, cluster)) ? '' : cluster;
  const fill = (sql: string) => fillPlaceholders(sql, { ...options, onCluster });
  const tablesUrl = isSharded ? withDatabase(clickhouseUrl, localDatabase) : clickhouseUrl;
  for (const url of new Set([clickhouseUrl, tablesUrl])) await createDatabase(url, fill);
  const tables = openClient(tablesUrl);
  const bookkeeping = openClient(clickhouseUrl);
  return {
    fill,
    /** Migrations are applied here. */
    tables,
    /** The database of the services, for `schema_migration`. */
    bookkeeping,
    /** Updates the Distributed tables; does nothing without shards. */
    distribute: async () => {
      if (!isSharded) return;
      for (const { table, columns } of await listDistributedTables(tables, localDatabase)) {
        const engine = `Distributed('${cluster}', '${localDatabase}', '${table}', ${shardingKeyOf(table, columns)})`;
        await bookkeeping.command({
          query: fill(
            `create or replace table ${database}.${table} {on_cluster} as ${localDatabase}.${table} engine = ${engine}`,
          ),
        });
      }
    },
    close: async () => {
      await tables.close();
      await bookkeeping.close();
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

async function listDistributedTables(
  client: ClickHouseClient,
  localDatabase: string,
): Promise<readonly { readonly table: string; readonly columns: readonly string[] }[]> {
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
  return result.json();
}

/** Throws for a table without a sharding column. */
export function shardingKeyOf(table: string, columns: readonly string[]): string {
  const found = SHARDING.find(([column]) => columns.includes(column));
  if (found === undefined) throw new Error(`no sharding key is known for the table ${table}`);
  return found[1];
}

/** False if other servers must be informed, for which ClickHouse needs a Keeper. */
async function isSingleServer(clickhouseUrl: string, cluster: string): Promise<boolean> {
  return withClient(withDatabase(clickhouseUrl, ''), async (client) => {
    const result = await client.query({
      query: 'select is_local from system.clusters where cluster = {cluster:String}',
      query_params: { cluster },
      format: 'JSONEachRow',
    });
    const hosts = await result.json<{ is_local: number }>();
    if (hosts.length === 0)
      throw new MigrationError(`ClickHouse has no cluster ${cluster} (system.clusters)`);
    return hosts.length === 1 && hosts[0]?.is_local === 1;
  });
}

async function createDatabase(clickhouseUrl: string, fill: (sql: string) => string): Promise<void> {
  const database = databaseOf(clickhouseUrl);
  if (database === '') return;
  // ClickHouse refuses any request that names a missing database.
  await withClient(withDatabase(clickhouseUrl, ''), (client) =>
    client.command({
      query: fill('create database if not exists {database:Identifier} {on_cluster}'),
      query_params: { database },
    }),
  );
}

function databaseOf(clickhouseUrl: string): string {
  return decodeURIComponent(new URL(clickhouseUrl).pathname.slice(1));
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
    if (err instanceof MigrationError || (err instanceof ClickHouseError && !REFUSED.has(err.code)))
      throw err;
    throw new Error(describeDatabaseFailure('ClickHouse', url, err), { cause: err });
  } finally {
    await client.close();
  }
}

/** AUTHENTICATION_FAILED and REQUIRED_PASSWORD. */
const REFUSED: ReadonlySet<string> = new Set(['516', '194']);

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
  if (!/^[\w{}.-]*$/.test(name))
    throw new Error(
      `the cluster name ${JSON.stringify(name)} may contain letters, digits and _ . - { } only`,
    );
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
  const { number, name, sha256, compatibleFrom } = migration;
  await client.insert({
    table: 'schema_migration',
    columns: ['number', 'name', 'sha256', 'compatible_from'],
    values: [{ number, name, sha256, compatible_from: compatibleFrom }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}

/**
 * Statements of a migration; ClickHouse executes one at a time. A `;` at the end of a line, optionally followed by a
 * comment, ends a statement. The `;` and pieces that consist of comments are dropped.
 */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  const finish = () => {
    const hasCode = lines.some((line) => withoutComment(line).trim() !== '');
    if (hasCode) statements.push(lines.join('\n').trim());
    lines = [];
  };
  for (const line of sql.split(/\r?\n/)) {
    const code = withoutComment(line).trimEnd();
    if (code.endsWith(';')) {
      lines.push(code.slice(0, -1));
      finish();
    } else {
      lines.push(line);
    }
  }
  finish();
  return statements;
}

/** The line up to its `--` comment. A `--` after an odd number of quotes is part of a string. */
function withoutComment(line: string): string {
  for (let at = line.indexOf('--'); at >= 0; at = line.indexOf('--', at + 2)) {
    const before = line.slice(0, at);
    if ((before.split("'").length - 1) % 2 === 0) return before;
  }
  return line;
}
