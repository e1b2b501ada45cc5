import type { Batch, Candidate, ImportState, Remark } from '@smartlink/import/store';
import type { Queryable } from '@smartlink/process/database';

/** An upload, as its owner sees it. */
export type Upload = {
  readonly id: string;
  readonly format: string;
  readonly state: 'checked' | 'running' | 'done' | 'failed';
  readonly total: number;
  readonly ready: number;
  readonly done: number;
  readonly created: number;
  readonly refused: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

// pg returns a bigint as text.
const UPLOAD_COLUMNS = `
  id, format, state, rows_total::float8 as total, ready_count::float8 as ready, rows_done::float8 as done,
  created_count::float8 as created,
  (case when state = 'checked' then rows_total - ready_count else refused_count end)::float8 as refused,
  started_at as "createdAt", run_started_at as "startedAt", finished_at as "finishedAt"`;
const IS_SHOWN = `state in ('checked', 'running', 'done', 'failed')`;

export const UPLOADS_SHOWN_MAX = 50;

export async function findUpload(db: Queryable, userId: string, id: string): Promise<Upload | null> {
  const { rows } = await db.query(
    `select ${UPLOAD_COLUMNS} from imports where id = $1 and user_id = $2 and ${IS_SHOWN}`,
    [id, userId],
  );
  return (rows[0] as Upload | undefined) ?? null;
}

/** The newest first. */
export async function listUploads(db: Queryable, userId: string): Promise<readonly Upload[]> {
  const { rows } = await db.query(
    `select ${UPLOAD_COLUMNS} from imports where user_id = $1 and ${IS_SHOWN}
     order by started_at desc, id desc limit ${UPLOADS_SHOWN_MAX}`,
    [userId],
  );
  return rows as Upload[];
}

export async function beginUpload(
  db: Queryable,
  { id, userId, format }: { id: string; userId: string; format: string },
): Promise<void> {
  await db.query(`insert into imports (id, user_id, format, state) values ($1, $2, $3, 'receiving')`, [
    id,
    userId,
    format,
  ]);
}

/** Adds checked rows of an upload; a candidate's password is hashed. */
export async function addUploadRows(
  db: Queryable,
  id: string,
  { candidates, refusals }: Batch,
): Promise<void> {
  const rows = [
    ...candidates.map(({ rowNumber, line, slug, bytes, ...candidate }) => ({
      rowNumber,
      line,
      slug,
      reason: null,
      candidate,
      bytes,
    })),
    ...refusals.map(({ rowNumber, line, slug, reason }) => ({
      rowNumber,
      line,
      slug,
      reason,
      candidate: null,
      bytes: 0,
    })),
  ];
  await db.query(
    `insert into import_rows (import_id, row_number, line, slug, reason, candidate, bytes)
     select $1, "rowNumber", line, slug, reason, nullif(candidate::text, 'null')::json, bytes
     from json_to_recordset($2)
       as row ("rowNumber" bigint, line bigint, slug text, reason text, candidate json, bytes integer)`,
    [id, JSON.stringify(rows)],
  );
}

/** Makes an upload a checked one, in place of the account's oldest beyond `max`. */
export async function finishUpload(
  db: Queryable,
  {
    id,
    userId,
    total,
    ready,
    max,
  }: { id: string; userId: string; total: number; ready: number; max: number },
): Promise<void> {
  await db.query(
    `update imports set state = 'checked', rows_total = $2, ready_count = $3 where id = $1 and state = 'receiving'`,
    [id, total, ready],
  );
  await db.query(
    `update imports set state = 'removed' where id in (
       select id from imports where user_id = $1 and state = 'checked'
       order by started_at desc, id desc offset $2)`,
    [userId, max],
  );
}

/** Lets a job remove what an upload has left. */
export async function dropUpload(db: Queryable, id: string): Promise<void> {
  await db.query(`update imports set state = 'removed' where id = $1 and state = 'receiving'`, [id]);
}

/** The upload, locked against another start. */
export async function lockUpload(db: Queryable, userId: string, id: string): Promise<Upload | null> {
  const { rows } = await db.query(
    `select ${UPLOAD_COLUMNS} from imports where id = $1 and user_id = $2 and ${IS_SHOWN} for no key update`,
    [id, userId],
  );
  return (rows[0] as Upload | undefined) ?? null;
}

export async function countRunning(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query(
    `select count(*)::integer as count from imports where user_id = $1 and state = 'running'`,
    [userId],
  );
  return (rows[0] as { count: number }).count;
}

export async function startUpload(
  db: Queryable,
  { id, assignSlugs, personId }: { id: string; assignSlugs: boolean; personId: string },
): Promise<void> {
  await db.query(
    `update imports set state = 'running', assign_slugs = $2, created_by = $3, run_started_at = now(), run_due_at = now()
     where id = $1`,
    [id, assignSlugs, personId],
  );
}

/** An upload of which this process may store the next batch, until the lease ends. */
export type ClaimedUpload = {
  readonly userId: string;
  readonly assignSlugs: boolean;
  readonly personId: string | null;
  readonly total: number;
  readonly attempts: number;
  readonly progress: ImportState;
};

// Accounts take turns: of each only the import that was started first is due.
const CLAIM = `
update imports set run_due_at = now() + $1 * interval '1 second', attempts = attempts + 1
where id = (
  select id from imports
  where state = 'running' and run_due_at <= now() and not exists (
    select from imports as earlier
    where earlier.user_id = imports.user_id and earlier.state = 'running'
      and (earlier.run_started_at, earlier.id) < (imports.run_started_at, imports.id))
  order by run_due_at limit 1 for no key update skip locked)
returning user_id as "userId", assign_slugs as "assignSlugs", created_by as "personId", rows_total::float8 as total,
  attempts, id, format, rows_done::float8 as "rowsDone", created_count::float8 as created,
  refused_count::float8 as refused, readdressed_count::float8 as readdressed, finished_at as "finishedAt"`;

export async function claimUpload(db: Queryable, leaseSeconds: number): Promise<ClaimedUpload | null> {
  const { rows } = await db.query(CLAIM, [leaseSeconds]);
  const row = rows[0] as (Omit<ClaimedUpload, 'progress'> & ImportState) | undefined;
  if (row === undefined) return null;
  const { userId, assignSlugs, personId, total, attempts, ...progress } = row;
  return { userId, assignSlugs, personId, total, attempts, progress };
}

// The first rows that are left, up to a number of bytes but at least one.
const NEXT_ROWS = `
select "rowNumber"::float8 as "rowNumber", line::float8 as line, slug, reason, candidate, bytes
from (
  select row_number as "rowNumber", line, slug, reason, candidate, bytes,
         sum(bytes) over (order by row_number) - bytes as before
  from (select * from import_rows where import_id = $1 order by row_number limit $2) as first
) as measured
where before < $3
order by "rowNumber"`;

type UploadRow = Pick<Remark, 'rowNumber' | 'line' | 'slug'> & { readonly bytes: number } & (
    | { readonly reason: string; readonly candidate: null }
    | { readonly reason: null; readonly candidate: Omit<Candidate, 'rowNumber' | 'line' | 'slug' | 'bytes'> }
  );

/** The next rows of an upload, in the order of the file. */
export async function nextBatch(
  db: Queryable,
  id: string,
  { rowsMax, bytesMax }: { readonly rowsMax: number; readonly bytesMax: number },
): Promise<Batch> {
  const { rows } = await db.query(NEXT_ROWS, [id, rowsMax, bytesMax]);
  const candidates: Candidate[] = [];
  const refusals: Remark[] = [];
  for (const { rowNumber, line, slug, bytes, reason, candidate } of rows as UploadRow[]) {
    const place = { rowNumber, line, slug };
    if (candidate === null) refusals.push({ ...place, reason, createdAs: null });
    else candidates.push({ ...place, ...withTimes(candidate), bytes });
  }
  return { candidates, refusals };
}

/** JSON has times as text. */
function withTimes<Stored extends Pick<Candidate, 'smartlink'>>(stored: Stored): Stored {
  const { past } = stored.smartlink;
  if (past === undefined) return stored;
  const { createdAt, updatedAt, ...others } = past;
  const times = {
    ...(createdAt !== undefined && { createdAt: new Date(createdAt) }),
    ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt) }),
  };
  return { ...stored, smartlink: { ...stored.smartlink, past: { ...others, ...times } } };
}

