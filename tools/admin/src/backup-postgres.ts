import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { writeBackupFile } from './backup-file.js';
import type { AppliedMigrations, BackupTable, PostgresPart } from './backup-manifest.js';

/**
 * What the database is made of, and what a restore makes anew: every address is published once more, which notes the
 * change for those who follow. What was noted before names transactions of a server that the next one does not know.
 */
const NOT_SAVED: readonly string[] = ['schema_migration', 'publish_outbox', 'link_changes'];

// Of the catalog, so that a table of a later migration is saved without a word here. Generated columns are computed.
const LIST_TABLES = `
select relname::text as name, greatest(reltuples, 0)::float8 as "rowsAbout",
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
  and relname <> all($1)
order by relname`;

type Listed = { readonly name: string; readonly rowsAbout: number; readonly columns: string[] };

/** Returns the tables that a backup holds, with about how many rows each has. */
export async function listPostgresTables(db: Client): Promise<readonly Listed[]> {
  return (await db.query<Listed>(LIST_TABLES, [NOT_SAVED])).rows;
}

/** Returns the migrations that were applied, oldest first. */
export async function findPostgresMigrations(db: Client): Promise<AppliedMigrations> {
  const { rows } = await db.query<AppliedMigrations[number]>(
    'select number, name, sha256 from schema_migration order by number',
  );
  return rows;
}

/**
 * Writes every table as it is at one moment, by COPY in one snapshot, and returns what the manifest says of them. Writers
 * are not held up. Rejects when Postgres fails and when `signal` says so; then the connection, on which rows may still be
 * coming, is good for nothing but to be closed.
 */
export async function backUpPostgres(
  db: Client,
  folder: string,
  watch: { readonly onRows: (rows: number) => void; readonly signal: AbortSignal },
): Promise<PostgresPart> {
  // A table takes as long as it takes.
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
  const sequences = await findSequences(db);
  await db.query('commit');
  return { snapshotAt: (moments[0]?.at ?? new Date()).toISOString(), migrations, tables, sequences };
}

/** Returns the names of the sequences that a backup holds. */
export async function listSequences(db: Client): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  return rows.map(({ name }) => name);
}

async function findSequences(db: Client): Promise<PostgresPart['sequences']> {
  const sequences: PostgresPart['sequences'] = [];
  for (const name of await listSequences(db)) {
    const { rows: values } = await db.query<{ value: string; isCalled: boolean }>(
      `select last_value as value, is_called as "isCalled" from ${name}`,
    );
    sequences.push(...values.map((value) => ({ name, ...value })));
  }
  return sequences;
}
