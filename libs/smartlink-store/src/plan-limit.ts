import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

const FIND_SMARTLINKS_MAX = `
select plans.smartlinks_max from users join plans on plans.name = users.plan where users.id = $1`;

// `no key update` does not stand in the way of the foreign keys that point to the row.
const LOCK_USER = `select id from users where id = $1 for no key update`;

const COUNT_KEPT = `
select count(*)::integer as count from smartlinks where user_id = $1 and status in ('Active', 'Paused')`;

/**
 * Returns how many smartlinks more a user's plan has room for; null is without limit. Where there is one, the others who
 * would add to the user's smartlinks wait until the transaction ends, and count what it has added.
 */
export async function lockRoom(db: Queryable, userId: string): Promise<number | null> {
  const { rows } = await db.query(FIND_SMARTLINKS_MAX, [userId]);
  const smartlinksMax = (rows[0] as { smartlinks_max: number | null } | undefined)?.smartlinks_max ?? null;
  if (smartlinksMax === null) return null;
  await db.query(LOCK_USER, [userId]);
  return findRoom(db, userId, smartlinksMax);
}

/** Returns how many smartlinks more fit under a limit, 0 at least. Those count that are not Deleted. */
export async function findRoom(db: Queryable, userId: string, smartlinksMax: number): Promise<number> {
  const { rows } = await db.query(COUNT_KEPT, [userId]);
  return Math.max(0, smartlinksMax - (rows[0] as { count: number }).count);
}
