import type { ClickHouseClient } from '@clickhouse/client';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { selectRows } from '@smartlink/visits/analytics';
import type { VisitTable } from '@smartlink/visits/rollup';
import {
  type AppliedMigrations,
  type BackupFile,
  type BackupTable,
  type ClickhousePart,
  type PostgresPart,
  type Watch,
  writeBackupFile,
} from './files.js';

/**
 * The schema, and what a restore creates itself: it publishes every address, which records the changes. Earlier changes name
 * transactions that another server does not know.
 */
const NOT_SAVED: readonly string[] = ['schema_migration', 'publish_outbox', 'link_changes'];

// From the catalog, so that tables of later migrations are saved too. Generated columns are computed.
const LIST_TABLES = `
select relname::text as name, greatest(reltuples, 0)::float8 as "rowsAbout",
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
  and relname <> all($1)
order by relname`;

type Listed = { readonly name: string; readonly rowsAbout: number; readonly columns: string[] };

/** The tables of a backup, with their estimated numbers of rows. */
export async function listPostgresTables(db: Client): Promise<readonly Listed[]> {
  return (await db.query<Listed>(LIST_TABLES, [NOT_SAVED])).rows;
}

export async function findPostgresMigrations(db: Client): Promise<AppliedMigrations> {
  const { rows } = await db.query<AppliedMigrations[number]>(
    'select number, name, sha256 from schema_migration order by number',
  );
  return rows;
}

/**
 * Writes every table by COPY in one snapshot, without delaying writers, and returns the manifest's part. Rejects when
 * Postgres fails or `signal` aborts; then the connection, on which rows may still come, can only be closed.
 */
export async function backUpPostgres(db: Client, folder: string, watch: Watch): Promise<PostgresPart> {
  await db.query('set statement_timeout = 0');
  await db.query('begin isolation level repeatable read read only');
  const { rows: moments } = await db.query<{ at: Date }>('select now() as at');
  const migrations = await findPostgresMigrations(db);
  const tables: BackupTable[] = [];
  for (const { name, columns } of await listPostgresTables(db)) {
    const source = db.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
    const file = await writeBackupFile(folder, `postgres/${name}.tsv.gz`, source, watch);
    tables.push({ name, columns, files: [file] });
  }
  // Sequences belong to no snapshot. Read last they are beyond every number in the tables.
  const sequences: PostgresPart['sequences'] = [];
  for (const name of await listSequences(db)) {
    const { rows: values } = await db.query<{ value: string; isCalled: boolean }>(
      `select last_value as value, is_called as "isCalled" from ${name}`,
    );
    sequences.push(...values.map((value) => ({ name, ...value })));
  }
  await db.query('commit');
  return { snapshotAt: (moments[0]?.at ?? new Date()).toISOString(), migrations, tables, sequences };
}

export async function listSequences(db: Client): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  return rows.map(({ name }) => name);
}

/** How a table is read: in files by partition, and within a file in pieces by its sorting key. */
type Source = {
  readonly name: VisitTable;
  /** Expression of the partition, digits; null: all rows are in one file. */
  readonly partition: string | null;
  /** The sorting key: expressions with their types. */
  readonly key: readonly { readonly expression: string; readonly type: string }[];
  readonly isReplacing: boolean;
};

/** The tables in the order of a restore: the state that vouches for cells comes last. */
export const CLICKHOUSE_TABLES: readonly Source[] = [
  {
    name: 'events',
    partition: 'toYYYYMM(ts)',
    key: [
      { expression: 'owner_id', type: 'UUID' },
      { expression: 'smartlink_id', type: 'UUID' },
      { expression: 'ts', type: "DateTime64(3, 'UTC')" },
      { expression: 'event_id', type: 'UUID' },
    ],
    isReplacing: true,
  },
  {
    name: 'visits_daily',
    partition: 'toYear(date)',
    key: [
      { expression: 'owner_id', type: 'UUID' },
      { expression: 'toUInt128(smartlink_id)', type: 'UInt128' },
      { expression: 'date', type: 'Date' },
    ],
    isReplacing: true,
  },
  { name: 'forgotten_visits', partition: null, key: [], isReplacing: false },
  { name: 'rollup_state', partition: null, key: [], isReplacing: true },
];

// Some 300 bytes each. The embedded ClickHouse has a whole answer in memory before it sends the first byte.
const ROWS_PER_QUERY = 100_000;
const STATEMENT_MS_MAX = 600_000;

/** The columns in the table's order, including those that are computed at an insert (arrival times). */
async function findColumns(clickhouse: ClickHouseClient, table: string): Promise<string[]> {
  const rows = await selectRows<{ name: string }>(
    clickhouse,
    `select name from system.columns
     where database = currentDatabase() and table = {table:String} and default_kind not in ('ALIAS', 'EPHEMERAL')
     order by position`,
    { table },
    STATEMENT_MS_MAX,
  );
  return rows.map(({ name }) => name);
}

export async function findClickhouseMigrations(clickhouse: ClickHouseClient): Promise<AppliedMigrations> {
  const query = 'select number, name, sha256 from schema_migration final order by number';
  return [...(await selectRows<AppliedMigrations[number]>(clickhouse, query, {}, STATEMENT_MS_MAX))];
}

/** An event that was sent twice may count twice. */
export async function countClickhouseRows(clickhouse: ClickHouseClient, table: string): Promise<number> {
  const query = `select count() as rows from ${table}`;
  const [row] = await selectRows<{ rows: number }>(clickhouse, query, {}, STATEMENT_MS_MAX);
  return row?.rows ?? 0;
}

