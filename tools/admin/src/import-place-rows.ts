import { slugKey } from '@smartlink/smartlink/slug';
import type { NewSmartlink } from '@smartlink/smartlink-store/store-smartlinks';
import type { Candidate } from './import-check-row.js';
import type { Remark, TakenKeys } from './import-queries.js';

/** A candidate as it is to be stored. */
export type Placeable = { readonly candidate: Candidate; readonly smartlink: NewSmartlink };

export type Placed<Row> = Placeable & { readonly row: Row };

/** What the rows of a batch have become, by candidate. */
export type Placement<Row> = {
  readonly placed: readonly Placed<Row>[];
  /** Of those that were refused, and of those that have not got all addresses they asked for. */
  readonly remarks: readonly Remark[];
};

/** Of the database, or of what stands in for it in a dry run. */
export type Places<Row> = {
  /** How many smartlinks more there is room for; null: without limit. */
  readonly room: number | null;
  /** Stores smartlinks and returns their rows in the same order; null where an address belongs to another smartlink. */
  readonly store: (smartlinks: readonly NewSmartlink[]) => Promise<readonly (Row | null)[]>;
  /** Returns those of these keys that belong to other smartlinks. */
  readonly findTaken: (keys: readonly string[]) => Promise<TakenKeys>;
};

export const NO_ROOM = 'Subscription limit reached';
const TAKEN = 'configuration.smartlinkUrl: This smartlink URL is already taken';
// An earlier row has it, or an earlier import of the same link: another address would make it two.
export const OWN_TAKEN = 'configuration.smartlinkUrl: This smartlink URL is already yours';
const ALIAS_TAKEN = 'export.aliases: Already taken:';

// One is enough but where rows of a batch want the same addresses, or somebody else has just taken one.
const ROUNDS_MAX = 10;

/**
 * Gives candidates their places, in order, as far as there is room. With `assignSlugs` one whose address is taken gets
 * another; without, it is refused.
 */
export async function placeRows<Row extends { readonly slug: string }>(
  candidates: readonly Placeable[],
  places: Places<Row>,
  assignSlugs: boolean,
): Promise<Placement<Row>> {
  const placed: Placed<Row>[] = [];
  const remarks: Remark[] = [];
  let waiting = candidates;
  for (;;) {
    const room = places.room === null ? waiting.length : places.room - placed.length;
    const some = waiting.slice(0, room);
    if (some.length === 0) break;
    waiting = waiting.slice(some.length);
    const result = await placeSome(some, places, assignSlugs);
    placed.push(...result.placed);
    remarks.push(...result.remarks);
  }
  remarks.push(...waiting.map(({ candidate }) => remark(candidate, NO_ROOM, null)));
  return { placed, remarks: remarks.toSorted((a, b) => a.rowNumber - b.rowNumber) };
}

async function placeSome<Row extends { readonly slug: string }>(
  some: readonly Placeable[],
  places: Places<Row>,
  assignSlugs: boolean,
): Promise<Placement<Row>> {
  const placed: Placed<Row>[] = [];
  const remarks: Remark[] = [];
  const reasons = new Map(
    some.flatMap(({ candidate }) =>
      candidate.addressReason === null ? [] : [[candidate.rowNumber, candidate.addressReason]],
    ),
  );
  let waiting = some;
  for (let round = 1; waiting.length > 0; round += 1) {
    const rows = await places.store(waiting.map(({ smartlink }) => smartlink));
    const refused: Placeable[] = [];
    for (const [i, one] of waiting.entries()) {
      const row = rows[i];
      if (row) placed.push({ ...one, row });
      else refused.push(one);
    }
    const taken = await places.findTaken(refused.flatMap(keysOf));
    waiting = [];
    for (const one of refused) {
      const reason = reasonOf(one, taken);
      if (reason === null && round < ROUNDS_MAX) waiting = [...waiting, one];
      else if (assignSlugs && reason !== null && round < ROUNDS_MAX) {
        const { rowNumber } = one.candidate;
        reasons.set(rowNumber, [reasons.get(rowNumber), reason].filter(Boolean).join('; '));
        waiting = [...waiting, withoutTaken(one, taken)];
      } else remarks.push(remark(one.candidate, reason ?? TAKEN, null));
    }
  }
  for (const { candidate, row } of placed) {
    const reason = reasons.get(candidate.rowNumber);
    if (reason !== undefined) remarks.push(remark(candidate, reason, row.slug));
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

const keysOf = ({ smartlink: { slug, past } }: Placeable): readonly string[] =>
  [...(slug === undefined ? [] : [slug]), ...(past?.aliases ?? [])].map(slugKey);

/** Returns what of its addresses is taken, in words; null: nothing, another row of its batch was before it only. */
function reasonOf({ smartlink: { slug, past } }: Placeable, taken: TakenKeys): string | null {
  const slugTaken = slug === undefined ? undefined : taken.get(slugKey(slug));
  if (slugTaken !== undefined) return slugTaken.isOwn ? OWN_TAKEN : TAKEN;
  const aliases = (past?.aliases ?? []).filter((alias) => taken.has(slugKey(alias)));
  return aliases.length > 0 ? `${ALIAS_TAKEN} ${aliases.join(', ')}` : null;
}

function withoutTaken({ candidate, smartlink }: Placeable, taken: TakenKeys): Placeable {
  const { slug, past } = smartlink;
  const isSlugTaken = slug !== undefined && taken.has(slugKey(slug));
  const aliases = (past?.aliases ?? []).filter((alias) => !taken.has(slugKey(alias)));
  return {
    candidate,
    smartlink: { ...smartlink, slug: isSlugTaken ? undefined : slug, past: { ...past, aliases } },
  };
}
