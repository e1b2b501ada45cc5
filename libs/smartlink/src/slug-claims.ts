import { randomInt } from 'node:crypto';
import type { Queryable } from '@smartlink/process/database';
import { assignSlug, importedKey, inDomain, slugKey } from './model.js';

/** Most former addresses a smartlink keeps. */
export const ALIASES_MAX = 20;

export type Claim = {
  readonly slug: string;
  readonly smartlinkId: string;
  /** False: an alias, a former address that still resolves, or an imported address. */
  readonly isPrimary: boolean;
  readonly isImported?: boolean;
  /** null: the own host of the instance. */
  readonly domainNumber: number | null;
};

/** The key of a claim's row in `slugs`. */
export const keyOf = ({ slug, isImported, domainNumber }: Claim): string =>
  inDomain(isImported === true ? importedKey(slug) : slugKey(slug), domainNumber);

// The unique index decides. A slug that was used before may be claimed by the smartlink that holds it as an alias,
// and by its owner once its smartlink is deleted; never by another account. Concurrent claims of several slugs lock them
// in the same order, so they cannot deadlock. A spelling that is an imported address leads to the smartlink of that: others
// may only claim it once that is deleted.
const CLAIM_SLUGS = `
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select key, slug, $1::uuid, smartlink_id, is_primary
from unnest($2::text[], $3::text[], $4::uuid[], $5::boolean[]) as claim (key, slug, smartlink_id, is_primary)
order by key
on conflict (key) do update
  set slug = excluded.slug, smartlink_id = excluded.smartlink_id, is_primary = excluded.is_primary,
      exact = array_remove(slugs.exact, excluded.slug)
  where slugs.user_id = excluded.user_id and (
    slugs.smartlink_id = excluded.smartlink_id
    or exists (select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted'))
  and (
    (excluded.slug = any(slugs.exact)) is not true
    or exists (
      select from slugs as imported join smartlinks on smartlinks.id = imported.smartlink_id
      where imported.key = left(excluded.key, strpos(excluded.key, '.')) || '=' || excluded.slug
        and (imported.smartlink_id = excluded.smartlink_id or smartlinks.status = 'Deleted')))
returning key`;

/**
 * Assigns slugs to their smartlinks and returns the keys of the assigned ones; the others belong to other smartlinks. No
 * two claims may have the same key.
 */
export async function claimSlugs(
  db: Queryable,
  userId: string,
  claims: readonly Claim[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query(CLAIM_SLUGS, [
    userId,
    claims.map(keyOf),
    claims.map(({ slug }) => slug),
    claims.map(({ smartlinkId }) => smartlinkId),
    claims.map(({ isPrimary }) => isPrimary),
  ]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

// The slugs that CLAIM_SLUGS would refuse for a smartlink.
const FIND_TAKEN = `
select slugs.key from slugs
where slugs.key = any($2::text[]) and ($3::uuid is null or slugs.smartlink_id is distinct from $3) and (slugs.user_id = $1 and exists (
  select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted')) is not true`;

/** The keys that a smartlink of the user could not claim; without an id, a new one. */
export async function findTaken(
  db: Queryable,
  userId: string,
  keys: readonly string[],
  smartlinkId: string | null = null,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query(FIND_TAKEN, [userId, keys, smartlinkId]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

const KEEP_AS_ALIASES = `update slugs set is_primary = false where key = any($1::text[])`;

/** Turns smartlinks' former addresses into aliases, which still resolve. */
export async function keepAsAliases(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(KEEP_AS_ALIASES, [keys]);
}

const COUNT_OTHER_ALIASES = `
select slugs.smartlink_id as id, count(*)::integer as count
from unnest($1::uuid[], $2::text[]) as wanted (id, key) join slugs on slugs.smartlink_id = wanted.id
where not slugs.is_primary and slugs.key <> wanted.key and strpos(slugs.key, '=') = 0
group by slugs.smartlink_id`;

/** Number of former addresses beside `key`, by smartlink; smartlinks without any are left out. */
export async function countOtherAliases(
  db: Queryable,
  wanted: readonly { readonly smartlinkId: string; readonly key: string }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = wanted.map(({ smartlinkId }) => smartlinkId);
  const { rows } = await db.query(COUNT_OTHER_ALIASES, [ids, wanted.map(({ key }) => key)]);
  return new Map((rows as { id: string; count: number }[]).map(({ id, count }) => [id, count]));
}

// Six characters, three more tries, then seven.
const ASSIGNED_LENGTHS = [6, 6, 6, 6, 7, 7, 7];

/**
 * Assigns each smartlink an unused address of its domain and returns these by id. `random` is a CSPRNG's randomInt unless a
 * test brings its own. Throws when one meets taken addresses only.
 */
export async function assignSlugs(
  db: Queryable,
  userId: string,
  smartlinks: readonly { readonly id: string; readonly domainNumber: number | null }[],
  random: (max: number) => number = randomInt,
): Promise<ReadonlyMap<string, string>> {
  const assigned = new Map<string, string>();
  let waiting = smartlinks;
  for (const length of ASSIGNED_LENGTHS) {
    if (waiting.length === 0) return assigned;
    // Two that draw the same slug are one claim; the first of them goes on to the next round.
    const claims = new Map(
      waiting.map(({ id, domainNumber }) => {
        const claim = { slug: assignSlug(length, random), smartlinkId: id, isPrimary: true, domainNumber };
        return [keyOf(claim), claim];
      }),
    );
    const claimed = await claimSlugs(db, userId, [...claims.values()]);
    for (const [key, { slug, smartlinkId }] of claims) if (claimed.has(key)) assigned.set(smartlinkId, slug);
    waiting = waiting.filter(({ id }) => !assigned.has(id));
  }
  if (waiting.length > 0) throw new Error('No free slug was found');
  return assigned;
}
