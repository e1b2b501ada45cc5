import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { slugKey } from '@smartlink/smartlink/slug';

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

const KEEP_AS_ALIAS = `update slugs set is_primary = false where key = $1`;

/** Turns a smartlink's former address into an alias, which still resolves. */
export async function keepAsAlias(db: Queryable, key: string): Promise<void> {
  await db.query(KEEP_AS_ALIAS, [key]);
}

const COUNT_ALIASES = `
select count(*)::integer as count from slugs where smartlink_id = $1 and not is_primary`;

/** Returns how many former addresses a smartlink keeps. */
export async function countAliases(db: Queryable, smartlinkId: string): Promise<number> {
  const { rows } = await db.query(COUNT_ALIASES, [smartlinkId]);
  return (rows[0] as { count: number }).count;
}
