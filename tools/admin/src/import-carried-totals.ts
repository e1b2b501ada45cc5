import type { ClickHouseClient } from '@clickhouse/client';
import type { Client } from 'pg';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { carryTotals } from '@smartlink/visit-analytics/carry-totals';
import type { CarriedTotals } from '@smartlink/visit-analytics/carry-totals';
import { inTransaction } from './session.js';

// The last known totals too: they are all there is until ClickHouse has these.
const KEEP = `
with row as (
  select smartlink_id, date, clicks, scans, fallbacks
  from unnest($2::uuid[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[])
    as row (smartlink_id, date, clicks, scans, fallbacks)
), kept as (
  insert into carried_totals (user_id, smartlink_id, date, clicks, scans, fallbacks)
  select $1, smartlink_id, date, clicks, scans, fallbacks from row
)
insert into smartlink_totals (smartlink_id, clicks, scans, fallbacks)
select smartlink_id, clicks, scans, fallbacks from row`;

/** Keeps totals of a user's new smartlinks, in the transaction that stores those, until `moveCarriedTotals` takes them. */
export async function keepCarriedTotals(
  db: Queryable,
  userId: string,
  totals: readonly Omit<CarriedTotals, 'ownerId'>[],
): Promise<void> {
  if (totals.length === 0) return;
  await db.query(KEEP, [
    userId,
    totals.map(({ smartlinkId }) => smartlinkId),
    totals.map(({ date }) => date),
    totals.map(({ clicks }) => clicks),
    totals.map(({ scans }) => scans),
    totals.map(({ fallbacks }) => fallbacks),
  ]);
}

// Whoever else moves or deletes them waits until they are in ClickHouse. Rows that are gone by then do not count towards
// the limit: fewer are the last ones.
const TAKE = `
select user_id as "ownerId", smartlink_id as "smartlinkId", to_char(date, 'YYYY-MM-DD') as date,
       clicks::float8 as clicks, scans::float8 as scans, fallbacks::float8 as fallbacks
from carried_totals
order by smartlink_id
limit $1
for update`;

// A list may have been asked for in between, and its figures kept, which lacked these. Later visits come on top.
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
const CLICKHOUSE_LIMIT_MS = 30_000;

/**
 * Moves totals that wait into ClickHouse, whoever's they are, and returns how many smartlinks had some. What waited when it
 * began is there when it ends, whoever else moves some too. Cut off anywhere it loses and doubles nothing: what is
 * inserted again replaces itself. Rejects when a database fails.
 */
export async function moveCarriedTotals(db: Client, clickhouse: ClickHouseClient): Promise<number> {
  let moved = 0;
  for (;;) {
    const count = await inTransaction(db, async () => {
      const { rows } = await db.query<CarriedTotals>(TAKE, [MOVED_AT_ONCE]);
      if (rows.length === 0) return 0;
      await carryTotals(clickhouse, rows, CLICKHOUSE_LIMIT_MS);
      await db.query(RELEASE, [rows.map(({ smartlinkId }) => smartlinkId)]);
      return rows.length;
    });
    moved += count;
    if (count < MOVED_AT_ONCE) return moved;
  }
}

const COUNT_WAITING = `select count(*)::integer as count from carried_totals`;

/** Returns of how many smartlinks totals wait. */
export async function countWaitingTotals(db: Queryable): Promise<number> {
  const { rows } = await db.query(COUNT_WAITING, []);
  return (rows[0] as { count: number }).count;
}
