import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { findLocalTables } from '@smartlink/visit-analytics/local-tables';
import { CLICKHOUSE_TABLES, countClickhouseRows } from './backup-clickhouse.js';
import { findLackingGrants } from './clickhouse-grants.js';
import type { Grant } from './clickhouse-grants.js';
import { ANSWER_LIMIT_MS } from './clickhouse.js';
import { inWholeLines, readBackupFile } from './backup-file.js';
import type { BackupTable, ClickhousePart } from './backup-manifest.js';
import { INSERT_SETTINGS } from './insert-events.js';
import { Problem } from './problem.js';

// One insert: some 100,000 events. The embedded ClickHouse takes 256 MiB at most.
const INSERT_BYTES_MAX = 32 * 1024 * 1024;
const INSERT_LIMITS = { ...INSERT_SETTINGS, max_execution_time: 600 };
// Rows of a Distributed table are on their shards when the insert is answered, and are counted after it.
const FILL_LIMITS = {
  ...INSERT_LIMITS,
  insert_allow_materialized_columns: 1,
  distributed_foreground_insert: 1,
} as const;
const EMPTY_LIMIT_MS = 600_000;
// When an event arrived says which cells it came late for, and what webhooks were told of. ClickHouse computes such a
// column at an insert, and takes it from elsewhere only by insert … select; so rows go by a table of ordinary columns.
// Each run has one of its own, which a killed one leaves behind.
const STAGE_PREFIX = 'restored_rows_';

/** Returns the name of the table through which the rows of one restore go. */
export const newStage = (): string => `${STAGE_PREFIX}${randomUUID().replaceAll('-', '')}`;

// Truncated only when it fails: what cannot be emptied must not be filled.
const grantsFor = (stage: string): readonly Grant[] => [
  { table: stage, privileges: ['create table', 'insert', 'select', 'truncate', 'drop table'] },
  ...CLICKHOUSE_TABLES.map(({ name }) => ({ table: name, privileges: ['insert', 'select', 'truncate'] })),
];

/** Throws Problem when the login may not do what a restore does: that of the services may not. */
export async function requireRestoringClickhouseLogin(
  clickhouse: ClickHouseClient,
  stage: string,
): Promise<void> {
  const lacking = await findLackingGrants(clickhouse, grantsFor(stage), ANSWER_LIMIT_MS);
  if (lacking.length === 0) return;
  throw new Problem(
    `The login of CLICKHOUSE_URL may not restore: it lacks ${lacking.slice(0, LACKING_NAMED_MAX).join('; ')}` +
      `${lacking.length > LACKING_NAMED_MAX ? ' and more' : ''}. Use the login of the migrations ` +
      '(smartlink_migrate of deploy/compose/clickhouse/users.xml).',
  );
}

const LACKING_NAMED_MAX = 3;

/** Throws Problem when a table that a restore would fill has rows. */
export async function requireEmptyClickhouse(clickhouse: ClickHouseClient): Promise<void> {
  for (const { name } of CLICKHOUSE_TABLES) {
    if ((await countClickhouseRows(clickhouse, name)) > 0) {
      throw new Problem(
        `ClickHouse is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
      );
    }
  }
}

type ClickhouseRestore = {
  readonly folder: string;
  readonly part: ClickhousePart;
  /** From newStage. */
  readonly stage: string;
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Fills the empty tables. When it fails or `signal` says so they are emptied again, since ClickHouse has no transaction
 * that could be rolled back, and it throws what went wrong.
 */
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

/** Takes out what a restore has put in; a Distributed table is not emptied by itself, so where its rows really are. */
export async function emptyClickhouse(clickhouse: ClickHouseClient): Promise<void> {
  const { target } = await findLocalTables(clickhouse, EMPTY_LIMIT_MS);
  for (const { name } of CLICKHOUSE_TABLES) {
    await clickhouse.command({ query: `truncate table ${target(name)}` });
  }
}

async function fillTable(
  clickhouse: ClickHouseClient,
  { name, columns, files }: BackupTable,
  { folder, stage, onRows, signal }: ClickhouseRestore,
): Promise<void> {
  const list = columns.join(', ');
  await clickhouse.command({ query: `drop table if exists ${stage}` });
  await clickhouse.command({
    query: `create table ${stage} engine = MergeTree order by tuple() as select ${list} from ${name} where false`,
  });
  for (const file of files) {
    for await (const lines of inWholeLines(
      readBackupFile(folder, file, { onRows, signal }),
      INSERT_BYTES_MAX,
    )) {
      await insertLines(clickhouse, { stage, lines, signal });
      await clickhouse.command({
        query: `insert into ${name} (${list}) select ${list} from ${stage}`,
        abort_signal: signal,
        clickhouse_settings: FILL_LIMITS,
      });
      await clickhouse.command({ query: `truncate table ${stage}` });
    }
  }
  const saved = files.reduce((sum, { rows }) => sum + rows, 0);
  const restored = await countClickhouseRows(clickhouse, name);
  if (restored !== saved)
    throw new Problem(`ClickHouse has ${restored} rows in ${name}, and not the ${saved} saved.`);
}

async function insertLines(
  clickhouse: ClickHouseClient,
  { stage, lines, signal }: { readonly stage: string; readonly lines: Buffer; readonly signal: AbortSignal },
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `insert into ${stage} format TabSeparated`,
    values: Readable.from([lines], { objectMode: false }),
    abort_signal: signal,
    clickhouse_settings: INSERT_LIMITS,
  });
  stream.resume();
  if (!stream.readableEnded) await once(stream, 'end');
}
