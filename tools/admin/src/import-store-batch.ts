import { DatabaseError } from 'pg';
import type { Client } from 'pg';
import { lockRoom } from '@smartlink/smartlink-store/plan-limit';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { storeSmartlinks } from '@smartlink/smartlink-store/store-smartlinks';
import { keepCarriedTotals } from './import-carried-totals.js';
import { placeRows } from './import-place-rows.js';
import type { Placeable, Placed } from './import-place-rows.js';
import { addRemarks, advanceImport, findTaken, takeRemarks } from './import-queries.js';
import type { BatchCounts, ImportState, Remark } from './import-queries.js';
import { Problem } from './problem.js';
import { inTransaction } from './session.js';

/** Rows that are checked, their passwords hashed. */
export type Batch = {
  readonly rows: number;
  readonly candidates: readonly Placeable[];
  readonly refusals: readonly Remark[];
};

/** Whose import, and how addresses are given. */
export type ImportTarget = { readonly userId: string; readonly assignSlugs: boolean };

/**
 * Stores a batch of an import with all that belongs to it in one transaction, and returns how far the import is then: so
 * whatever breaks off, a row is done or it is not. Rejects when Postgres does, with nothing of it stored; throws Problem
 * when the import has gone on elsewhere.
 */
export async function storeBatch(
  db: Client,
  { userId, assignSlugs }: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  const store = () => inTransaction(db, () => storeWithin(db, { userId, assignSlugs }, state, batch));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (err) {
      if (isOwnerGone(err)) throw new Problem(GONE);
      if (!isDeadlock(err) || attempt === ATTEMPTS_MAX) throw err;
    }
  }
}

const ATTEMPTS_MAX = 3;
const GONE = 'The import goes on elsewhere, or its owner was deleted.';

/** All that a batch stores belongs to the user in the end (SQLSTATE foreign_key_violation). */
const isOwnerGone = (err: unknown): boolean => err instanceof DatabaseError && err.code === '23503';

/** Of two that take the same addresses in several statements one may be ended by Postgres (SQLSTATE deadlock_detected). */
const isDeadlock = (err: unknown): boolean => err instanceof DatabaseError && err.code === '40P01';

async function storeWithin(
  db: Client,
  { userId, assignSlugs }: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  const room = await lockRoom(db, userId);
  const places = {
    room,
    store: (smartlinks: Parameters<typeof storeSmartlinks>[2]) => storeSmartlinks(db, userId, smartlinks),
    findTaken: (keys: readonly string[]) => findTaken(db, userId, keys),
  };
  const { placed, remarks } = await placeRows(batch.candidates, places, assignSlugs);
  const retried = rowNumbersOf(batch).filter((rowNumber) => rowNumber <= state.rowsDone);
  const counts = countBatch(batch, placed.length, remarks, retried.length);
  const isOurs = (await takeRemarks(db, state.id, retried)) && (await advanceImport(db, state, counts));
  if (!isOurs) throw new Problem(GONE);
  await addRemarks(db, state.id, [...batch.refusals, ...remarks]);
  if (placed.length > 0) await finishPlaced(db, userId, placed);
  return addCounts(state, counts);
}

const rowNumbersOf = ({ candidates, refusals }: Batch): readonly number[] => [
  ...candidates.map(({ candidate }) => candidate.rowNumber),
  ...refusals.map(({ rowNumber }) => rowNumber),
];

async function finishPlaced(
  db: Client,
  userId: string,
  placed: readonly Placed<SmartlinkRow>[],
): Promise<void> {
  const rows = placed.map(({ row }) => row);
  await addToOutbox(db, rows);
  await recordChanges(
    db,
    rows.map((smartlink) => ({ actor: 'admin', action: 'smartlink.import', smartlink })),
  );
  const nowMs = Date.now();
  await keepCarriedTotals(
    db,
    userId,
    placed.flatMap(({ row, candidate: { totals } }) =>
      totals === null ? [] : [{ smartlinkId: row.id, date: shownAt(row.created_at, nowMs), ...totals }],
    ),
  );
}

const DAY_MS = 86_400_000;
// A redirect service's clock may be behind ours, and the import at midnight.
const CLOCKS_APART_MS = 3_600_000;

/**
 * Returns the day, UTC, at which what a smartlink counted elsewhere is shown: that of its creation, but one that is over,
 * so that no visit is ever counted at it.
 */
export function shownAt(createdAt: Date, nowMs: number): string {
  const timeMs = Math.min(createdAt.getTime(), nowMs - DAY_MS - CLOCKS_APART_MS);
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Returns what a batch adds to an import; `retried` of its rows were counted before, as refused. */
export function countBatch(
  batch: Batch,
  created: number,
  remarks: readonly Remark[],
  retried: number,
): BatchCounts {
  const readdressed = remarks.filter(({ createdAs }) => createdAs !== null).length;
  const rows = batch.rows - retried;
  return { rows, created, refused: rows - created, readdressed };
}

/** Returns how far an import is after a batch. */
export function addCounts(state: ImportState, counts: BatchCounts): ImportState {
  return {
    ...state,
    rowsDone: state.rowsDone + counts.rows,
    created: state.created + counts.created,
    refused: state.refused + counts.refused,
    readdressed: state.readdressed + counts.readdressed,
  };
}
