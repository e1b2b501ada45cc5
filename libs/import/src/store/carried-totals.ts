import type { ClickHouseClient } from '@clickhouse/client';
import type { ClientBase } from 'pg';
import { inTransaction, type Queryable } from '@smartlink/process/database';
import { type CarriedTotals, carryTotals } from '@smartlink/visits/rollup';

// Into the last known totals too: they are used until ClickHouse has these.
const KEEP = `
with row as (
  select "smartlinkId" as smartlink_id, date, clicks, scans, fallbacks
  from json_to_recordset($2)
    as row ("smartlinkId" uuid, date date, clicks bigint, scans bigint, fallbacks bigint)
), kept as (
  insert into carried_totals (user_id, smartlink_id, date, clicks, scans, fallbacks)
  select $1, smartlink_id, date, clicks, scans, fallbacks from row
)
insert into smartlink_totals (smartlink_id, clicks, scans, fallbacks)
select smartlink_id, clicks, scans, fallbacks from row`;

/** Keeps totals of new smartlinks, in the transaction that stores those, until `moveCarriedTotals` moves them. */
export async function keepCarriedTotals(
  db: Queryable,
  userId: string,
  totals: readonly Omit<CarriedTotals, 'ownerId'>[],
): Promise<void> {
  if (totals.length > 0) await db.query(KEEP, [userId, JSON.stringify(totals)]);
}

// Another move or delete waits until they are in ClickHouse. Rows that are deleted by then do not count towards the limit:
// fewer rows are the last ones.
const TAKE = `
select user_id as "ownerId", smartlink_id as "smartlinkId", to_char(date, 'YYYY-MM-DD') as date,
       clicks::float8 as clicks, scans::float8 as scans, fallbacks::float8 as fallbacks
from carried_totals
order by smartlink_id
limit $1
for update`;

// A list may have read figures without these and kept them. Later visits are added.
const RELEASE = `
with moved as (
  delete from carried_totals where smartlink_id = any($1::uuid[])
  returning smartlink_id, clicks, scans, fallbacks
)
insert into smartlink_totals (smartlink_id, clicks, scans, fallbacks)
select smartlink_id, clicks, scans, fallbacks from moved order by smartlink_id
on conflict (smartlink_id) do update
  set clicks = greatest(smartlink_totals.clicks, excluded.clicks),
      scans = greatest(smartlink_totals.scans, excluded.scans),
      fallbacks = greatest(smartlink_totals.fallbacks, excluded.fallbacks), updated_at = now()`;

const MOVED_AT_ONCE = 5_000;
const INSERT_LIMIT_MS = 30_000;

/**
 * Moves the waiting totals of all users into ClickHouse and returns the number of their smartlinks. Totals that waited at the
 * start are there at the end, also beside other moves. Cut off anywhere it loses and doubles nothing: a repeated insert
 * replaces the first.
 */
export async function moveCarriedTotals(
  db: ClientBase,
  clickhouse: ClickHouseClient,
  insertMsMax = INSERT_LIMIT_MS,
): Promise<number> {
  let moved = 0;
  for (;;) {
    const count = await inTransaction(db, async () => {
      const { rows } = await db.query<CarriedTotals>(TAKE, [MOVED_AT_ONCE]);
      if (rows.length === 0) return 0;
      await carryTotals(clickhouse, rows, insertMsMax);
      await db.query(RELEASE, [rows.map(({ smartlinkId }) => smartlinkId)]);
      return rows.length;
    });
    moved += count;
    if (count < MOVED_AT_ONCE) return moved;
  }
}

/** Smartlinks whose totals are not in ClickHouse yet. */
export async function countWaitingTotals(db: Queryable): Promise<number> {
  const { rows } = await db.query('select count(*)::integer as count from carried_totals', []);
  return (rows[0] as { count: number }).count;
}
