import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** How far an import has come, over all runs. */
export type ImportState = {
  readonly id: string;
  readonly format: string;
  readonly rowsDone: number;
  readonly created: number;
  readonly refused: number;
  /** Among the created ones: those that have another address than they asked for. */
  readonly readdressed: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
};

// pg hands a bigint over as text; nobody imports 2^53 rows.
const IMPORT_COLUMNS = `
  id, format, rows_done::float8 as "rowsDone", created_count::float8 as created, refused_count::float8 as refused,
  readdressed_count::float8 as readdressed, started_at as "startedAt", finished_at as "finishedAt"`;

const FIND_IMPORT = `
select ${IMPORT_COLUMNS} from imports
where user_id = $1 and file_sha256 = $2
order by finished_at desc nulls first
limit 1`;

/** Returns a user's unfinished import of this file, else the last finished one, else null. */
export async function findImport(db: Queryable, userId: string, sha256: Buffer): Promise<ImportState | null> {
  const { rows } = await db.query(FIND_IMPORT, [userId, sha256]);
  return (rows[0] as ImportState | undefined) ?? null;
}

const BEGIN_IMPORT = `
insert into imports (id, user_id, file_sha256, format) values ($1, $2, $3, $4)
returning ${IMPORT_COLUMNS}`;

/** Notes that a user imports a file, and returns that. */
export async function beginImport(
  db: Queryable,
  started: { readonly id: string; readonly userId: string; readonly sha256: Buffer; readonly format: string },
): Promise<ImportState> {
  const { id, userId, sha256, format } = started;
  const { rows } = await db.query(BEGIN_IMPORT, [id, userId, sha256, format]);
  return rows[0] as ImportState;
}

export type BatchCounts = Pick<ImportState, 'created' | 'refused' | 'readdressed'> & {
  readonly rows: number;
};

const ADVANCE_IMPORT = `
update imports
set rows_done = rows_done + $3, created_count = created_count + $4, refused_count = refused_count + $5,
    readdressed_count = readdressed_count + $6
where id = $1 and rows_done = $2 and finished_at is null
returning id`;

/** Notes, in the transaction of a batch, that its rows are done; false when others than `rowsDone` were done before it. */
export async function advanceImport(
  db: Queryable,
  { id, rowsDone }: Pick<ImportState, 'id' | 'rowsDone'>,
  batch: BatchCounts,
): Promise<boolean> {
  const { rows } = await db.query(ADVANCE_IMPORT, [
    id,
    rowsDone,
    batch.rows,
    batch.created,
    batch.refused,
    batch.readdressed,
  ]);
  return rows.length === 1;
}

const FINISH_IMPORT = `
with finished as (update imports set finished_at = now() where id = $1)
delete from import_remarks
where import_id = $1 and not exists (
  select from import_remarks where import_id = $1 and created_as is null and reason = $2)`;

/**
 * Notes that all of a file is done. Its remarks are in a report, and are kept only while rows are among them that were
 * refused for `reason`, to be tried again.
 */
export async function finishImport(db: Queryable, id: string, reason: string): Promise<void> {
  await db.query(FINISH_IMPORT, [id, reason]);
}

const REOPEN_IMPORT = `update imports set finished_at = null where id = $1`;

/** Notes that rows of a finished import are tried again. */
export async function reopenImport(db: Queryable, id: string): Promise<void> {
  await db.query(REOPEN_IMPORT, [id]);
}

const FORGET_REMARKS = `
delete from import_remarks using imports
where imports.id = import_id and imports.user_id = $1 and imports.file_sha256 = $2`;

/** Deletes what is kept of a user's imports of this file that are over. */
export async function forgetRemarks(db: Queryable, userId: string, sha256: Buffer): Promise<void> {
  await db.query(FORGET_REMARKS, [userId, sha256]);
}

const LIST_REFUSED = `
select row_number::float8 as "rowNumber" from import_remarks
where import_id = $1 and created_as is null and reason = $2`;

/** Returns the numbers of an import's rows that were refused for this reason. */
export async function listRefused(
  db: Queryable,
  importId: string,
  reason: string,
): Promise<ReadonlySet<number>> {
  const { rows } = await db.query(LIST_REFUSED, [importId, reason]);
  return new Set((rows as { rowNumber: number }[]).map(({ rowNumber }) => rowNumber));
}

const TAKE_REMARKS = `
delete from import_remarks where import_id = $1 and row_number = any($2::bigint[]) returning row_number`;

/** Deletes the remarks on rows that are tried again, in the transaction of their batch; false when one has none. */
export async function takeRemarks(
  db: Queryable,
  importId: string,
  rowNumbers: readonly number[],
): Promise<boolean> {
  if (rowNumbers.length === 0) return true;
  const { rows } = await db.query(TAKE_REMARKS, [importId, rowNumbers]);
  return rows.length === rowNumbers.length;
}

/** What is to be told of a row. */
export type Remark = {
  readonly rowNumber: number;
  readonly line: number;
  /** The address that the row asks for; null when it names none. */
  readonly slug: string | null;
  readonly reason: string;
  /** The address it has got; null: it was refused. */
  readonly createdAs: string | null;
};

const ADD_REMARKS = `
insert into import_remarks (import_id, row_number, line, slug, reason, created_as)
select $1, row_number, line, slug, reason, created_as
from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
  as remark (row_number, line, slug, reason, created_as)`;

/** Notes what is to be told of rows, in the transaction of their batch. */
export async function addRemarks(db: Queryable, importId: string, remarks: readonly Remark[]): Promise<void> {
  if (remarks.length === 0) return;
  await db.query(ADD_REMARKS, [
    importId,
    remarks.map(({ rowNumber }) => rowNumber),
    remarks.map(({ line }) => line),
    remarks.map(({ slug }) => slug),
    remarks.map(({ reason }) => reason),
    remarks.map(({ createdAs }) => createdAs),
  ]);
}

const LIST_REMARKS = `
select row_number::float8 as "rowNumber", line::float8 as line, slug, reason, created_as as "createdAs"
from import_remarks
where import_id = $1 and row_number > $2
order by row_number
limit $3`;

/** Returns at most `limit` remarks behind the row `afterRow`, in the file's order. */
export async function listRemarks(
  db: Queryable,
  importId: string,
  afterRow: number,
  limit: number,
): Promise<readonly Remark[]> {
  const { rows } = await db.query(LIST_REMARKS, [importId, afterRow, limit]);
  return rows as Remark[];
}

/** Keys that a new smartlink cannot have, each with whether they are its owner's. */
export type TakenKeys = ReadonlyMap<string, { readonly isOwn: boolean }>;

const FIND_TAKEN = `
select key, slugs.user_id is not distinct from $1 as "isOwn" from slugs
where key = any($2) and (slugs.user_id = $1 and exists (
  select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted')) is not true`;

/** Returns those of these keys that a new smartlink of the user cannot have, as `claimSlugs` decides it. */
export async function findTaken(db: Queryable, userId: string, keys: readonly string[]): Promise<TakenKeys> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.query(FIND_TAKEN, [userId, keys]);
  return new Map((rows as { key: string; isOwn: boolean }[]).map(({ key, isOwn }) => [key, { isOwn }]));
}

const TRY_LOCK = `select pg_try_advisory_lock(hashtextextended($1, 0)) as taken`;

/** Takes a name for as long as the connection lasts; false when another connection has it. */
export async function tryLock(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query(TRY_LOCK, [name]);
  return (rows[0] as { taken: boolean }).taken;
}