/** Deletes the rows up to `lastRow` and what was expected of them, in the transaction that stores them. */
export async function takeRows(db: Queryable, id: string, lastRow: number): Promise<void> {
  await db.query('delete from import_rows where import_id = $1 and row_number <= $2', [id, lastRow]);
}

/** Deletes what was expected of rows when they were checked. */
export async function forgetExpected(
  db: Queryable,
  id: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<void> {
  await db.query('delete from import_remarks where import_id = $1 and row_number > $2 and row_number <= $3', [
    id,
    after,
    upTo,
  ]);
}

/** Makes an upload due again after a batch, or a done one when none is left. */
export async function continueUpload(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update imports
     set run_due_at = now(), attempts = 0,
         state = case when rows_done >= rows_total then 'done' else state end,
         finished_at = case when rows_done >= rows_total then now() end
     where id = $1 and state = 'running'`,
    [id],
  );
}

/** Gives an upload back, due in `seconds`. */
export async function postponeUpload(db: Queryable, id: string, seconds: number): Promise<void> {
  await db.query(
    `update imports set run_due_at = now() + $2 * interval '1 second' where id = $1 and state = 'running'`,
    [id, seconds],
  );
}

export async function failUpload(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update imports set state = 'failed', finished_at = now() where id = $1 and state = 'running'`,
    [id],
  );
}
