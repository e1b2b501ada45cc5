import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { inTransaction } from '@smartlink/process/database';
import { addAuditEntry } from '../accounts/audit.js';
import { Problem } from '../cli/terminal.js';
import { nameSome } from '../cli/text.js';
import {
  type AppliedMigrations,
  type BackupTable,
  type PostgresPart,
  readBackupFile,
  type Watch,
  writeBackupFile,
} from './files.js';

/**
 * The schema, and what a restore creates itself: it publishes every address, which records the changes. Earlier changes name
 * transactions that another server does not know.
 */
const NOT_SAVED: readonly string[] = [
  'schema_migration',
  'publish_outbox',
  'link_changes',
  // Triggers, and the first refresh of totals, fill them.
  'smartlink_search',
  'totals_refresh',
];

// From the catalog, so that tables of later migrations are saved too, each after those that it refers to; references that are
// checked at commit need no order. Generated columns are computed.
const LIST_TABLES = `
with recursive found as (
  select oid, relname, reltuples from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> all($1)
), placed (oid, place) as (
  select oid, 0 from found
  union
  select conrelid, place + 1 from placed join pg_constraint on confrelid = placed.oid
  where contype = 'f' and not condeferrable and conrelid <> confrelid and place < 100
)
select relname::text as name, greatest(reltuples, 0)::float8 as "rowsAbout",
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = found.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
from found order by (select max(place) from placed where placed.oid = found.oid), relname`;

type Listed = { readonly name: string; readonly rowsAbout: number; readonly columns: string[] };

/** The tables of a backup in the order of a restore, with their estimated numbers of rows. */
export async function listPostgresTables(db: Client): Promise<readonly Listed[]> {
  return (await db.query<Listed>(LIST_TABLES, [NOT_SAVED])).rows;
}

export async function findPostgresMigrations(db: Client): Promise<AppliedMigrations> {
  const { rows } = await db.query<AppliedMigrations[number]>(
    'select number, name, sha256 from schema_migration order by number',
  );
  return rows;
}

async function listSequences(db: Client): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  return rows.map(({ name }) => name);
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
        'Use the login of the migrations, which owns the tables (smartlink_owner of deploy/postgres/roles.sql).',
    );
  }
  await requireEmpty(db);
}

// Migrations fill them.
const SEEDED: readonly string[] = ['plans', 'domains_version'];

async function requireEmpty(db: Client): Promise<void> {
  for (const { name } of await listPostgresTables(db)) {
    if (SEEDED.includes(name) || (await db.query(`select 1 from ${name} limit 1`)).rows.length === 0)
      continue;
    throw new Problem(
      `Postgres is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
    );
  }
}

// Redis, and redirect processes, may know versions that were given out after the backup was made, and would refuse older
// ones. So each version grows by more changes than can have been since; 2^53 has room for nine million restores.
const VERSIONS_AHEAD = 1_000_000_000;
const VERSION_SEQUENCE = 'smartlink_version';

const NOT_SENT =
  'Restored from a backup, and not sent: it may have been delivered since. Send it again from the log.';
const DISABLED = 'Restored from a backup with --disable-webhooks';

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
    await db.query('update domains_version set version = version + $1', [VERSIONS_AHEAD]);
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

async function fillTables(db: Client, { folder, part, ...watch }: PostgresRestore): Promise<void> {
  const present = (await listPostgresTables(db)).map(({ name }) => name);
  // No other process writes or reads until the commit.
  await db.query(`lock table ${present.join(', ')} in access exclusive mode`);
  await requireEmpty(db);
  for (const name of SEEDED) await db.query(`delete from ${name}`);
  for (const name of present) {
    const table = part.tables.find((one) => one.name === name);
    if (table === undefined) throw new Problem(`The backup has no table ${name}.`);
    const target = db.query(copyFrom(`copy ${name} (${table.columns.join(', ')}) from stdin`));
    for (const file of table.files) await pipeline(readBackupFile(folder, file, watch), target, watch);
  }
}
