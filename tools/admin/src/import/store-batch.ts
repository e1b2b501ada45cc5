import { type Client, DatabaseError } from 'pg';
import { inTransaction } from '@smartlink/process/database';
import { hashPassword } from '@smartlink/smartlink/credentials';
import { slugKey } from '@smartlink/smartlink/model';
import {
  addToOutbox,
  lockQuota,
  type NewSmartlink,
  recordChanges,
  type SmartlinkRow,
  storeSmartlinks,
} from '@smartlink/smartlink/store';
import { Problem } from '../cli/terminal.js';
import type { Candidate, RowChecker } from './check-row.js';
import type { ImportRow } from './files/import-row.js';
import {
  addRemarks,
  advanceImport,
  type BatchCounts,
  findTaken,
  type ImportState,
  type Remark,
  type TakenKeys,
  takeRemarks,
} from './queries.js';
import { keepCarriedTotals } from './totals.js';

/** Checked rows, their passwords hashed. */
type Batch = {
  readonly rows: number;
  readonly candidates: readonly Candidate[];
  readonly refusals: readonly Remark[];
};

// One transaction: 50 ms of Postgres, in one statement.
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;
// argon2 takes some 30 ms each: together a second.
const PASSWORDS_MAX = 50;
const HASHES_AT_ONCE = 2;

