import { hashPassword } from '@smartlink/smartlink/password-hash';
import { newId } from '@smartlink/smartlink-store/new-id';
import type { Candidate, RowChecker } from './import-check-row.js';
import type { ImportRow } from './import-files/import-row.js';
import type { Placeable } from './import-place-rows.js';
import type { Remark } from './import-queries.js';
import type { Batch } from './import-store-batch.js';

// A transaction's worth: 50 ms of Postgres. All of it goes through one statement.
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;
// argon2 takes some 30 ms each: so many are a second's worth.
const PASSWORDS_MAX = 50;
const HASHES_AT_ONCE = 2;

/**
 * Yields a file's rows in batches, checked, but for those that `isDone` already. `isDryRun`: passwords are not hashed. Stops
 * before the next batch when `signal` says so.
 */
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
    async close(isDryRun: boolean): Promise<Batch> {
      const hashes = isDryRun ? new Map<Candidate, string>() : await hashAll(candidates);
      return {
        rows: count(),
        candidates: candidates.map((candidate) => toPlaceable(candidate, hashes.get(candidate))),
        refusals,
      };
    },
  };
}

async function hashAll(candidates: readonly Candidate[]): Promise<ReadonlyMap<Candidate, string>> {
  const hashes = new Map<Candidate, string>();
  const waiting = candidates.filter(({ password }) => password !== undefined).values();
  await Promise.all(
    Array.from({ length: HASHES_AT_ONCE }, async () => {
      // Each takes the next one; they share the iterator.
      for (const candidate of waiting) hashes.set(candidate, await hashPassword(candidate.password ?? ''));
    }),
  );
  return hashes;
}

function toPlaceable(candidate: Candidate, hash: string | undefined): Placeable {
  const { type, name, address, openGraph, content, passwordHash, past } = candidate;
  return {
    candidate,
    smartlink: {
      // Lists are by creation, and so lie figures of neighbours beside each other.
      id: newId(past.createdAt?.getTime() ?? Date.now()),
      type,
      name,
      slug: address,
      openGraph,
      content,
      passwordHash: hash ?? passwordHash,
      // The management service has a provider judge them soon.
      urlsChecked: false,
      past,
    },
  };
}
