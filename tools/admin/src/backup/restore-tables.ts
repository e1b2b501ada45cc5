import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { inTransaction } from '@smartlink/process/database';
import { EVENT_INSERT_SETTINGS } from '@smartlink/visits/event';
import { findLocalTables } from '@smartlink/visits/rollup';
import { addAuditEntry } from '../accounts/audit.js';
import { Problem } from '../cli/terminal.js';
import { nameSome } from '../cli/text.js';
import { ANSWER_LIMIT_MS, findLackingGrants } from '../engines/clickhouse.js';
import { insertBytes } from '../events/rows.js';
import {
  type BackupTable,
  type ClickhousePart,
  countRows,
  inWholeLines,
  type PostgresPart,
  readBackupFile,
  type Watch,
} from './files.js';
import { CLICKHOUSE_TABLES, countClickhouseRows, listPostgresTables, listSequences } from './tables.js';

// Redis, and redirect processes, may know versions that were given out after the backup was made, and would refuse older
// ones. So each version grows by more changes than can have been since; 2^53 has room for nine million restores.
const VERSIONS_AHEAD = 1_000_000_000;
const VERSION_SEQUENCE = 'smartlink_version';
// Migrations fill it.
const SEEDED = 'plans';

const NOT_SENT =
  'Restored from a backup, and not sent: it may have been delivered since. Send it again from the log.';
const DISABLED = 'Restored from a backup with --disable-webhooks';

export async function findLogin(db: Client): Promise<string> {
  const { rows } = await db.query<{ login: string }>('select current_user::text as login');
  return rows[0]?.login ?? '';
}

// A restore locks and fills every table, empties those that migrations fill, and sets sequences.
const LACKING = `
select c.relname::text as name, string_agg(p.privilege, ', ' order by p.place) as lacks
from pg_class c
cross join lateral unnest(case when c.relkind = 'S' then array['update'] else array['select', 'insert', 'update', 'delete'] end)
  with ordinality as p (privilege, place)
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S') and c.relname <> 'schema_migration'
  and not case when c.relkind = 'S' then has_sequence_privilege(c.oid, p.privilege)
               else has_table_privilege(c.oid, p.privilege) end
group by c.relname order by c.relname`;

/**
 * Throws Problem when the backup lacks a sequence, whose ids or versions would be given out twice; when the login may not
 * restore, as that of the services, which must not change the audit log; and when a table has rows.
 */
export async function requireReadyPostgres(db: Client, part: PostgresPart): Promise<void> {
  const saved = new Set(part.sequences.map(({ name }) => name));
  const missing = (await listSequences(db)).find((name) => !saved.has(name));
  if (missing !== undefined) throw new Problem(`The backup has no sequence ${missing}.`);
  const { rows } = await db.query<{ name: string; lacks: string }>(LACKING);
  if (rows.length > 0) {
    const lacking = rows.map(({ name, lacks }) => `${lacks} on ${name}`);
    throw new Problem(
      `The login ${await findLogin(db)} of DATABASE_URL may not restore: it lacks ${nameSome(lacking, '; ', 3)}. ` +
        'Use the login of the migrations, which owns the tables ' +
        '(smartlink_owner of deploy/postgres/roles.sql).',
    );
  }
  await requireEmpty(db);
}

