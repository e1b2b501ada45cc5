import type { ClickHouseClient } from '@clickhouse/client';
import { INSERT_ASSUMED_DEAD_SECONDS } from '../event.js';
import { addDays } from './calendar.js';
import {
  findLocalTables,
  type LocalTables,
  ROLLUP_SETTINGS,
  selectRows,
  STATEMENT_MS_MAX,
} from './clickhouse.js';
import { computeAgain, computePresses, startOwners } from './compute-again.js';
import {
  CELLS_PER_STATEMENT,
  computeCells,
  computeRun,
  type Day,
  EVENTS_MAX,
  gatherDays,
} from './compute-cells.js';
import { forgetAgain } from './forget-visits.js';
import { sumMonths, sumMonthsOf } from './monthly-counts.js';
import { computeOwnerDays, type OwnerDay } from './owner-cells.js';
import {
  NEVER,
  readProgress,
  reopenFrom,
  type RollupOptions,
  type RollupProgress,
  type RollupStep,
  saveProgress,
} from './rollup-progress.js';
import { type Cell, isLate, LATE_CELLS_MAX } from './rollup-state.js';

// How far back late events are searched after the server's clock was ahead.
const CLOCK_WENT_BACK_SECONDS = 86_400;

/**
 * Updates the cells from the events, one call at a time (see withRollupLock): deletes forgotten visits that have arrived
 * again; computes the cells with late events and the days completed since the last call; after an upgrade, computes earlier
 * days again, newest first; then drops the months of events that are no longer kept, all of whose cells are final.
 * Smartlinks and owners are computed in the same steps, sums of months after them.
 *
 * Every step computes complete cells before it records them in `rollup_state`, so it may be interrupted anywhere and
 * repeated: answers read from `events` whatever is not recorded there. All times are the server's. Rejects when
 * ClickHouse fails.
 */
export async function rollUp(clickhouse: ClickHouseClient, options: RollupOptions): Promise<void> {
  const progress = await readProgress(clickhouse);
  await turnBackWithClock(clickhouse, progress);
  await forgetAgain(clickhouse, progress, options);
  await rollUpLateCells(clickhouse, progress, options);
  await startOwners(clickhouse, progress, options);
  await rollUpDays(clickhouse, progress, options);
  await computePresses(clickhouse, progress, options);
  await computeAgain(clickhouse, progress, options);
  await sumMonths(clickhouse, progress, options);
  if (!(await options.mayGoOn())) return;
  await dropExpiredEvents(clickhouse, progress, options);
}

/** A clock that was ahead has closed unfinished days, and would find no late events until it is that time. */
async function turnBackWithClock(clickhouse: ClickHouseClient, progress: RollupProgress): Promise<void> {
  if (progress.openFrom <= progress.openUntil && progress.lateFromSeconds <= progress.nowSeconds) return;
  reopenFrom(progress, progress.openUntil);
  progress.lateFromSeconds = Math.min(
    progress.lateFromSeconds,
    progress.nowSeconds - CLOCK_WENT_BACK_SECONDS,
  );
  await saveProgress(clickhouse, progress);
}

async function rollUpLateCells(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  const lateFromSeconds = progress.nowSeconds - INSERT_ASSUMED_DEAD_SECONDS;
  if (progress.openFrom === NEVER) {
    // All days are about to be rolled up; events arriving late during that are found from here on.
    progress.lateFromSeconds = lateFromSeconds;
    return;
  }
  const cells = await ask<Cell>(clickhouse, LATE_CELLS, progress);
  if (cells.length === 0) return;
  if (cells.length > LATE_CELLS_MAX) {
    const [oldest] = await ask<{ date: string }>(clickhouse, OLDEST_LATE, progress);
    reopenFrom(progress, oldest?.date ?? progress.openFrom);
  } else {
    const days = ownerDaysOf(cells);
    for (let i = 0; i < days.length; i += CELLS_PER_STATEMENT) {
      if (!(await mayGoOn())) return;
      await computeOwnerDays(clickhouse, days.slice(i, i + CELLS_PER_STATEMENT), EVENTS_MAX);
    }
    for (let i = 0; i < cells.length; i += CELLS_PER_STATEMENT) {
      const [first, ...rest] = cells.slice(i, i + CELLS_PER_STATEMENT);
      if (first === undefined || !(await mayGoOn())) return;
      await computeCells(clickhouse, [first, ...rest]);
      await sumMonthsOf(clickhouse, progress, [first, ...rest]);
    }
  }
  if (!(await mayGoOn())) return;
  progress.lateFromSeconds = Math.max(progress.lateFromSeconds, lateFromSeconds);
  await saveProgress(clickhouse, progress);
  if (cells.length > LATE_CELLS_MAX) report({ kind: 'reopened', from: progress.openFrom });
  else report({ kind: 'late cells', cells: cells.length });
}

