import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { isSlug, slugKey } from '@smartlink/smartlink/slug';
import { isUuid } from './uuid.js';

export type SmartlinkRow = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  /** As it was typed. */
  readonly slug: string;
  readonly status: string;
  readonly type: string;
  readonly created_at: Date;
  /** Further slugs that lead to it. */
  readonly aliases: readonly string[];
};

const FIND_SMARTLINK = `
select smartlinks.id, smartlinks.user_id, users.email, smartlinks.name, smartlinks.slug, smartlinks.status,
       smartlinks.type, smartlinks.created_at,
       array(select slugs.slug from slugs
             where slugs.smartlink_id = smartlinks.id and not slugs.is_primary order by slugs.key) as aliases
from smartlinks join users on users.id = smartlinks.user_id
where smartlinks.id = coalesce($1::uuid, (select smartlink_id from slugs where key = $2))`;

/** Returns the smartlink with this id or slug, in any case, an alias too; null when there is none. */
export async function findSmartlink(db: Queryable, idOrSlug: string): Promise<SmartlinkRow | null> {
  if (!isUuid(idOrSlug) && !isSlug(idOrSlug)) return null;
  const { rows } = await db.query(
    FIND_SMARTLINK,
    isUuid(idOrSlug) ? [idOrSlug, null] : [null, slugKey(idOrSlug)],
  );
  return (rows[0] as SmartlinkRow | undefined) ?? null;
}

const FIND_OWNERS = `select id, user_id from smartlinks where id = any($1::uuid[])`;

/** Returns the ids of the owners of those of these smartlinks that there are, deleted ones that are kept included. */
export async function findOwners(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query(FIND_OWNERS, [ids]);
  return new Map((rows as { id: string; user_id: string }[]).map((row) => [row.id, row.user_id]));
}

// What is not among the totals was never visited, or is so no longer.
const SET_KNOWN_TOTALS = `
update smartlink_totals
set clicks = coalesce(totals.clicks, 0), scans = coalesce(totals.scans, 0),
    fallbacks = coalesce(totals.fallbacks, 0), updated_at = now()
from smartlinks
left join unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[]) as totals (id, clicks, scans, fallbacks)
  on totals.id = smartlinks.id
where smartlinks.user_id = $1 and smartlink_totals.smartlink_id = smartlinks.id`;

/** Makes these the last known totals of all of a user's smartlinks; the others of theirs become 0. */
export async function setKnownTotals(
  db: Queryable,
  userId: string,
  totals: ReadonlyMap<
    string,
    { readonly clicks: number; readonly scans: number; readonly fallbacks: number }
  >,
): Promise<void> {
  const figures = [...totals.values()];
  await db.query(SET_KNOWN_TOTALS, [
    userId,
    [...totals.keys()],
    figures.map(({ clicks }) => clicks),
    figures.map(({ scans }) => scans),
    figures.map(({ fallbacks }) => fallbacks),
  ]);
}