/**
 * Writes every table and returns the manifest's part. The caller holds the lock of rollups, so that cells agree with the
 * state that vouches for them. Rejects when ClickHouse fails or `signal` aborts.
 */
export async function backUpClickhouse(
  clickhouse: ClickHouseClient,
  folder: string,
  watch: Watch,
): Promise<ClickhousePart> {
  const tables: ClickhousePart['tables'] = [];
  for (const source of CLICKHOUSE_TABLES) {
    const columns = await findColumns(clickhouse, source.name);
    const files: BackupFile[] = [];
    for (const partition of await findPartitions(clickhouse, source)) {
      const file = `clickhouse/${source.name}${partition === null ? '' : `-${partition}`}.tsv.gz`;
      const rows = readPartition(clickhouse, { source, columns, partition, signal: watch.signal });
      files.push(await writeBackupFile(folder, file, rows, watch));
    }
    tables.push({ name: source.name, columns, files });
  }
  return { migrations: await findClickhouseMigrations(clickhouse), tables };
}

async function findPartitions(
  clickhouse: ClickHouseClient,
  { name, partition }: Source,
): Promise<readonly (string | null)[]> {
  if (partition === null) return [null];
  const rows = await selectRows<{ partition: string }>(
    clickhouse,
    `select distinct toString(${partition}) as partition from ${name} order by partition`,
    {},
    STATEMENT_MS_MAX,
  );
  return rows.map((row) => row.partition);
}

type Place = readonly string[];
type Reading = {
  readonly source: Source;
  readonly columns: readonly string[];
  readonly partition: string | null;
  readonly signal: AbortSignal;
};

/** Yields the rows of a partition. The pieces cover all keys without a gap, so no row is missing or repeated. */
async function* readPartition(clickhouse: ClickHouseClient, reading: Reading): AsyncGenerator<Uint8Array> {
  const places = await findPlaces(clickhouse, reading);
  for (let i = 0; i <= places.length; i++) {
    reading.signal.throwIfAborted();
    yield* readPiece(clickhouse, reading, places[i - 1] ?? null, places[i] ?? null);
  }
}

/** The keys of every ROWS_PER_QUERY-th row, read from the key's columns alone. */
async function findPlaces(clickhouse: ClickHouseClient, reading: Reading): Promise<readonly Place[]> {
  const { source, partition } = reading;
  if (source.key.length === 0) return [];
  const names = source.key.map((_, i) => `k${i}`);
  const keys = source.key.map(({ expression }, i) => `${expression} as k${i}`).join(', ');
  const rows = await selectRows<Record<string, string>>(
    clickhouse,
    `select ${names.map((name) => `toString(${name}) as text_${name}`).join(', ')}
     from (
       select ${names.join(', ')}, row_number() over (order by ${names.join(', ')}) as place
       from (select ${keys} from ${source.name} where ${whichOf(reading)})
     )
     where place % ${ROWS_PER_QUERY} = 0
     order by ${names.join(', ')}`,
    paramsOf(partition),
    STATEMENT_MS_MAX,
  );
  return rows.map((row) => names.map((name) => row[`text_${name}`] ?? ''));
}

async function* readPiece(
  clickhouse: ClickHouseClient,
  reading: Reading,
  after: Place | null,
  until: Place | null,
): AsyncGenerator<Uint8Array> {
  const { source, columns, partition, signal } = reading;
  const conditions = [whichOf(reading), ...boundsOf(source, after, until)];
  const { stream } = await clickhouse.exec({
    query: `select ${columns.join(', ')} from ${source.name} ${source.isReplacing ? 'final' : ''}
            where ${conditions.join(' and ')} format TabSeparated`,
    query_params: { ...paramsOf(partition), ...placeParams('a', after), ...placeParams('u', until) },
    abort_signal: signal,
    clickhouse_settings: {
      // Otherwise a failure half-way ends a shorter answer.
      wait_end_of_query: 1,
      max_execution_time: STATEMENT_MS_MAX / 1_000,
      do_not_merge_across_partitions_select_final: 1,
    },
  });
  for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
}

const whichOf = ({ source, partition }: Reading): string =>
  partition === null ? 'true' : `${source.partition ?? ''} = {partition:UInt32}`;

const paramsOf = (partition: string | null): Record<string, unknown> =>
  partition === null ? {} : { partition };

const placeParams = (side: string, place: Place | null): Record<string, unknown> =>
  Object.fromEntries((place ?? []).map((value, i) => [`${side}${i}`, value]));

/** Conditions on the key: after `after`, up to `until`. Each column that both share narrows the granules read. */
function boundsOf({ key }: Source, after: Place | null, until: Place | null): readonly string[] {
  const all = key.map(({ expression }) => expression).join(', ');
  const values = (side: string) => key.map(({ type }, i) => `{${side}${i}:${type}}`).join(', ');
  const first = key[0];
  if (first === undefined) return [];
  const conditions: string[] = [];
  if (after !== null)
    conditions.push(`(${all}) > (${values('a')})`, `${first.expression} >= {a0:${first.type}}`);
  if (until !== null)
    conditions.push(`(${all}) <= (${values('u')})`, `${first.expression} <= {u0:${first.type}}`);
  if (after === null || until === null) return conditions;
  for (let i = 1; i < key.length && after[i - 1] === until[i - 1]; i++) {
    const column = key[i];
    if (column === undefined) break;
    conditions.push(`${column.expression} between {a${i}:${column.type}} and {u${i}:${column.type}}`);
  }
  return conditions;
}
