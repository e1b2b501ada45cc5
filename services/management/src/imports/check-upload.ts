import type { Pool } from 'pg';
import { type ImportFormat, openRows } from '@smartlink/import/files';
import {
  addRemarks,
  type Batch,
  type Candidate,
  createRehearsal,
  readBatches,
  type Remark,
  type RowChecker,
} from '@smartlink/import/store';
import { withTransaction } from '@smartlink/process/database';
import { newId, remainingQuota } from '@smartlink/smartlink/store';
import type { Principal } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { ApiError, fault } from '../errors.js';
import { tooLarge } from '../plugins/uploads.js';
import { addUploadRows, beginUpload, dropUpload, finishUpload } from './queries.js';

export const FILE_BYTES_MAX = 200 * 1024 * 1024;
export const ROWS_MAX = 200_000;
export const PROBLEMS_MAX = 50;
/** Checked files that an account keeps. */
export const CHECKED_MAX = 3;
// Some 150 bytes each are kept until the file is read.
const ADDRESSES_MAX = 400_000;
// At some 30 ms each: half a minute.
const PASSWORDS_MAX = 1_000;

type CheckDeps = {
  readonly pg: Pool;
  readonly check: RowChecker;
  readonly hashPassword: (password: string) => Promise<string>;
};

export type CheckedUpload = {
  readonly id: string;
  readonly format: ImportFormat;
  readonly rows: number;
  readonly ready: number;
  readonly refused: number;
  /** The first refused rows. */
  readonly problems: readonly { readonly row: number; readonly line?: number; readonly reason: string }[];
};

/**
 * Reads a file as it arrives into rows that can be stored later. Creates no smartlink. Throws VALIDATION_FAILED for a file that
 * is none of links, PAYLOAD_TOO_LARGE.
 */
export async function checkUpload(
  deps: CheckDeps,
  principal: Principal,
  file: AsyncIterable<Buffer>,
  format: ImportFormat | undefined,
): Promise<CheckedUpload> {
  const { pg } = deps;
  const { userId } = principal;
  let bytes = 0;
  const opened = await openRows(file, {
    format,
    onContent(count) {
      bytes += count;
      if (bytes > FILE_BYTES_MAX) throw tooLarge(FILE_BYTES_MAX);
    },
  });
  if ('problem' in opened) throw fault('', `The file ${opened.problem}`);
  const id = newId(Date.now());
  await beginUpload(pg, { id, userId, format: opened.format });
  try {
    const found = await readRows(deps, principal, id, opened.rows);
    await withTransaction(pg, async (client) => {
      const { rows: total, ready } = found;
      await finishUpload(client, { id, userId, total, ready, max: CHECKED_MAX });
      await addAuditEntry(client, principal, 'import.create', { importId: id });
    });
    return { id, format: opened.format, ...found };
  } catch (err) {
    await dropUpload(pg, id).catch(() => undefined);
    throw err;
  }
}

async function readRows(
  { pg, check, hashPassword }: CheckDeps,
  { userId, plan: { smartlinksMax } }: Principal,
  id: string,
  rows: Parameters<typeof readBatches>[0],
) {
  const room = smartlinksMax === null ? null : await remainingQuota(pg, userId, smartlinksMax);
  const rehearsal = createRehearsal(pg, { userId, room, assignSlugs: false });
  const hash = createBatchHasher(hashPassword);
  const refused: Remark[] = [];
  const { signal } = new AbortController();
  for await (const read of readBatches(rows, { check, isDone: () => false, signal })) {
    const batch = await hash(read);
    const remarks = await rehearsal.add(batch);
    if (rehearsal.counts().rowsDone > ROWS_MAX || rehearsal.addressCount() > ADDRESSES_MAX) {
      throw new ApiError('PAYLOAD_TOO_LARGE', {
        message: `The file has more than ${ROWS_MAX} rows or ${ADDRESSES_MAX} addresses`,
      });
    }
    await addUploadRows(pg, id, batch);
    await addRemarks(pg, id, remarks);
    const refusals = remarks.filter(({ createdAs }) => createdAs === null);
    refused.push(...refusals.slice(0, PROBLEMS_MAX - refused.length));
  }
  const { rowsDone, created, refused: refusedCount } = rehearsal.counts();
  return {
    rows: rowsDone,
    ready: created,
    refused: refusedCount,
    problems: refused.map(({ rowNumber, line, slug, reason }) => ({
      row: rowNumber,
      ...(line > 0 && { line }),
      ...(slug !== null && { slug }),
      reason,
    })),
  };
}

/** Replaces passwords by their hashes: they are not stored in clear. */
function createBatchHasher(hashPassword: (password: string) => Promise<string>) {
  let hashed = 0;
  return async ({ candidates, refusals }: Batch): Promise<Batch> => {
    const kept: Candidate[] = [];
    const refused = [...refusals];
    for (const candidate of candidates) {
      const { password, smartlink, rowNumber, line, slug } = candidate;
      if (password === undefined) kept.push(candidate);
      else if (hashed === PASSWORDS_MAX) {
        const reason = `shortener.password: A file has at most ${PASSWORDS_MAX} passwords`;
        refused.push({ rowNumber, line, slug, reason, createdAs: null });
      } else {
        hashed += 1;
        const passwordHash = await hashPassword(password);
        kept.push({ ...candidate, password: undefined, smartlink: { ...smartlink, passwordHash } });
      }
    }
    return { candidates: kept, refusals: refused };
  };
}
