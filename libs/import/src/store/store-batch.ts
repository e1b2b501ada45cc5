import { Readable } from 'node:stream';
import { type ClientBase, DatabaseError } from 'pg';
import { inTransaction, type Queryable } from '@smartlink/process/database';
import { hashPassword } from '@smartlink/smartlink/credentials';
import {
  addToOutbox,
  lockQuota,
  recordChanges,
  type SmartlinkRow,
  storeSmartlinks,
} from '@smartlink/smartlink/store';
import type { ImportRow } from '../files/import-row.js';
import { keepCarriedTotals } from './carried-totals.js';
import type { Candidate, RowChecker } from './check-row.js';
import { holdersOf, keysOf, placeRows, remarksOn, TAKEN, toRemark } from './place-addresses.js';
import { lockMetadataOf, placeMetadata, placeOnDomains } from './place-metadata.js';
import {
  addRemarks,
  advanceImport,
  type Counts,
  findTaken,
  type ImportState,
  type Remark,
  type TakenKeys,
  takeRemarks,
} from './queries.js';

/** Checked rows. */
export type Batch = { readonly candidates: readonly Candidate[]; readonly refusals: readonly Remark[] };

// One transaction: 50 ms of Postgres, in one statement.
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;
// argon2 takes some 30 ms each: together a second.
const PASSWORDS_MAX = 50;
const HASHES_AT_ONCE = 2;

