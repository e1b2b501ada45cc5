import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visits/analytics';
import { EVENT_INSERT_SETTINGS } from '@smartlink/visits/event';
import { findLocalTables, type VisitTable } from '@smartlink/visits/rollup';
import { Problem } from '../cli/terminal.js';
import { nameSome } from '../cli/text.js';
import { ANSWER_LIMIT_MS, findLackingGrants } from '../engines/clickhouse.js';
import { insertBytes } from '../events/rows.js';
import {
  type AppliedMigrations,
  type BackupFile,
  type BackupTable,
  type ClickhousePart,
  countRows,
  inWholeLines,
  readBackupFile,
  type Watch,
  writeBackupFile,
} from './files.js';

/** How a table is read: in files by partition, and within a file in pieces by its sorting key. */
type Source = {
  readonly name: VisitTable;
  /** Expression of the partition, digits; null: all rows are in one file. */
  readonly partition: string | null;
  /** The sorting key: expressions with their types. */
  readonly key: readonly (readonly [expression: string, type: string])[];
  readonly isReplacing: boolean;
};

/** The tables in the order of a restore: the state that vouches for cells comes last. */
export const CLICKHOUSE_TABLES: readonly Source[] = [
  {
    name: 'events',
    partition: 'toYYYYMM(ts)',
    key: [
      ['owner_id', 'UUID'],
      ['smartlink_id', 'UUID'],
      ['ts', "DateTime64(3, 'UTC')"],
      ['event_id', 'UUID'],
    ],
    isReplacing: true,
  },
  {
    name: 'visits_daily',
    partition: 'toYear(date)',
    key: [
      ['owner_id', 'UUID'],
      ['toUInt128(smartlink_id)', 'UInt128'],
      ['date', 'Date'],
    ],
    isReplacing: true,
  },
  {
    name: 'visits_daily_by_owner',
    partition: 'toYear(date)',
    key: [
      ['owner_id', 'UUID'],
      ['date', 'Date'],
      ['is_carried', 'UInt8'],
    ],
    isReplacing: true,
  },
  {
    name: 'visits_monthly_counts',
    partition: 'toYear(month)',
    key: [
      ['owner_id', 'UUID'],
      ['month', 'Date'],
      ['toUInt128(smartlink_id)', 'UInt128'],
    ],
    isReplacing: true,
  },
  { name: 'forgotten_visits', partition: null, key: [], isReplacing: false },
  { name: 'rollup_state', partition: null, key: [], isReplacing: true },
];

const STATEMENT_MS_MAX = 600_000;

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
      const where = partition === null ? 'true' : `${String(source.partition)} = ${partition}`;
      const rows = readRows(clickhouse, { source, columns, where, signal: watch.signal });
      files.push(await writeBackupFile(folder, file, rows, watch));
    }
    tables.push({ name: source.name, columns, files });
  }
  return { migrations: await findClickhouseMigrations(clickhouse), tables };
}

/** The columns in the table's order, including those that are computed at an insert (arrival times). */
async function findColumns(clickhouse: ClickHouseClient, table: string): Promise<string[]> {
  const query = `
    select name from system.columns
    where database = currentDatabase() and table = {table:String} and default_kind not in ('ALIAS', 'EPHEMERAL')
    order by position`;
  const rows = await selectRows<{ name: string }>(clickhouse, query, { table }, STATEMENT_MS_MAX);
  return rows.map(({ name }) => name);
}

async function findPartitions(
  clickhouse: ClickHouseClient,
  { name, partition }: Source,
): Promise<readonly (number | null)[]> {
  if (partition === null) return [null];
  const query = `select distinct ${partition} as partition from ${name} order by partition`;
  const rows = await selectRows<{ partition: number }>(clickhouse, query, {}, STATEMENT_MS_MAX);
  return rows.map((row) => row.partition);
}

// Some 300 bytes each. The embedded ClickHouse has a whole answer in memory before it sends the first byte.
const ROWS_PER_QUERY = 100_000;

