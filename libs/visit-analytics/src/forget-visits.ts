import type { ClickHouseClient } from '@clickhouse/client';
import { ROLLUP_SETTINGS, STATEMENT_MS_MAX, waitForWriters } from './rollup-settings.js';
import { selectRows } from './select-rows.js';

/** Visits of whole UTC days; null leaves a filter out, so two nulls are the visits of everybody. */
export type VisitScope = {
  readonly ownerId: string | null;
  readonly smartlinkId: string | null;
  /** YYYY-MM-DD: the first day, and the one after the last. */
  readonly from: string;
  readonly until: string;
};

/** The first day there can be a visit of, and the one after the last. */
export const ALL_DAYS = { from: '1970-01-01', until: '2200-01-01' } as const;

export type RememberedVisits = {
  /** Oldest first; `month` is YYYYMM. */
  readonly months: readonly { readonly month: string; readonly events: number }[];
  readonly events: number;
  /** Days of a smartlink that are rolled up: cells of `visits_daily`. */
  readonly cells: number;
  /** Whose visits they are. */
  readonly ownerIds: readonly string[];
};

/** Returns what `forgetVisits` would delete. Rejects when ClickHouse fails. */
export async function countRememberedVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
): Promise<RememberedVisits> {
  const { months, events } = await findMonths(clickhouse, scope);
  const owners = await selectRows<{ ownerId: string; cells: number }>(
    clickhouse,
    `
select ownerId, sum(cell) as cells
from (
  select owner_id as ownerId, 1 as cell from visits_daily final where ${cellsOf(scope)}
  union all
  select owner_id as ownerId, 0 as cell from events where ${eventsOf(scope)} group by ownerId
)
group by ownerId`,
    paramsOf(scope),
    STATEMENT_MS_MAX,
  );
  return {
    months,
    events,
    cells: owners.reduce((sum, owner) => sum + owner.cells, 0),
    ownerIds: owners.map((owner) => owner.ownerId),
  };
}

/**
 * Deletes the events of a scope, month by month, and then its cells; `report` is told of every month that is done. The
 * rows are gone from every answer when this returns, and from the disk with the next merges. Events that still wait in
 * a spool arrive later and count again. Cut off anywhere, it is repeated from the start.
 *
 * Only under the lock of rollup-lock.ts: a rollup under way would write cells of the events it has read before. One
 * whose process is gone is waited for.
 */
export async function forgetVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  report: (month: { readonly month: string; readonly events: number }) => void = () => undefined,
): Promise<void> {
  await waitForWriters(clickhouse);
  // Found again: events may have come since they were counted.
  const { months } = await findMonths(clickhouse, scope);
  for (const month of months) {
    if (!/^\d{6}$/.test(month.month))
      throw new Error(`events has a partition that is no month: ${month.month}`);
    await erase(
      clickhouse,
      `delete from events in partition id '${month.month}' where ${eventsOf(scope)}`,
      scope,
    );
    report(month);
  }
  // Last: while events are left, a cell that is computed once more would come back.
  await erase(clickhouse, `delete from visits_daily where ${cellsOf(scope)}`, scope);
}

async function findMonths(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
): Promise<Pick<RememberedVisits, 'months' | 'events'>> {
  const months = await selectRows<{ month: string; events: number }>(
    clickhouse,
    `
select toString(toYYYYMM(ts)) as month, count() as events
from events final
where ${eventsOf(scope)}
group by month
order by month`,
    paramsOf(scope),
    STATEMENT_MS_MAX,
  );
  return { months, events: months.reduce((sum, { events }) => sum + events, 0) };
}

async function erase(clickhouse: ClickHouseClient, query: string, scope: VisitScope): Promise<void> {
  await clickhouse.command({
    query,
    query_params: paramsOf(scope),
    clickhouse_settings: { ...ROLLUP_SETTINGS, lightweight_deletes_sync: '2' },
  });
}

const eventsOf = (scope: VisitScope): string =>
  `${whoseOf(scope)} and ts >= toDateTime64({from:Date32}, 3, 'UTC') and ts < toDateTime64({until:Date32}, 3, 'UTC')`;

// A cell's date is a Date, which ends in 2149.
const cellsOf = (scope: VisitScope): string =>
  `${whoseOf(scope)} and date >= {from:Date32} and date < {until:Date32}`;

function whoseOf({ ownerId, smartlinkId }: VisitScope): string {
  const owner = ownerId === null ? 'true' : 'owner_id = {ownerId:UUID}';
  return smartlinkId === null ? owner : `${owner} and smartlink_id = {smartlinkId:UUID}`;
}

function paramsOf({ ownerId, smartlinkId, from, until }: VisitScope): Record<string, unknown> {
  return {
    from,
    until,
    ...(ownerId === null ? {} : { ownerId }),
    ...(smartlinkId === null ? {} : { smartlinkId }),
  };
}
