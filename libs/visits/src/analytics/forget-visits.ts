import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import {
  findLocalTables,
  type LocalTables,
  ROLLUP_SETTINGS,
  selectRows,
  STATEMENT_MS_MAX,
  waitForWriters,
} from './clickhouse.js';
import { IS_CARRIED } from './figures.js';
import {
  eventsOf,
  findForgotten,
  findReturned,
  type ForgottenVisits,
  lastDateOf,
  noteForgotten,
  paramsOf,
  wholeDayCellsOf,
  whoseOf,
} from './forgotten-visits.js';
import { forgetMonths } from './monthly-counts.js';
import {
  computeOwnersFromCells,
  computeOwnersFromEvents,
  newVersion,
  OF_PAIRS,
  type OwnerDay,
  paramsOfPairs,
} from './owner-cells.js';
import { readProgress, reopenFrom, type RollupProgress, saveProgress } from './rollup-progress.js';
import type { Condition } from './selection.js';

/** Visits of whole UTC days; null means no filter. */
export type VisitScope = {
  readonly ownerId: string | null;
  readonly smartlinkId: string | null;
  /** YYYY-MM-DD: the first day, and the one after the last. */
  readonly from: string;
  readonly until: string;
};

export const ALL_DAYS = { from: '1970-01-01', until: '2200-01-01' } as const;

export type RememberedVisits = {
  /** Oldest first; `month` is YYYYMM. */
  readonly months: readonly { readonly month: string; readonly events: number }[];
  readonly events: number;
  /** Days of a smartlink that are rolled up: cells of `visits_daily`. */
  readonly cells: number;
  readonly ownerIds: readonly string[];
};

/** Counts of the visits that `forgetVisits` would delete now. Rejects after `limitMs`. */
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
  /** Called for every finished month. */
  readonly report?: Report;
  /** Includes future visits, for a deleted owner. */
  readonly alsoLater?: boolean;
};

/**
 * Deletes the visits of a scope that were made before now: cells, and events month by month. They are gone from every
 * answer when this returns, and from the disk with the next merges. The rollups of the next FORGOTTEN_HOURS delete
 * such visits that arrive later, and complete an interrupted deletion.
 *
 * Only under withRollupLock: a concurrent rollup would write cells from events it has read before. Waits for a rollup
 * that still runs after its process has ended.
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
 * Deletes forgotten visits that have arrived again. Only under withRollupLock, and before cells are
 * computed; moves `progress` back to days that must be computed again.
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

/**
 * Events are deleted last, rows by owner and sums of months first: while events or cells remain, `forgetAgain` finds and repeats an
 * interrupted deletion.
 */
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
    // Later visits of this day stay. Answers read its events until it is rolled up again.
    if (lastDate < progress.openFrom) {
      reopenFrom(progress, lastDate);
      await saveProgress(clickhouse, progress);
    }
    await deleteEmptyCells(clickhouse, visits, lastDate, target);
  }
  await forgetByOwner(clickhouse, progress, visits, target);
  const forgotten = { sql: wholeDayCellsOf(visits), params };
  await forgetMonths(clickhouse, progress, {
    from: visits.from,
    to: lastDate,
    whose: whoseOf(visits),
    forgotten,
  });
  await deleteCells(clickhouse, target, forgotten);
  // Queried again: events may have arrived since they were counted.
  for (const month of await findMonths(clickhouse, visits, STATEMENT_MS_MAX)) {
    if (!/^\d{6}$/.test(month.month))
      throw new Error(`events has a partition that is no month: ${month.month}`);
    await executeStatement(
      clickhouse,
      `delete from ${target('events')} in partition id '${month.month}' where ${eventsOf(visits)}`,
      params,
    );
    report(month);
  }
}

const SMARTLINKS_PER_STATEMENT = 500;