type Reading = {
  readonly source: Source;
  readonly columns: readonly string[];
  readonly where: string;
  readonly signal: AbortSignal;
};

/** A value for each expression of the sorting key, as text. */
type Place = readonly string[];

/** Yields the rows of a partition. The pieces cover all keys without a gap, so no row is missing or repeated. */
async function* readRows(clickhouse: ClickHouseClient, reading: Reading): AsyncGenerator<Uint8Array> {
  const { source, columns, where, signal } = reading;
  const places = await findPlaces(clickhouse, reading);
  for (let i = 0; i <= places.length; i++) {
    signal.throwIfAborted();
    const [after = null, until = null] = [places[i - 1], places[i]];
    const { stream } = await clickhouse.exec({
      query: `select ${columns.join(', ')} from ${source.name} ${source.isReplacing ? 'final' : ''}
              where ${[where, ...boundsOf(source, after, until)].join(' and ')} format TabSeparated`,
      query_params: { ...paramsOf('a', after), ...paramsOf('u', until) },
      abort_signal: signal,
      clickhouse_settings: {
        // Otherwise a failure half-way ends a shorter answer.
        wait_end_of_query: 1,
        max_execution_time: STATEMENT_MS_MAX / 1_000,
        do_not_merge_across_partitions_select_final: 1,
      },
    });
    yield* stream as AsyncIterable<Uint8Array>;
  }
}

/** The keys of every ROWS_PER_QUERY-th row, read from the key's columns alone. */
async function findPlaces(
  clickhouse: ClickHouseClient,
  { source, where }: Reading,
): Promise<readonly Place[]> {
  if (source.key.length === 0) return [];
  const names = source.key.map((_, i) => `k${i}`);
  const query = `
    select [${names.map((name) => `toString(${name})`).join(', ')}] as place
    from (
      select ${names.join(', ')}, row_number() over (order by ${names.join(', ')}) as number
      from (
        select ${source.key.map(([expression], i) => `${expression} as k${i}`).join(', ')}
        from ${source.name} where ${where}
      )
    )
    where number % ${ROWS_PER_QUERY} = 0
    order by number`;
  const rows = await selectRows<{ place: Place }>(clickhouse, query, {}, STATEMENT_MS_MAX);
  return rows.map(({ place }) => place);
}

const paramsOf = (side: string, place: Place | null): Record<string, unknown> =>
  Object.fromEntries((place ?? []).map((value, i) => [`${side}${i}`, value]));

/** Conditions on the key: after `after`, up to `until`. */
function boundsOf({ key }: Source, after: Place | null, until: Place | null): readonly string[] {
  const all = `(${key.map(([expression]) => expression).join(', ')})`;
  const param = (side: string, i: number) => `{${side}${i}:${key[i]?.[1] ?? ''}}`;
  const params = (side: string) => `(${key.map((_, i) => param(side, i)).join(', ')})`;
  const conditions: string[] = [];
  if (after !== null) conditions.push(`${all} > ${params('a')}`);
  if (until !== null) conditions.push(`${all} <= ${params('u')}`);
  // Tuples select no granules: the first column does, and each further one while the columns before it are the same.
  for (const [i, [expression]] of key.entries()) {
    if (after !== null) conditions.push(`${expression} >= ${param('a', i)}`);
    if (until !== null) conditions.push(`${expression} <= ${param('u', i)}`);
    if (after === null || until === null || after[i] !== until[i]) break;
  }
  return conditions;
}

/**
 * The name of the table through which the rows of a restore go, which a killed one leaves behind. The arrival time of an
 * event says which cells it came late for, and which visits webhooks received. ClickHouse computes such a column at an insert,
 * and takes it from elsewhere only by insert … select from a table of ordinary columns.
 */
export const newStage = (): string => `restored_rows_${randomUUID().replaceAll('-', '')}`;

