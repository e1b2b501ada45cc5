import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { ApiError } from '../../errors.js';
import { findManyChangeable } from '../queries.js';
import type { ListedRow } from '../queries.js';
import type { Patch } from '../plan-patch.js';

// A smartlink holds six MiB at most: a mebibyte or two of each type that it has had. A hundred of them, merged, checked
// and answered with, would be a GiB.
const PATCHED_BYTES_MAX = 8 * 1024 * 1024;

/** Rows as they were before anything was locked, by id. */
export type SeenRows = ReadonlyMap<string, ListedRow>;

/**
 * Returns those of a user's smartlinks that `patches`, in their order, can change. Throws PAYLOAD_TOO_LARGE when what
 * they leave, each for itself, could come to more than 8 MiB.
 */
export async function findPatched(
  db: Queryable,
  userId: string,
  patches: readonly Patch[],
): Promise<SeenRows> {
  if (patches.length === 0) return new Map();
  // What one patch brings all later ones of the same smartlink have to carry.
  const broughtChars = new Map<string, number>();
  let carriedChars = 0;
  for (const patch of patches) {
    const brought = (broughtChars.get(patch.id) ?? 0) + JSON.stringify(patch).length;
    broughtChars.set(patch.id, brought);
    carriedChars += brought;
  }
  const ids = patches.map(({ id }) => id);
  const contentBytesMax = PATCHED_BYTES_MAX - carriedChars;
  const rows = await findManyChangeable(db, ids, { userId, contentBytesMax });
  if (rows === null) throw new ApiError('PAYLOAD_TOO_LARGE', { message: TOO_LARGE });
  return new Map(rows.map((row) => [row.id, row]));
}

const TOO_LARGE = 'The smartlinks that are patched hold too much for one call';