/** Deletes a day's cells without remaining visits, which computing the day would not overwrite. */
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
    const sql = `${whoseOf(visits)} and date = {date:Date32} and smartlink_id in {smartlinkIds:Array(UUID)}`;
    await deleteCells(clickhouse, target, { sql, params: { ...params, smartlinkIds } });
  }
}

/** Cells themselves last: an interrupted deletion is repeated while there are any. */
async function deleteCells(
  clickhouse: ClickHouseClient,
  target: LocalTables['target'],
  { sql, params }: Condition,
): Promise<void> {
  for (const table of ['visits_daily_counts', 'visits_daily'] as const)
    await executeStatement(clickhouse, `delete from ${target(table)} where ${sql}`, params);
}

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

/** The server's clock in milliseconds since 1970. */
async function readClockMs(clickhouse: ClickHouseClient, limitMs: number): Promise<number> {
  const query = 'select toUnixTimestamp64Milli(now64(3)) as nowMs';
  const [row] = await selectRows<{ nowMs: number }>(clickhouse, query, {}, limitMs);
  return Number(row?.nowMs);
}

function toForgotten({ ownerId, smartlinkId, from, until }: VisitScope, nowMs: number): ForgottenVisits {
  return { ownerId, smartlinkId, from, untilMs: Math.min(Date.parse(`${until}T00:00:00Z`), nowMs) };
}

async function executeStatement(
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

/** Computes the rows by owner as if the visits were deleted, then deletes those that have no visits left. */
async function forgetByOwner(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  visits: ForgottenVisits,
  target: LocalTables['target'],
): Promise<void> {
  const version = await newVersion(clickhouse);
  const { rawFrom } = progress;
  const params = { ...paramsOf(visits), rawFrom };
  const compute = async (of: { events: string; cells: string; rows: string; params: object }) => {
    const which = { params: { ...params, ...of.params }, version };
    const events = `${of.events} and ts >= toDateTime64({rawFrom:Date}, 3, 'UTC') and not (${eventsOf(visits)})`;
    await computeOwnersFromEvents(clickhouse, { ...which, sql: events });
    const cells = `${of.cells} and (date < {rawFrom:Date} or ${IS_CARRIED}) and not (${wholeDayCellsOf(visits)})`;
    await computeOwnersFromCells(clickhouse, { ...which, sql: cells });
    await executeStatement(
      clickhouse,
      `delete from ${target('visits_daily_by_owner')} where ${of.rows} and version < {version:UInt64}`,
      { ...which.params, version },
    );
  };
  if (visits.smartlinkId === null) {
    // Of whole accounts only the last day keeps visits.
    const dates = 'date >= {from:Date32} and date <= {lastDate:Date32}';
    await compute({
      events: `${whoseOf(visits)} and ts >= toDateTime64({lastDate:Date32}, 3, 'UTC')
        and ts < toDateTime64({lastDate:Date32}, 3, 'UTC') + interval 1 day`,
      cells: `${whoseOf(visits)} and ${dates}`,
      rows: `${whoseOf(visits)} and ${dates}`,
      params: {},
    });
    return;
  }
  const days = await selectRows<OwnerDay>(
    clickhouse,
    `
select distinct toString(owner_id) as ownerId, toString(day) as date
from (
  select owner_id, date as day from visits_daily
  where ${whoseOf(visits)} and date >= {from:Date32} and date <= {lastDate:Date32}
  union all
  select owner_id, toDate(ts) as day from events where ${eventsOf(visits)}
)`,
    params,
    STATEMENT_MS_MAX,
  );
  for (let i = 0; i < days.length; i += DAYS_PER_STATEMENT) {
    const pairs = paramsOfPairs(days.slice(i, i + DAYS_PER_STATEMENT));
    await compute({
      events: OF_PAIRS.ofEvents,
      cells: OF_PAIRS.ofCells,
      rows: OF_PAIRS.ofCells,
      params: pairs,
    });
  }
}

const DAYS_PER_STATEMENT = 1_000;