/** Yields a file's checked rows in batches, without those that `isDone`, until `signal` aborts. */
export async function* readBatches(
  rows: AsyncIterable<ImportRow>,
  options: {
    readonly check: RowChecker;
    readonly isDone: (rowNumber: number) => boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<Batch> {
  let candidates: Candidate[] = [];
  let refusals: Remark[] = [];
  let bytes = 0;
  let passwords = 0;
  for await (const row of rows) {
    if (options.signal.aborted) return;
    if (options.isDone(row.rowNumber)) continue;
    const checked = options.check(row);
    if ('refusal' in checked) refusals.push(checked.refusal);
    else {
      candidates.push(checked.candidate);
      bytes += checked.candidate.bytes;
      if (checked.candidate.password !== undefined) passwords += 1;
    }
    const count = candidates.length + refusals.length;
    if (count < ROWS_MAX && bytes < BYTES_MAX && passwords < PASSWORDS_MAX) continue;
    yield { candidates, refusals };
    [candidates, refusals, bytes, passwords] = [[], [], 0, 0];
  }
  if (candidates.length + refusals.length > 0) yield { candidates, refusals };
}

/** The owner of an import, and whether a taken address is replaced by another one. */
export type ImportTarget = {
  readonly userId: string;
  readonly assignSlugs: boolean;
  /** As the audit log has it. */
  readonly actor: string;
  /** Addresses of rows stored earlier in this run, some 100 bytes each: reasons name the row. */
  readonly placed: TakenKeys;
};

/** The batch is not stored. */
export class ImportConflict extends Error {
  override readonly name = 'ImportConflict';
  constructor() {
    super('Another process continued the import, or its owner was deleted.');
  }
}

/**
 * Stores a batch with everything that belongs to it in one transaction, and returns the new state: a row is done or it is
 * not. Throws ImportConflict when another process has advanced the import.
 */
export async function storeBatch(
  db: ClientBase,
  target: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  const candidates = await withHashes(batch.candidates);
  try {
    return await inTransaction(db, () => storeWithin(db, target, state, { ...batch, candidates }));
  } catch (err) {
    // SQLSTATE foreign_key_violation: everything refers to the user in the end.
    const isOwnerGone = err instanceof DatabaseError && err.code === '23503';
    throw isOwnerGone ? new ImportConflict() : err;
  }
}

const withHashes = (candidates: readonly Candidate[]): Promise<readonly Candidate[]> =>
  Readable.from(candidates)
    .map(
      async (candidate: Candidate): Promise<Candidate> => {
        const { password, smartlink } = candidate;
        if (password === undefined) return candidate;
        return { ...candidate, smartlink: { ...smartlink, passwordHash: await hashPassword(password) } };
      },
      { concurrency: HASHES_AT_ONCE },
    )
    .toArray() as Promise<readonly Candidate[]>;

type Stored = { readonly candidate: Candidate; readonly row: SmartlinkRow };

// More than one is needed only when another user has just taken an address.
const ROUNDS_MAX = 10;

/** The same within a transaction of the caller's, of candidates whose passwords are hashed. */
export async function storeWithin(
  db: Queryable,
  { userId, assignSlugs, actor, placed }: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  const room = await lockQuota(db, userId);
  await lockMetadataOf(db, userId, batch.candidates);
  const stored: Stored[] = [];
  const onDomains = await placeOnDomains(db, userId, batch.candidates);
  const remarks: Remark[] = [
    ...batch.refusals,
    ...onDomains.refused.map(({ candidate, reason }) => toRemark(candidate, reason, null)),
  ];
  let waiting = onDomains.accepted;
  for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round += 1) {
    const taken = await findTaken(db, userId, waiting.flatMap(keysOf));
    for (const [key, holder] of taken) {
      const before = placed.get(key);
      if (before?.slug === holder.slug) taken.set(key, { ...before, exactCount: holder.exactCount });
    }
    const { accepted, refusals } = placeRows(waiting, {
      room: room === null ? null : room - stored.length,
      assignSlugs,
      taken,
    });
    const placement = await placeMetadata(db, userId, accepted);
    const { accepted: placeable } = placement;
    remarks.push(...refusals);
    remarks.push(...placement.refused.map(({ candidate, reason }) => toRemark(candidate, reason, null)));
    const rows = await storeSmartlinks(
      db,
      userId,
      placeable.map(({ smartlink }) => smartlink),
    );
    waiting = placeable.filter((candidate, i) => {
      const row = rows[i] ?? null;
      if (row === null) return true;
      stored.push({ candidate, row });
      remarks.push(...remarksOn(candidate, row.slug));
      return false;
    });
  }
  remarks.push(...waiting.map((candidate) => toRemark(candidate, TAKEN, null)));
  const retried = [...batch.candidates, ...batch.refusals]
    .map(({ rowNumber }) => rowNumber)
    .filter((rowNumber) => rowNumber <= state.rowsDone);
  const counts = countBatch(batch, stored.length, remarks, retried.length);
  const isOurs = (await takeRemarks(db, state.id, retried)) && (await advanceImport(db, state, counts));
  if (!isOurs) throw new ImportConflict();
  await addRemarks(db, state.id, remarks);
  if (stored.length > 0) await finishStored(db, { userId, actor }, stored);
  for (const { candidate } of stored)
    for (const [key, holder] of holdersOf(candidate)) placed.set(key, holder);
  return { ...state, ...addCounts(state, counts) };
}

async function finishStored(
  db: Queryable,
  { userId, actor }: Pick<ImportTarget, 'userId' | 'actor'>,
  stored: readonly Stored[],
): Promise<void> {
  const rows = stored.map(({ row }) => row);
  await addToOutbox(db, rows);
  await recordChanges(
    db,
    rows.map((smartlink) => ({ actor, action: 'smartlink.import', smartlink })),
  );
  const nowMs = Date.now();
  const totals = stored.flatMap(({ row, candidate: { totals } }) =>
    totals === null ? [] : [{ smartlinkId: row.id, date: shownAt(row.created_at, nowMs), ...totals }],
  );
  await keepCarriedTotals(db, userId, totals);
}

const DAY_MS = 86_400_000;
// A redirect service's clock may be behind, and the import at midnight.
const CLOCKS_APART_MS = 3_600_000;

/** The day, UTC, of a smartlink's imported totals: that of its creation, but a finished one, to which no visit is added. */
export function shownAt(createdAt: Date, nowMs: number): string {
  const timeMs = Math.min(createdAt.getTime(), nowMs - DAY_MS - CLOCKS_APART_MS);
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Whether a row got another address than it requested. */
const isReaddressed = ({ slug, createdAs }: Remark): boolean =>
  slug !== null && createdAs !== null && createdAs !== slug;

export const NOTHING_DONE: Counts = { rowsDone: 0, created: 0, refused: 0, readdressed: 0 };

/** The counts of a batch; `retried` of its rows were counted before, as refused. */
export function countBatch(
  { candidates, refusals }: Batch,
  created: number,
  remarks: readonly Remark[],
  retried: number,
): Counts {
  const readdressed = remarks.filter(isReaddressed).length;
  const rowsDone = candidates.length + refusals.length - retried;
  return { rowsDone, created, refused: rowsDone - created, readdressed };
}

export const addCounts = (one: Counts, other: Counts): Counts => ({
  rowsDone: one.rowsDone + other.rowsDone,
  created: one.created + other.created,
  refused: one.refused + other.refused,
  readdressed: one.readdressed + other.readdressed,
});
