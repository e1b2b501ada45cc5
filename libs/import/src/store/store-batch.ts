import { Readable } from 'node:stream';
import { type ClientBase, DatabaseError } from 'pg';
import { inTransaction, type Queryable } from '@smartlink/process/database';
import { hashPassword } from '@smartlink/smartlink/credentials';
import { IMPORTED_ADDRESSES_MAX, importedKey, isSlug, slugKey } from '@smartlink/smartlink/model';
import {
  addToOutbox,
  lockQuota,
  recordChanges,
  type SmartlinkRow,
  storeSmartlinks,
} from '@smartlink/smartlink/store';
import type { ImportRow } from '../files/import-row.js';
import { keepCarriedTotals } from './carried-totals.js';
import { type Candidate, type RowChecker, SLUG_PATH, withoutRepeats } from './check-row.js';
import { lockMetadataOf, placeMetadata } from './place-metadata.js';
import {
  addRemarks,
  advanceImport,
  type Counts,
  findTaken,
  type Holder,
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

export const NO_ROOM = 'Subscription limit reached';
const TAKEN = `${SLUG_PATH}: This smartlink URL is already taken`;
// By an earlier row or import of the same link: another address would duplicate it.
const OWN_TAKEN = `${SLUG_PATH}: This smartlink URL is already yours`;
const ALIAS_TAKEN = 'export.aliases: Already taken:';
const IMPORTED_TAKEN = 'export.importedAddresses: Already taken:';

/** Whether `--assign-slugs` imports a row that was refused for this reason. */
export const isAssignable = (reason: string): boolean =>
  !reason.startsWith(OWN_TAKEN) && reason.split('; ').every(isAboutAddress);

export const isAboutAddress = (reason: string): boolean =>
  [`${SLUG_PATH}: `, ALIAS_TAKEN, IMPORTED_TAKEN].some((start) => reason.startsWith(start));

type Placing = {
  /** Smartlinks that the plan has room for; null: unlimited. */
  readonly room: number | null;
  /** Replaces taken addresses by others. */
  readonly assignSlugs: boolean;
  /** Keys of other smartlinks; those of accepted candidates are added. */
  readonly taken: TakenKeys;
};

/** Decides in order which candidates are stored, those with a taken address without it if another is assigned. */
export function placeRows(
  candidates: readonly Candidate[],
  { room, assignSlugs, taken }: Placing,
): { readonly accepted: readonly Candidate[]; readonly refusals: readonly Remark[] } {
  const accepted: Candidate[] = [];
  const refusals: Remark[] = [];
  for (const requested of candidates) {
    const candidate = fitAddresses(requested, taken);
    const reasons = [candidate.addressReason ?? [], describeTaken(candidate, taken) ?? []].flat();
    const reason = reasons.length === 0 ? null : reasons.join('; ');
    if (reason !== null && !(assignSlugs && isAssignable(reason)))
      refusals.push(toRemark(candidate, reason, null));
    else if (room !== null && accepted.length >= room) refusals.push(toRemark(candidate, NO_ROOM, null));
    else {
      const placed = reason === null ? candidate : withoutTaken(candidate, reason, taken);
      for (const [key, holder] of holdersOf(placed)) taken.set(key, holder);
      for (const address of placed.smartlink.past?.importedAddresses ?? []) {
        const beside = taken.get(slugKey(address));
        if (beside !== undefined)
          taken.set(slugKey(address), { ...beside, exactCount: beside.exactCount + 1 });
      }
      accepted.push(placed);
    }
  }
  return { accepted, refusals };
}

export const toRemark = (
  { rowNumber, line, slug }: Candidate,
  reason: string,
  createdAs: string | null,
): Remark => ({ rowNumber, line, slug, reason, createdAs });

/** Remarks on accepted candidates that get another address than requested, or lose something. */
export function remarksOn(candidate: Candidate, createdAs: string): readonly Remark[] {
  const reasons = [candidate.addressReason ?? [], candidate.losses].flat();
  return reasons.length === 0 ? [] : [toRemark(candidate, reasons.join('; '), createdAs)];
}

/** The addresses of a candidate by their keys. */
export function holdersOf({ rowNumber, smartlink: { slug, past } }: Candidate): [string, Holder][] {
  const holder = (address: string): Holder => ({ isOwn: true, slug: address, exactCount: 0, rowNumber });
  const slugs = [...(slug === undefined ? [] : [slug]), ...(past?.aliases ?? [])];
  return [
    ...slugs.map((address): [string, Holder] => [slugKey(address), holder(address)]),
    ...(past?.importedAddresses ?? []).map((address): [string, Holder] => [
      importedKey(address),
      holder(address),
    ]),
  ];
}

/** The keys that decide which addresses of a candidate are available. */
export function keysOf({ smartlink: { slug, past } }: Candidate): readonly string[] {
  const slugs = [...(slug === undefined ? [] : [slug]), ...(past?.importedAddresses ?? [])];
  return [
    ...slugs.flatMap((address) => [slugKey(address), importedKey(address)]),
    ...(past?.aliases ?? []).map(slugKey),
  ];
}

/** Whether an address can be kept beside a slug of the owner from which it differs only in case. */
function isExact(address: string, taken: TakenKeys): boolean {
  const holder = taken.get(slugKey(address));
  if (holder === undefined || !holder.isOwn || holder.slug === address) return false;
  return holder.exactCount < IMPORTED_ADDRESSES_MAX && !taken.has(importedKey(address));
}

/**
 * The candidate with its addresses as they can be kept: a slug that differs only in case from one of the owner becomes an
 * imported address, and an imported address an alias where no slug has its letters.
 */
function fitAddresses(candidate: Candidate, taken: TakenKeys): Candidate {
  const { slug, past } = candidate.smartlink;
  const { aliases = [], importedAddresses = [] } = past ?? {};
  const isBeside =
    slug !== undefined && importedAddresses.length < IMPORTED_ADDRESSES_MAX && isExact(slug, taken);
  const free = importedAddresses.filter((address) => isSlug(address) && !taken.has(slugKey(address)));
  if (!isBeside && free.length === 0) return candidate;
  const kept = importedAddresses.filter((address) => !free.includes(address));
  return {
    ...candidate,
    smartlink: {
      ...candidate.smartlink,
      slug: isBeside ? undefined : slug,
      past: {
        ...past,
        aliases: withoutRepeats([...aliases, ...free], slug),
        importedAddresses: isBeside ? [slug, ...kept] : kept,
      },
    },
  };
}

/** Whether an imported address of a fitted candidate is available. */
const isAvailable = (address: string, taken: TakenKeys): boolean =>
  isSlug(address) ? isExact(address, taken) : !taken.has(importedKey(address));

function describeTaken(
  { slug: requested, smartlink: { slug, past } }: Candidate,
  taken: TakenKeys,
): string | null {
  const imported = (past?.importedAddresses ?? []).filter((address) => !isAvailable(address, taken));
  const isRequested = requested !== null && [slug, ...imported].includes(requested);
  const known = isRequested ? taken.get(importedKey(requested)) : undefined;
  if (known !== undefined) return known.isOwn ? `${OWN_TAKEN}${rowOf(known)}` : TAKEN;
  const holder = slug === undefined ? undefined : taken.get(slugKey(slug));
  if (holder !== undefined) {
    if (!holder.isOwn) return TAKEN;
    const row = rowOf(holder);
    if (holder.slug === slug) return `${OWN_TAKEN}${row}`;
    return `${SLUG_PATH}: This smartlink URL differs only in case from your ${holder.slug}${row}`;
  }
  const aliases = (past?.aliases ?? []).filter((alias) => taken.has(slugKey(alias)));
  if (aliases.length > 0) return `${ALIAS_TAKEN} ${aliases.join(', ')}`;
  return imported.length > 0 ? `${IMPORTED_TAKEN} ${imported.join(', ')}` : null;
}

const rowOf = ({ rowNumber }: Holder): string => (rowNumber === undefined ? '' : ` (row ${rowNumber})`);

function withoutTaken(candidate: Candidate, reason: string, taken: TakenKeys): Candidate {
  const { slug, past } = candidate.smartlink;
  const isSlugTaken = slug !== undefined && taken.has(slugKey(slug));
  const aliases = (past?.aliases ?? []).filter((alias) => !taken.has(slugKey(alias)));
  const importedAddresses = (past?.importedAddresses ?? []).filter((address) => isAvailable(address, taken));
  return {
    ...candidate,
    addressReason: reason,
    smartlink: {
      ...candidate.smartlink,
      slug: isSlugTaken ? undefined : slug,
      past: { ...past, aliases, importedAddresses },
    },
  };
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
  const remarks: Remark[] = [...batch.refusals];
  let waiting = batch.candidates;
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
