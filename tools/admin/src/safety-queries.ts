import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

const COUNT_ACTIVE = `
select count(*)::integer as count from smartlinks where status = 'Active' and ($1::uuid is null or user_id = $1)`;

/** Returns how many Active smartlinks a user has, or everybody for null. */
export async function countActive(db: Queryable, userId: string | null): Promise<number> {
  const { rows } = await db.query(COUNT_ACTIVE, [userId]);
  return (rows[0] as { count: number }).count;
}

// Locked in the order of ids, as all do who lock several.
const MAKE_DUE = `
with slice as (
  select id from smartlinks
  where status = 'Active' and ($1::uuid is null or user_id = $1) and ($2::uuid is null or id > $2)
  order by id
  limit $3
  for no key update
), moved as (
  update smartlinks
  set urls_check_due_at = least(urls_check_due_at, now() + interval '1 minute' * (1 + random() * $4::integer))
  from slice
  where smartlinks.id = slice.id
)
select id from slice order by id`;

/**
 * Has the URLs of at most `limit` Active smartlinks with ids after `after` judged again at some time between one minute
 * and `minutes` more from now, no later than without it, and returns their ids in order.
 */
export async function makeDue(
  db: Queryable,
  slice: {
    readonly userId: string | null;
    readonly after: string | null;
    readonly limit: number;
    readonly minutes: number;
  },
): Promise<readonly string[]> {
  const { rows } = await db.query(MAKE_DUE, [slice.userId, slice.after, slice.limit, slice.minutes]);
  return (rows as { id: string }[]).map(({ id }) => id);
}