/** Throws Problem when the login may not restore, as that of the services, or when a table has rows. */
export async function requireReadyClickhouse(clickhouse: ClickHouseClient, stage: string): Promise<void> {
  // Truncated only after a failure: what cannot be emptied must not be filled.
  const grants = [
    { table: stage, privileges: ['create table', 'insert', 'select', 'truncate', 'drop table'] },
    ...CLICKHOUSE_TABLES.map(({ name }) => ({ table: name, privileges: ['insert', 'select', 'truncate'] })),
  ];
  const lacking = await findLackingGrants(clickhouse, grants, ANSWER_LIMIT_MS);
  if (lacking.length > 0) {
    throw new Problem(
      `The login of CLICKHOUSE_URL may not restore: it lacks ${nameSome(lacking, '; ', 3)}. ` +
        'Use the login of the migrations (smartlink_migrate of deploy/compose/clickhouse/users.xml).',
    );
  }
  for (const { name } of CLICKHOUSE_TABLES) {
    if ((await countClickhouseRows(clickhouse, name)) === 0) continue;
    throw new Problem(
      `ClickHouse is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
    );
  }
}

type ClickhouseRestore = Watch & {
  readonly folder: string;
  readonly part: ClickhousePart;
  readonly stage: string;
};

/** Fills the empty tables. On failure they are emptied again, since ClickHouse has no transaction to roll back. */
export async function restoreClickhouse(
  clickhouse: ClickHouseClient,
  restore: ClickhouseRestore,
): Promise<void> {
  const { part, stage } = restore;
  try {
    for (const { name } of CLICKHOUSE_TABLES) {
      const table = part.tables.find((one) => one.name === name);
      if (table === undefined) throw new Problem(`The backup has no table ${name}.`);
      await fillTable(clickhouse, table, restore);
    }
  } catch (err) {
    await emptyClickhouse(clickhouse);
    throw err;
  } finally {
    await clickhouse.command({ query: `drop table if exists ${stage}` });
  }
}

const EMPTY_LIMIT_MS = 600_000;

/** Empties the tables that hold the rows of Distributed ones, which cannot be emptied themselves. */
export async function emptyClickhouse(clickhouse: ClickHouseClient): Promise<void> {
  const { target } = await findLocalTables(clickhouse, EMPTY_LIMIT_MS);
  for (const { name } of CLICKHOUSE_TABLES) {
    await clickhouse.command({ query: `truncate table ${target(name)}` });
  }
}

// One insert: some 100,000 events. The embedded ClickHouse takes 256 MiB at most.
const INSERT_BYTES = 32 * 1024 * 1024;
const INSERT_LIMITS = { ...EVENT_INSERT_SETTINGS, max_execution_time: 600 };

async function fillTable(
  clickhouse: ClickHouseClient,
  { name, columns, files }: BackupTable,
  { folder, stage, ...watch }: ClickhouseRestore,
): Promise<void> {
  const list = columns.join(', ');
  await clickhouse.command({ query: `drop table if exists ${stage}` });
  await clickhouse.command({
    query: `create table ${stage} engine = MergeTree order by tuple() as select ${list} from ${name} where false`,
  });
  for (const file of files) {
    for await (const lines of inWholeLines(readBackupFile(folder, file, watch), INSERT_BYTES)) {
      await insertBytes(clickhouse, `insert into ${stage} format TabSeparated`, lines, {
        abort_signal: watch.signal,
        clickhouse_settings: INSERT_LIMITS,
      });
      await clickhouse.command({
        query: `insert into ${name} (${list}) select ${list} from ${stage}`,
        abort_signal: watch.signal,
        clickhouse_settings: { ...INSERT_LIMITS, insert_allow_materialized_columns: 1 },
      });
      await clickhouse.command({ query: `truncate table ${stage}` });
    }
  }
  const saved = countRows(files);
  const restored = await countClickhouseRows(clickhouse, name);
  if (restored !== saved)
    throw new Problem(`ClickHouse has ${restored} rows in ${name}, and not the ${saved} saved.`);
}
