import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { IS_CARRIED } from './carried-cells.js';
import {
  eventsOf,
  findForgotten,
  findReturned,
  lastDateOf,
  noteForgotten,
  paramsOf,
  wholeDayCellsOf,
  whoseOf,
} from './forgotten-visits.js';
import type { ForgottenVisits } from './forgotten-visits.js';
import { findLocalTables } from './local-tables.js';
import type { LocalTables } from './local-tables.js';
import { readProgress, saveProgress } from './rollup-progress.js';
import type { RollupProgress } from './rollup-progress.js';
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

/** Returns what `forgetVisits` would delete now. Rejects when ClickHouse fails, and after `limitMs`. */
export async function countRememberedVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  limitMs: number,
): Promise<RememberedVisits> {
  const visits = toForgotten(scope, await readClockMs(clickhouse, limitMs));
  const months = await findMonths(clickhouse, visits, limitMs);
  const owners = await selectRows<{ ownerId: string; cells: number }>(
    clickhouse,
    `
select ownerId, sum(cell) as cells
from (
  select owner_id as ownerId, 1 as cell from visits_daily final where ${wholeDayCellsOf(visits)}
  union all
  select owner_id as ownerId, 0 as cell from events where ${eventsOf(visits)} group by ownerId
)
group by ownerId`,
    paramsOf(visits),
    limitMs,
  );
  return {
    months,
    events: months.reduce((sum, { events }) => sum + events, 0),
    cells: owners.reduce((sum, owner) => sum + owner.cells, 0),
    ownerIds: owners.map((owner) => owner.ownerId),
  };
}

type Report = (month: { readonly month: string; readonly events: number }) => void;

export type ForgetOptions = {
  /** Told of every month that is done. */
  readonly report?: Report;
  /** Visits from now on are meant too: whose they are is gone for good. */
  readonly alsoLater?: boolean;
};

/**
 * Deletes the visits of a scope that were made before now: cells, and events month by month. They are gone from every
 * answer when this returns, and from the disk with the next merges. What of them arrives later is deleted by the
 * rollups of the next FORGOTTEN_HOURS, which also end what was cut off.
 *
 * Only under the lock of rollup-lock.ts: a rollup under way would write cells of the events it has read before. One
 * whose process is gone is waited for.
 */
export async function forgetVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  { report = () => undefined, alsoLater = false }: ForgetOptions = {},
): Promise<void> {
  await waitForWriters(clickhouse);
  const nowMs = alsoLater ? Infinity : await readClockMs(clickhouse, STATEMENT_MS_MAX);
  const visits = toForgotten(scope, nowMs);
  await noteForgotten(clickhouse, visits);
  await deleteVisits(clickhouse, await readProgress(clickhouse), visits, report);
}

/**
 * Deletes what has come back of visits that were forgotten. Only under the lock of rollup-lock.ts, and before cells are
 * computed; `progress` goes back where days have to be computed anew. Rejects when ClickHouse fails.
 */
export async function forgetAgain(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn }: { readonly mayGoOn: () => Promise<boolean> },
): Promise<void> {
  const forgotten = await findForgotten(clickhouse, STATEMENT_MS_MAX);
  const returned = await findReturned(clickhouse, forgotten, STATEMENT_MS_MAX);
  for (const visits of returned) {
    await waitForWriters(clickhouse);
    if (!(await mayGoOn())) return;
    await deleteVisits(clickhouse, progress, visits, () => undefined);
  }
}

/** Events are deleted last: while there are any, `forgetAgain` finds and repeats what was cut off. */
async function deleteVisits(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  visits: ForgottenVisits,
  report: Report,
): Promise<void> {
  const lastDate = lastDateOf(visits);
  const params = paramsOf(visits);
  const { target } = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  if (Date.parse(lastDate) < visits.untilMs) {
    // Later visits of this day stay. If it is rolled up, answers read its events until that has been done anew.
    if (lastDate < progress.openFrom) {
      progress.openFrom = lastDate;
      await saveProgress(clickhouse, progress);
    }
    await deleteEmptyCells(clickhouse, visits, lastDate, target);
  }
  await run(clickhouse, `delete from ${target('visits_daily')} where ${wholeDayCellsOf(visits)}`, params);
  // Found again: events may have come since they were counted.
  for (const month of await findMonths(clickhouse, visits, STATEMENT_MS_MAX)) {
    if (!/^\d{6}$/.test(month.month))
      throw new Error(`events has a partition that is no month: ${month.month}`);
    await run(
      clickhouse,
      `delete from ${target('events')} in partition id '${month.month}' where ${eventsOf(visits)}`,
      params,
    );
    report(month);
  }
}

const SMARTLINKS_PER_STATEMENT = 500;

/** Deletes the cells of a day for which no visits are left: computing it writes those of the others only. */
async function deleteEmptyCells(
  clickhouse: ClickHouseClient,
  visits: ForgottenVisits,
  date: string,
  target: LocalTables['target'],
): Promise<void> {
  const params = { ...paramsOf(visits), date, nextDate: addDays(date, 1) };
  const empty = await selectRows<{ smartlinkId: string }>(
    clickhouse,
    `
select distinct smartlink_id as smartlinkId from visits_daily
where ${whoseOf(visits)} and date = {date:Date32} and not (${IS_CARRIED}) and (owner_id, smartlink_id) not in (
  select owner_id, smartlink_id from events
  where ${whoseOf(visits)} and ts >= fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
    and ts < toDateTime64({nextDate:Date32}, 3, 'UTC')
)`,
    params,
    STATEMENT_MS_MAX,
  );
  for (let i = 0; i < empty.length; i += SMARTLINKS_PER_STATEMENT) {
    const smartlinkIds = empty.slice(i, i + SMARTLINKS_PER_STATEMENT).map((cell) => cell.smartlinkId);
    await run(
      clickhouse,
      `delete from ${target('visits_daily')}
       where ${whoseOf(visits)} and date = {date:Date32} and smartlink_id in {smartlinkIds:Array(UUID)}`,
      { ...params, smartlinkIds },
    );
  }
}

/** Returns the months that have events of these visits, oldest first. */
function findMonths(
  clickhouse: ClickHouseClient,
  visits: ForgottenVisits,
  limitMs: number,
): Promise<RememberedVisits['months']> {
  return selectRows(
    clickhouse,
    `
select toString(toYYYYMM(ts)) as month, count() as events
from events final
where ${eventsOf(visits)}
group by month
order by month`,
    paramsOf(visits),
    limitMs,
  );
}

/** Returns the server's clock, by which visits are old or new: milliseconds since 1970. */
async function readClockMs(clickhouse: ClickHouseClient, limitMs: number): Promise<number> {
  const query = 'select toUnixTimestamp64Milli(now64(3)) as nowMs';
  const [row] = await selectRows<{ nowMs: number }>(clickhouse, query, {}, limitMs);
  return Number(row?.nowMs);
}

function toForgotten({ ownerId, smartlinkId, from, until }: VisitScope, nowMs: number): ForgottenVisits {
  return { ownerId, smartlinkId, from, untilMs: Math.min(Date.parse(`${until}T00:00:00Z`), nowMs) };
}

async function run(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): Promise<void> {
  await clickhouse.command({
    query,
    query_params: params,
    use_multipart_params: true,
    clickhouse_settings: { ...ROLLUP_SETTINGS, lightweight_deletes_sync: '2' },
  });
}
