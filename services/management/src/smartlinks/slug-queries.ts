import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

// The unique index decides. A slug that was used before may be claimed by the smartlink that holds it as an alias,
// and by its owner once its smartlink is deleted; never by anybody else (decisions.md, Slugs).
const CLAIM_SLUG = `
insert into slugs (key, slug, user_id, smartlink_id, is_primary) values ($1, $2, $3, $4, true)
on conflict (key) do update
  set slug = excluded.slug, smartlink_id = excluded.smartlink_id, is_primary = true
  where slugs.user_id = excluded.user_id and (
    slugs.smartlink_id = excluded.smartlink_id
    or exists (select from smartlinks where smartlinks.id = slugs.smartlink_id and smartlinks.status = 'Deleted'))
returning key`;

/** Makes `slug` the primary address of a smartlink; false when it belongs to another one. */
export async function claimSlug(
  db: Queryable,
  claim: {
    readonly key: string;
    readonly slug: string;
    readonly userId: string;
    readonly smartlinkId: string;
  },
): Promise<boolean> {
  const { rows } = await db.query(CLAIM_SLUG, [claim.key, claim.slug, claim.userId, claim.smartlinkId]);
  return rows.length === 1;
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