async function requireEmpty(db: Client): Promise<void> {
  for (const { name } of await listPostgresTables(db)) {
    if (name === SEEDED || (await db.query(`select 1 from ${name} limit 1`)).rows.length === 0) continue;
    throw new Problem(
      `Postgres is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
    );
  }
}

type PostgresRestore = Watch & {
  readonly folder: string;
  readonly part: PostgresPart;
  readonly disablesWebhooks: boolean;
};

/**
 * Fills the empty database, completely or not at all. Ids, times and content are as saved; versions are ahead of all that
 * were given out, every address is to be published, and waiting messages of webhooks are not sent. Throws Problem when the
 * backup is damaged or the database is not empty; rejects when Postgres fails or `signal` aborts.
 */
export async function restorePostgres(db: Client, restore: PostgresRestore): Promise<void> {
  await db.query('set statement_timeout = 0');
  await inTransaction(db, async () => {
    await fillTables(db, restore);
    for (const { name, value, isCalled } of restore.part.sequences) {
      const ahead = name === VERSION_SEQUENCE ? VERSIONS_AHEAD : 0;
      await db.query('select setval($1::regclass, $2::bigint + $3, $4)', [name, value, ahead, isCalled]);
    }
    await db.query('update smartlinks set version = version + $1', [VERSIONS_AHEAD]);
    await db.query(
      `insert into publish_outbox (slug_key, version)
       select slugs.key, smartlinks.version from slugs join smartlinks on smartlinks.id = slugs.smartlink_id`,
    );
    await db.query(
      `update webhook_deliveries set status = 'Failed', error = $1, next_attempt_at = null, leased_until = null
       where status = 'Pending'`,
      [NOT_SENT],
    );
    if (restore.disablesWebhooks) {
      await db.query(
        `update webhooks set is_enabled = false, disabled_reason = $1, visits_until = null, visits_after_id = null
         where is_enabled`,
        [DISABLED],
      );
    }
    await addAuditEntry(db, 'database.restore', null, { savedAt: restore.part.snapshotAt });
  });
  // Query plans depend on statistics of the tables, which are empty yet.
  await db.query('analyze');
}

async function fillTables(db: Client, { folder, part, onRows, signal }: PostgresRestore): Promise<void> {
  const present = (await listPostgresTables(db)).map(({ name }) => name);
  // No one else writes or reads until the commit.
  await db.query(`lock table ${present.join(', ')} in access exclusive mode`);
  await requireEmpty(db);
  await db.query(`delete from ${SEEDED}`);
  const byName = new Map(part.tables.map((table) => [table.name, table]));
  for (const name of await inReferenceOrder(db, present)) {
    const table = byName.get(name);
    if (table === undefined) throw new Problem(`The backup has no table ${name}.`);
    const target = db.query(copyFrom(`copy ${name} (${table.columns.join(', ')}) from stdin`));
    for (const file of table.files) {
      await pipeline(readBackupFile(folder, file, { onRows, signal }), target, { signal });
    }
  }
}

/** The tables, each after those that it refers to. References that are checked at commit need no order. */
async function inReferenceOrder(db: Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows: references } = await db.query<{ name: string; refersTo: string }>(
    `select conrelid::regclass::text as name, confrelid::regclass::text as "refersTo" from pg_constraint
     where contype = 'f' and not condeferrable and conrelid <> confrelid
       and connamespace = current_schema()::regnamespace`,
  );
  const ordered: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const isReady = (name: string) =>
      !references.some((row) => row.name === name && left.includes(row.refersTo));
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${left.join(', ')}`);
    ordered.push(...ready);
    left = left.filter((name) => !ready.includes(name));
  }
  return ordered;
}

// One insert: some 100,000 events. The embedded ClickHouse takes 256 MiB at most.
const INSERT_BYTES_MAX = 32 * 1024 * 1024;
const INSERT_LIMITS = { ...EVENT_INSERT_SETTINGS, max_execution_time: 600 };
const EMPTY_LIMIT_MS = 600_000;

/**
 * The name of the table through which the rows of a restore go, which a killed one leaves behind. The arrival time of an
 * event says which cells it came late for, and what webhooks were told. ClickHouse computes such a column at an insert, and
 * takes it from elsewhere only by insert … select from a table of ordinary columns.
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
        'Use the login of the migrations ' +
        '(smartlink_migrate of deploy/compose/clickhouse/users.xml).',
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

/** Empties the tables that hold the rows of Distributed ones, which cannot be emptied themselves. */
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
    const rows = readBackupFile(folder, file, { onRows, signal });
    for await (const lines of inWholeLines(rows, INSERT_BYTES_MAX)) {
      await insertBytes(clickhouse, `insert into ${stage} format TabSeparated`, lines, {
        abort_signal: signal,
        clickhouse_settings: INSERT_LIMITS,
      });
      await clickhouse.command({
        query: `insert into ${name} (${list}) select ${list} from ${stage}`,
        abort_signal: signal,
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