function ownerDaysOf(cells: readonly Cell[]): readonly OwnerDay[] {
  const days = new Map(cells.map(({ ownerId, date }) => [`${ownerId} ${date}`, { ownerId, date }]));
  return [...days.values()];
}

const LATE = `from events where ${isLate({
  lateFrom: 'fromUnixTimestamp({lateFromSeconds:UInt32})',
  rawFrom: '{rawFrom:Date}',
  openFrom: '{openFrom:Date}',
})}`;
const OLDEST_LATE = `select toString(toDate(min(ts))) as date ${LATE}`;
const LATE_CELLS = `
select owner_id as ownerId, smartlink_id as smartlinkId, toString(toDate(ts)) as date ${LATE}
group by all
limit ${LATE_CELLS_MAX + 1}`;

const DAYS = `
select toString(toDate(ts)) as date, count() as events
from events
where ts >= toDateTime64({openFrom:Date}, 3, 'UTC') and ts < toDateTime64({openUntil:Date}, 3, 'UTC')
group by date
order by date`;

async function rollUpDays(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  if (progress.openFrom >= progress.openUntil) return;
  const days = await ask<Day>(clickhouse, DAYS, progress);
  for (const { from, to, events } of gatherDays(days)) {
    if (!(await computeRun(clickhouse, { from, to, events }, mayGoOn)) || !(await mayGoOn())) return;
    progress.openFrom = addDays(to, 1);
    await saveProgress(clickhouse, progress);
    report({ kind: 'days', from, to, events });
  }
  if (progress.openFrom === progress.openUntil || !(await mayGoOn())) return;
  progress.openFrom = progress.openUntil;
  await saveProgress(clickhouse, progress);
}

function ask<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  progress: RollupProgress,
): Promise<readonly Row[]> {
  return selectRows<Row>(clickhouse, query, { ...progress }, STATEMENT_MS_MAX);
}

// Answers by an older state still read the events to be dropped. States are a few seconds old at most, and no answer takes
// longer than 5 s.
const HEARD_AFTER_SECONDS = 60;

const findExpired = ({ system, database }: LocalTables) => `
select distinct partition_id as month from ${system('parts')}
where database = ${database} and table = 'events' and active and partition_id < {oldest:String}
order by month`;

/**
 * Drops the months of events all of whose days are older than `keptMonths`; with 0 it keeps everything. A month costs
 * nothing to drop, so this is done instead of a TTL of rows, and only once its cells are final: `rollup_state` says so
 * first, and the drop follows at a later call, a minute after that or more.
 */
export async function dropExpiredEvents(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { keptMonths, report }: { readonly keptMonths: number; readonly report: (step: RollupStep) => void },
): Promise<void> {
  const oldest = firstDayKept(progress.today, keptMonths);
  if (keptMonths === 0 || progress.openFrom < oldest) return;
  // Their cells are to be computed again first.
  if (progress.ownersFrom > progress.rawFrom) return;
  if (progress.rawFrom < oldest) {
    progress.rawFrom = oldest;
    progress.rawFromSetSeconds = progress.nowSeconds;
    await saveProgress(clickhouse, progress);
    return;
  }
  if (progress.rawFromSetSeconds + HEARD_AFTER_SECONDS > progress.nowSeconds) return;
  const params = { oldest: progress.rawFrom.slice(0, 7).replace('-', '') };
  const tables = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  for (const { month } of await selectRows<{ month: string }>(
    clickhouse,
    findExpired(tables),
    params,
    STATEMENT_MS_MAX,
  )) {
    if (!/^\d{6}$/.test(month)) throw new Error(`events has a partition that is no month: ${month}`);
    const query = `alter table ${tables.target('events')} drop partition id '${month}'`;
    await clickhouse.command({ query, clickhouse_settings: ROLLUP_SETTINGS });
    report({ kind: 'dropped', month });
  }
}

/** The first day (YYYY-MM-DD) of the month in which the day `months` months before `today` lies. */
export function firstDayKept(today: string, months: number): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}
