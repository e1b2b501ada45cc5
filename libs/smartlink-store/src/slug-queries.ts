import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { slugKey } from '@smartlink/smartlink/slug';

/** Most former addresses a smartlink keeps (decisions.md, Slugs). */
export const ALIASES_MAX = 20;

/** An address that a smartlink is to have. */
export type Claim = {
  readonly slug: string;
  readonly smartlinkId: string;
  /** False: an alias, a former address that still resolves. */
  readonly isPrimary: boolean;
};

// The unique index decides. A slug that was used before may be claimed by the smartlink that holds it as an alias,
// and by its owner once its smartlink is deleted; never by anybody else (decisions.md, Slugs). Two that claim several
// at once take them in the same order, and so never wait for each other.
const CLAIM_SLUGS = `
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select key, slug, $1::uuid, smartlink_id, is_primary
from unnest($2::text[], $3::text[], $4::uuid[], $5::boolean[]) as claim (key, slug, smartlink_id, is_primary)
order by key
on conflict (key) do update
  set slug = excluded.slug, smartlink_id = excluded.smartlink_id, is_primary = excluded.is_primary
  where slugs.user_id = excluded.user_id and (
    slugs.smartlink_id = excluded.smartlink_id
    or exists (select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted'))
returning key`;

/**
 * Makes slugs the addresses of their smartlinks, and returns the keys of those that are now; the others belong to other
 * smartlinks. No two claims may have the same key.
 */
export async function claimSlugs(
  db: Queryable,
  userId: string,
  claims: readonly Claim[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query(CLAIM_SLUGS, [
    userId,
    claims.map(({ slug }) => slugKey(slug)),
    claims.map(({ slug }) => slug),
    claims.map(({ smartlinkId }) => smartlinkId),
    claims.map(({ isPrimary }) => isPrimary),
  ]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

// As CLAIM_SLUGS would refuse them for a smartlink that is new.
const FIND_TAKEN = `
select slugs.key from slugs
where slugs.key = any($2::text[]) and (slugs.user_id = $1 and exists (
  select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted')) is not true`;

/** Returns those of some slugs' keys that a new smartlink of the user's could not claim now. */
export async function findTaken(
  db: Queryable,
  userId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query(FIND_TAKEN, [userId, keys]);
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
where not slugs.is_primary and slugs.key <> wanted.key
group by slugs.smartlink_id`;

/** Returns, by smartlink, how many former addresses it keeps beside `key`; those without any are left out. */
export async function countOtherAliases(
  db: Queryable,
  wanted: readonly { readonly smartlinkId: string; readonly key: string }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = wanted.map(({ smartlinkId }) => smartlinkId);
  const { rows } = await db.query(COUNT_OTHER_ALIASES, [ids, wanted.map(({ key }) => key)]);
  return new Map((rows as { id: string; count: number }[]).map(({ id, count }) => [id, count]));
}