/** Yields a file's checked rows in batches, without those that `isDone`, until `signal` aborts. A dry run hashes no passwords. */
export async function* readBatches(
  rows: AsyncIterable<ImportRow>,
  options: {
    readonly check: RowChecker;
    readonly isDone: (rowNumber: number) => boolean;
    readonly isDryRun: boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<Batch> {
  let batch = openBatch();
  for await (const row of rows) {
    if (options.signal.aborted) return;
    if (options.isDone(row.rowNumber)) continue;
    batch.add(options.check(row));
    if (!batch.isFull()) continue;
    yield await batch.close(options.isDryRun);
    batch = openBatch();
  }
  if (!options.signal.aborted && !batch.isEmpty()) yield await batch.close(options.isDryRun);
}

function openBatch() {
  const candidates: Candidate[] = [];
  const refusals: Remark[] = [];
  let bytes = 0;
  let passwords = 0;
  const count = () => candidates.length + refusals.length;
  return {
    add(checked: ReturnType<RowChecker>): void {
      if ('refusal' in checked) {
        refusals.push(checked.refusal);
        return;
      }
      candidates.push(checked.candidate);
      bytes += checked.candidate.bytes;
      if (checked.candidate.password !== undefined) passwords += 1;
    },
    isFull: () => count() >= ROWS_MAX || bytes >= BYTES_MAX || passwords >= PASSWORDS_MAX,
    isEmpty: () => count() === 0,
    close: async (isDryRun: boolean): Promise<Batch> => ({
      rows: count(),
      candidates: isDryRun ? candidates : await withHashes(candidates),
      refusals,
    }),
  };
}

async function withHashes(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const hashed = [...candidates];
  const waiting = candidates.entries();
  await Promise.all(
    Array.from({ length: HASHES_AT_ONCE }, async () => {
      // They share the iterator.
      for (const [i, { password, ...one }] of waiting) {
        if (password === undefined) continue;
        const smartlink = { ...one.smartlink, passwordHash: await hashPassword(password) };
        hashed[i] = { ...one, password, smartlink };
      }
    }),
  );
  return hashed;
}

type Placed<Row> = Candidate & { readonly row: Row };

/** The stored rows of a batch, and remarks on those that were refused or got another address. */
type Placement<Row> = { readonly placed: readonly Placed<Row>[]; readonly remarks: readonly Remark[] };

/** The database, or the stand-in of a dry run. */
export type Places<Row> = {
  /** Smartlinks that the plan has room for; null: unlimited. */
  readonly room: number | null;
  readonly assignSlugs: boolean;
  /** Stores smartlinks and returns their rows in the same order; null where an address belongs to another smartlink. */
  readonly store: (smartlinks: readonly NewSmartlink[]) => Promise<readonly (Row | null)[]>;
  /** The keys that belong to other smartlinks. */
  readonly findTaken: (keys: readonly string[]) => Promise<TakenKeys>;
};

export const NO_ROOM = 'Subscription limit reached';
const TAKEN = 'configuration.smartlinkUrl: This smartlink URL is already taken';
// By an earlier row or import of the same link: another address would duplicate it.
export const OWN_TAKEN = 'configuration.smartlinkUrl: This smartlink URL is already yours';
const ALIAS_TAKEN = 'export.aliases: Already taken:';

// More than one is needed only when rows of a batch want the same address, or another user has just taken one.
const ROUNDS_MAX = 10;

/** Places candidates in order while there is room. One whose address is taken is refused, or gets another one. */
export async function placeRows<Row extends { readonly slug: string }>(
  candidates: readonly Candidate[],
  places: Places<Row>,
): Promise<Placement<Row>> {
  const placed: Placed<Row>[] = [];
  const remarks: Remark[] = [];
  let waiting = candidates;
  for (;;) {
    const room = places.room === null ? waiting.length : places.room - placed.length;
    const some = waiting.slice(0, room);
    if (some.length === 0) break;
    waiting = waiting.slice(some.length);
    const result = await placeSome(some, places);
    placed.push(...result.placed);
    remarks.push(...result.remarks);
  }
  remarks.push(...waiting.map((candidate) => remark(candidate, NO_ROOM, null)));
  return { placed, remarks: remarks.toSorted((a, b) => a.rowNumber - b.rowNumber) };
}

async function placeSome<Row extends { readonly slug: string }>(
  some: readonly Candidate[],
  places: Places<Row>,
): Promise<Placement<Row>> {
  const placed: Placed<Row>[] = [];
  const remarks: Remark[] = [];
  const reasons = new Map(
    some.flatMap(({ rowNumber, addressReason }) =>
      addressReason === null ? [] : [[rowNumber, addressReason]],
    ),
  );
  let waiting = some;
  for (let round = 1; waiting.length > 0; round += 1) {
    const rows = await places.store(waiting.map(({ smartlink }) => smartlink));
    const refused: Candidate[] = [];
    for (const [i, one] of waiting.entries()) {
      const row = rows[i];
      if (row) placed.push({ ...one, row });
      else refused.push(one);
    }
    const taken = await places.findTaken(refused.flatMap(({ smartlink }) => keysOf(smartlink)));
    const again: Candidate[] = [];
    for (const one of refused) {
      const reason = describeTaken(one, taken);
      const { rowNumber } = one;
      if (reason === null && round < ROUNDS_MAX) again.push(one);
      else if (places.assignSlugs && reason !== null && round < ROUNDS_MAX) {
        reasons.set(rowNumber, [reasons.get(rowNumber), reason].filter(Boolean).join('; '));
        again.push(withoutTaken(one, taken));
      } else remarks.push(remark(one, reason ?? TAKEN, null));
    }
    waiting = again;
  }
  for (const one of placed) {
    const reason = reasons.get(one.rowNumber);
    if (reason !== undefined) remarks.push(remark(one, reason, one.row.slug));
  }
  return { placed, remarks };
}

const remark = ({ rowNumber, line, slug }: Candidate, reason: string, createdAs: string | null): Remark => ({
  rowNumber,
  line,
  slug,
  reason,
  createdAs,
});

export const keysOf = ({ slug, past }: NewSmartlink): readonly string[] =>
  [...(slug === undefined ? [] : [slug]), ...(past?.aliases ?? [])].map(slugKey);

/** null: no address is taken, another row of the batch was before it. */
function describeTaken({ smartlink: { slug, past } }: Candidate, taken: TakenKeys): string | null {
  const slugTaken = slug === undefined ? undefined : taken.get(slugKey(slug));
  if (slugTaken !== undefined) return slugTaken.isOwn ? OWN_TAKEN : TAKEN;
  const aliases = (past?.aliases ?? []).filter((alias) => taken.has(slugKey(alias)));
  return aliases.length > 0 ? `${ALIAS_TAKEN} ${aliases.join(', ')}` : null;
}

function withoutTaken({ smartlink, ...one }: Candidate, taken: TakenKeys): Candidate {
  const { slug, past } = smartlink;
  const isSlugTaken = slug !== undefined && taken.has(slugKey(slug));
  const aliases = (past?.aliases ?? []).filter((alias) => !taken.has(slugKey(alias)));
  return {
    ...one,
    smartlink: { ...smartlink, slug: isSlugTaken ? undefined : slug, past: { ...past, aliases } },
  };
}

/** The owner of an import, and whether a taken address is replaced by another one. */
export type ImportTarget = { readonly userId: string; readonly assignSlugs: boolean };

const ADVANCED = 'The import goes on elsewhere, or its owner was deleted.';

/**
 * Stores a batch with everything that belongs to it in one transaction, and returns the new state: a row is done or it is
 * not. Throws Problem when another process has advanced the import.
 */
export async function storeBatch(
  db: Client,
  target: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  try {
    return await inTransaction(db, () => storeWithin(db, target, state, batch));
  } catch (err) {
    // SQLSTATE foreign_key_violation: everything refers to the user in the end.
    const isOwnerGone = err instanceof DatabaseError && err.code === '23503';
    throw isOwnerGone ? new Problem(ADVANCED) : err;
  }
}

async function storeWithin(
  db: Client,
  { userId, assignSlugs }: ImportTarget,
  state: ImportState,
  batch: Batch,
): Promise<ImportState> {
  const { placed, remarks } = await placeRows<SmartlinkRow>(batch.candidates, {
    room: await lockQuota(db, userId),
    assignSlugs,
    store: (smartlinks) => storeSmartlinks(db, userId, smartlinks),
    findTaken: (keys) => findTaken(db, userId, keys),
  });
  const rows = [...batch.candidates, ...batch.refusals];
  const retried = rows.map(({ rowNumber }) => rowNumber).filter((rowNumber) => rowNumber <= state.rowsDone);
  const counts = countBatch(batch, placed.length, remarks, retried.length);
  const isOurs = (await takeRemarks(db, state.id, retried)) && (await advanceImport(db, state, counts));
  if (!isOurs) throw new Problem(ADVANCED);
  await addRemarks(db, state.id, [...batch.refusals, ...remarks]);
  if (placed.length > 0) await finishPlaced(db, userId, placed);
  return addCounts(state, counts);
}

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
  const totals = placed.flatMap(({ row, totals }) =>
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

/** The counts that a batch adds; `retried` of its rows were counted before, as refused. */
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

export const addCounts = (state: ImportState, counts: BatchCounts): ImportState => ({
  ...state,
  rowsDone: state.rowsDone + counts.rows,
  created: state.created + counts.created,
  refused: state.refused + counts.refused,
  readdressed: state.readdressed + counts.readdressed,
});
