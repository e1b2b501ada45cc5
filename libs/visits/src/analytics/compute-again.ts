import type { ClickHouseClient } from '@clickhouse/client';
import { findLocalTables, ROLLUP_SETTINGS, selectRows, STATEMENT_MS_MAX } from './clickhouse.js';
import { CELLS_PER_STATEMENT, computeCells, computeRun, type Day, gatherDays } from './compute-cells.js';
import { IS_CARRIED } from './figures.js';
import { computeOwnersFromCells, newVersion } from './owner-cells.js';
import { NEVER, type RollupOptions, type RollupProgress, saveProgress } from './rollup-progress.js';
import { type Cell, LATE_CELLS_MAX } from './rollup-state.js';

// Days that are computed again. New days and late events wait for them.
const TURN_MS_MAX = 60_000;
// Imported totals and rows by owner may have any date.
const END = '2149-06-06';

/** Days that have no rows by owner begin before the open ones, whose rows come with their cells. */
export async function startOwners(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn }: RollupOptions,
): Promise<void> {
  if (progress.ownersFrom <= progress.openFrom || !(await mayGoOn())) return;
  await computeCarried(clickhouse, { from: progress.openFrom, until: END }, await newVersion(clickhouse));
  progress.ownersFrom = progress.openFrom;
  await saveProgress(clickhouse, progress);
}

const EARLIER_DAYS = `
select toString(toDate(ts)) as date, count() as events
from events
where ts >= toDateTime64({rawFrom:Date}, 3, 'UTC') and ts < toDateTime64({ownersFrom:Date}, 3, 'UTC')
group by date
order by date`;
const FINAL_DAYS = `
select toString(day) as date, count() as events
from (select date as day from visits_daily where date < {rawFrom:Date} and date < {ownersFrom:Date})
group by day
order by day`;

/**
 * After an upgrade: computes earlier days again, newest first. Older builds have written no hours, languages and campaigns
 * into cells, and no rows by owner. Days whose events are gone keep their cells, which are only summed.
 */
export async function computeAgain(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  if (progress.ownersFrom <= NEVER || !(await mayGoOn())) return;
  const endsAt = performance.now() + TURN_MS_MAX;
  const final = gatherDays(await findDays(clickhouse, FINAL_DAYS, progress));
  const earlier = gatherDays(await findDays(clickhouse, EARLIER_DAYS, progress));
  const runs = [...final.map((run) => ({ ...run, isFinal: true })), ...earlier].toReversed();
  for (const [i, run] of runs.entries()) {
    if (performance.now() > endsAt || !(await mayGoOn())) return;
    const version = await newVersion(clickhouse);
    const days = { from: i === runs.length - 1 ? NEVER : run.from, until: progress.ownersFrom };
    if ('isFinal' in run) {
      const sql = `date >= {from:Date} and date < {until:Date}`;
      await computeOwnersFromCells(clickhouse, { sql, params: days, version });
    } else {
      if (!(await computeRun(clickhouse, run, mayGoOn))) return;
      await computeCarried(clickhouse, days, version);
    }
    if (!(await mayGoOn())) return;
    await deleteStaleOwners(clickhouse, days, version);
    progress.ownersFrom = days.from;
    await saveProgress(clickhouse, progress);
    report({ kind: 'days computed again', ...days, events: 'isFinal' in run ? 0 : run.events });
  }
  if (runs.length > 0 || !(await mayGoOn())) return;
  progress.ownersFrom = NEVER;
  await saveProgress(clickhouse, progress);
}

function findDays(
  clickhouse: ClickHouseClient,
  query: string,
  progress: RollupProgress,
): Promise<readonly Day[]> {
  return selectRows<Day>(clickhouse, query, { ...progress }, STATEMENT_MS_MAX);
}

// Such cells have presses among their excluded visits.
const CELLS_WITHOUT_PRESSES = `
select owner_id as ownerId, smartlink_id as smartlinkId, toString(day) as date
from (
  select owner_id, smartlink_id, date as day from visits_daily final
  where date >= {rawFrom:Date} and mapContains(excluded, 'press')
  limit ${LATE_CELLS_MAX}
)`;

/** Recomputes cells written by a build that does not know presses. */
export async function computePresses(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  if (progress.hasPresses === 1 || !(await mayGoOn())) return;
  const { rawFrom } = progress;
  const cells = await selectRows<Cell>(clickhouse, CELLS_WITHOUT_PRESSES, { rawFrom }, STATEMENT_MS_MAX);
  for (let i = 0; i < cells.length; i += CELLS_PER_STATEMENT) {
    const [first, ...rest] = cells.slice(i, i + CELLS_PER_STATEMENT);
    if (first === undefined || !(await mayGoOn())) return;
    await computeCells(clickhouse, [first, ...rest]);
  }
  if (cells.length > 0) report({ kind: 'late cells', cells: cells.length });
  if (cells.length === LATE_CELLS_MAX || !(await mayGoOn())) return;
  progress.hasPresses = 1;
  await saveProgress(clickhouse, progress);
}

type Days = {
  readonly from: string;
  /** The day after the last. */
  readonly until: string;
};

async function computeCarried(clickhouse: ClickHouseClient, days: Days, version: string): Promise<void> {
  const sql = `date >= {from:Date} and date < {until:Date} and ${IS_CARRIED}`;
  await computeOwnersFromCells(clickhouse, { sql, params: days, version });
}

/** Rows by owner that an older build has not deleted together with their cells. */
async function deleteStaleOwners(clickhouse: ClickHouseClient, days: Days, version: string): Promise<void> {
  const which = `date >= {from:Date} and date < {until:Date} and version < {version:UInt64}`;
  const params = { ...days, version };
  const stale = `select 1 from visits_daily_by_owner where ${which} limit 1`;
  const rows = await selectRows(clickhouse, stale, params, STATEMENT_MS_MAX);
  if (rows.length === 0) return;
  const { target } = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  await clickhouse.command({
    query: `delete from ${target('visits_daily_by_owner')} where ${which}`,
    query_params: params,
    clickhouse_settings: { ...ROLLUP_SETTINGS, lightweight_deletes_sync: '2' },
  });
}
