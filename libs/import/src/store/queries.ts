import type { Queryable } from '@smartlink/process/database';

/** Progress of an import. */
export type Counts = {
  readonly rowsDone: number;
  readonly created: number;
  readonly refused: number;
  /** Created with another address than requested. */
  readonly readdressed: number;
};

/** Progress over all runs. */
export type ImportState = Counts & {
  readonly id: string;
  readonly format: string;
  readonly finishedAt: Date | null;
};

// pg returns a bigint as text.
const IMPORT_COLUMNS = `
  id, format, rows_done::float8 as "rowsDone", created_count::float8 as created, refused_count::float8 as refused,
  readdressed_count::float8 as readdressed, finished_at as "finishedAt"`;

/** A user's unfinished import of this file, else the last finished one, else null. */
export async function findImport(db: Queryable, userId: string, sha256: Buffer): Promise<ImportState | null> {
  const { rows } = await db.query(
    `select ${IMPORT_COLUMNS} from imports
     where user_id = $1 and file_sha256 = $2
     order by finished_at desc nulls first
     limit 1`,
    [userId, sha256],
  );
  return (rows[0] as ImportState | undefined) ?? null;
}

/** Records a new import, and deletes the remarks of earlier ones of the file. */
export async function beginImport(
  db: Queryable,
  { id, userId, sha256, format }: { id: string; userId: string; sha256: Buffer; format: string },
): Promise<ImportState> {
  await db.query(
    `delete from import_remarks using imports
     where imports.id = import_id and imports.user_id = $1 and imports.file_sha256 = $2`,
    [userId, sha256],
  );
  const { rows } = await db.query(
    `insert into imports (id, user_id, file_sha256, format) values ($1, $2, $3, $4)
     returning ${IMPORT_COLUMNS}`,
    [id, userId, sha256, format],
  );
  return rows[0] as ImportState;
}

/** Adds the counts of a batch, in its transaction; false when the import has advanced since `rowsDone`. */
export async function advanceImport(
  db: Queryable,
  { id, rowsDone }: ImportState,
  counts: Counts,
): Promise<boolean> {
  const { rows } = await db.query(
    `update imports
     set rows_done = rows_done + $3, created_count = created_count + $4, refused_count = refused_count + $5,
         readdressed_count = readdressed_count + $6
     where id = $1 and rows_done = $2 and finished_at is null
     returning id`,
    [id, rowsDone, counts.rowsDone, counts.created, counts.refused, counts.readdressed],
  );
  return rows.length === 1;
}

/** Finishes an import. Its remarks, which are in a report, are kept only while rows can be retried. */
export async function finishImport(db: Queryable, id: string, keepsRemarks: boolean): Promise<void> {
  await db.query('update imports set finished_at = now() where id = $1', [id]);
  if (!keepsRemarks) await db.query('delete from import_remarks where import_id = $1', [id]);
}

export async function reopenImport(db: Queryable, id: string): Promise<void> {
  await db.query('update imports set finished_at = null where id = $1', [id]);
}

/** Deletes the remarks on retried rows, in the transaction of their batch; false when one has none. */
export async function takeRemarks(
  db: Queryable,
  id: string,
  rowNumbers: readonly number[],
): Promise<boolean> {
  if (rowNumbers.length === 0) return true;
  const { rows } = await db.query(
    'delete from import_remarks where import_id = $1 and row_number = any($2::bigint[]) returning row_number',
    [id, rowNumbers],
  );
  return rows.length === rowNumbers.length;
}

/** A row of the report. */
export type Remark = {
  readonly rowNumber: number;
  readonly line: number;
  /** The requested address, or null. */
  readonly slug: string | null;
  readonly reason: string;
  /** The address of the smartlink; null: the row was refused. */
  readonly createdAs: string | null;
};

export async function addRemarks(db: Queryable, id: string, remarks: readonly Remark[]): Promise<void> {
  if (remarks.length === 0) return;
  await db.query(
    `insert into import_remarks (import_id, row_number, line, slug, reason, created_as)
     select $1, "rowNumber", line, slug, reason, "createdAs"
     from json_to_recordset($2)
       as remark ("rowNumber" bigint, line bigint, slug text, reason text, "createdAs" text)`,
    [id, JSON.stringify(remarks)],
  );
}

const REMARKS_AT_ONCE = 5_000;

/** Yields an import's remarks in the file's order, some thousand at a time. */
export async function* listRemarks(db: Queryable, id: string): AsyncGenerator<readonly Remark[], void> {
  let afterRow = 0;
  for (;;) {
    const { rows } = await db.query(
      `select row_number::float8 as "rowNumber", line::float8 as line, slug, reason, created_as as "createdAs"
       from import_remarks
       where import_id = $1 and row_number > $2
       order by row_number
       limit $3`,
      [id, afterRow, REMARKS_AT_ONCE],
    );
    const remarks = rows as Remark[];
    const last = remarks.at(-1);
    if (last === undefined) return;
    yield remarks;
    afterRow = last.rowNumber;
  }
}

/** The holder of an address. */
export type Holder = {
  readonly isOwn: boolean;
  /** The address as written. */
  readonly slug: string;
  /** Imported addresses that differ from it only in case. */
  readonly exactCount: number;
  /** The row of the file that created it, where this run knows it. */
  readonly rowNumber?: number;
};

/** Keys that a new smartlink of the user cannot have. */
export type TakenKeys = Map<string, Holder>;

/** The taken ones of these keys, as `claimSlugs` decides it. */
export async function findTaken(db: Queryable, userId: string, keys: readonly string[]): Promise<TakenKeys> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.query(
    `select key, slug, coalesce(cardinality(exact), 0) as "exactCount", slugs.user_id is not distinct from $1 as "isOwn" from slugs
     where key = any($2) and (slugs.user_id = $1 and exists (
       select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted')) is not true`,
    [userId, keys],
  );
  return new Map((rows as (Holder & { readonly key: string })[]).map(({ key, ...holder }) => [key, holder]));
}
