import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';

// One statement however many changed. A smartlink may have been erased since it was read.
const SAVE_TOTALS = `
insert into smartlink_totals (smartlink_id, clicks, scans, fallbacks)
select totals.id, totals.clicks, totals.scans, totals.fallbacks
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) as totals (id, clicks, scans, fallbacks)
join smartlinks on smartlinks.id = totals.id
order by totals.id
on conflict (smartlink_id) do update
  set clicks = excluded.clicks, scans = excluded.scans, fallbacks = excluded.fallbacks, updated_at = now()
  where (smartlink_totals.clicks, smartlink_totals.scans, smartlink_totals.fallbacks)
        is distinct from (excluded.clicks, excluded.scans, excluded.fallbacks)`;

/** Keeps totals for when ClickHouse does not answer. */
export async function saveTotals(
  db: Queryable,
  totals: readonly { id: string; clicks: number; scans: number; fallbacks: number }[],
): Promise<void> {
  if (totals.length === 0) return;
  await db.query(SAVE_TOTALS, [
    totals.map((row) => row.id),
    totals.map((row) => row.clicks),
    totals.map((row) => row.scans),
    totals.map((row) => row.fallbacks),
  ]);
}

const FIND_NAME = `select name from smartlinks where id = $1 and user_id = $2`;

/** Returns the name of an owner's smartlink in any status, or null. */
export async function findName(db: Queryable, id: string, userId: string): Promise<string | null> {
  const { rows } = await db.query(FIND_NAME, [id, userId]);
  return (rows[0] as { name: string } | undefined)?.name ?? null;
}

export type SummarisedLink = { readonly id: string; readonly name: string; readonly type: SmartlinkType };

const FIND_SUMMARISED = `
select id, name, type from smartlinks
where user_id = $1 and status in ('Active', 'Paused')
order by created_at desc, id desc`;

/** Returns an owner's smartlinks that are not Deleted, newest first. */
export async function findSummarised(db: Queryable, userId: string): Promise<readonly SummarisedLink[]> {
  const { rows } = await db.query(FIND_SUMMARISED, [userId]);
  return rows as SummarisedLink[];
}
