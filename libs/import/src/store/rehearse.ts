import type { Queryable } from '@smartlink/process/database';
import type { Candidate } from './check-row.js';
import { holdersOf, keysOf, placeRows, remarksOn, toRemark } from './place-addresses.js';
import { placeOnDomains, rehearseMetadata } from './place-metadata.js';
import { type Counts, findTaken, type Remark, type TakenKeys } from './queries.js';
import { addCounts, type Batch, countBatch, NOTHING_DONE } from './store-batch.js';

// The address that will be assigned is not known yet.
const ASSIGNED = '(assigned)';

/**
 * Says of batches, in the order of the file, what storing them now would do. Writes nothing. `room`: smartlinks that the plan
 * has room for; null: unlimited.
 */
export function createRehearsal(
  db: Queryable,
  {
    userId,
    assignSlugs,
    room,
  }: { readonly userId: string; readonly assignSlugs: boolean; readonly room: number | null },
) {
  // Some 150 bytes each.
  const earlier: TakenKeys = new Map();
  const externalIds = new Set<string>();
  let counts = NOTHING_DONE;

  async function place(given: readonly Candidate[]) {
    const { accepted: candidates, ...onDomains } = await placeOnDomains(db, userId, given);
    const keys = candidates.flatMap(keysOf);
    const taken = await findTaken(db, userId, keys);
    for (const key of keys) {
      const holder = earlier.get(key);
      if (holder !== undefined) taken.set(key, holder);
    }
    const left = room === null ? null : room - counts.created;
    const placed = placeRows(candidates, { room: left, assignSlugs, taken });
    const { accepted, refused } = await rehearseMetadata(db, userId, placed.accepted, externalIds);
    const refusals = [...onDomains.refused, ...refused].map(({ candidate, reason }) =>
      toRemark(candidate, reason, null),
    );
    return { accepted, refusals: [...placed.refusals, ...refusals] };
  }

  return {
    counts: (): Counts => counts,
    /** Addresses of the rows so far. */
    addressCount: (): number => earlier.size,
    /** The remarks that storing the batch would make, in the order of the file. */
    async add(batch: Batch): Promise<readonly Remark[]> {
      const { accepted, refusals } = await place(batch.candidates);
      for (const [key, holder] of accepted.flatMap(holdersOf)) earlier.set(key, holder);
      const onAccepted = accepted.flatMap((one) => remarksOn(one, one.smartlink.slug ?? ASSIGNED));
      const remarks = [...batch.refusals, ...refusals, ...onAccepted];
      counts = addCounts(counts, countBatch(batch, accepted.length, remarks, 0));
      return remarks.toSorted((a, b) => a.rowNumber - b.rowNumber);
    },
  };
}
