import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { findLocalTables, newWriterId, ROLLUP_SETTINGS, selectRows, STATEMENT_MS_MAX } from './clickhouse.js';
import { IS_CARRIED } from './figures.js';
import { newVersion } from './owner-cells.js';
import { monthOf, NEVER, type RollupOptions, type RollupProgress, saveProgress } from './rollup-progress.js';
import { type Cell, type RollupState, shareOut } from './rollup-state.js';
import {
  allOf,
  cellsOf,
  type Condition,
  type Days,
  isSelected,
  isWithinDates,
  type Selection,
} from './selection.js';

const COUNTS = 'clicks, scans, fallbacks, visitors';
const SUMS =
  'sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks, sum(visitors) as visitors';

const nextMonth = (month: string): string => monthOf(addDays(month, 31));

const FIND_MONTHS = `
select distinct toString(month) as month
from (select toStartOfMonth(date) as month from visits_daily_counts where date >= {from:Date} and date < {until:Date})
order by month`;

/** Sums the months that are over and rolled up. Waits for days that are to be computed again after an upgrade. */
export async function sumMonths(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn }: Pick<RollupOptions, 'mayGoOn'>,
): Promise<void> {
  const end = monthOf(progress.openFrom);
  if (progress.monthsUntil >= end || progress.ownersFrom > NEVER || !(await mayGoOn())) return;
  const range = { from: progress.monthsUntil, until: end };
  const months = await selectRows<{ month: string }>(clickhouse, FIND_MONTHS, range, STATEMENT_MS_MAX);
  for (const until of [...months.map(({ month }) => nextMonth(month)), end]) {
    if (!(await mayGoOn())) return;
    const params = { from: progress.monthsUntil, until };
    const version = await newVersion(clickhouse);
    const of = 'date >= {from:Date} and date < {until:Date}';
    await computeMonths(clickhouse, { table: 'visits_daily_counts', sql: of, params, version });
    await deleteMonths(clickhouse, { sql: 'month >= {from:Date} and month < {until:Date}', params, version });
    if (!(await mayGoOn())) return;
    progress.monthsUntil = until;
    await saveProgress(clickhouse, progress);
  }
}

/** Sums the months of some hundred cells that were computed again. */
export async function sumMonthsOf(
  clickhouse: ClickHouseClient,
  { monthsUntil }: RollupProgress,
  cells: readonly Cell[],
): Promise<void> {
  const summed = cells.filter(({ date }) => date < monthsUntil);
  const months = summed.map(({ date }) => monthOf(date)).toSorted();
  const [first] = months;
  if (first === undefined) return;
  const params = {
    from: first,
    until: nextMonth(months.at(-1) ?? first),
    ownerIds: [...new Set(summed.map(({ ownerId }) => ownerId))],
    smartlinkIds: summed.map(({ smartlinkId }) => smartlinkId),
    months: summed.map(({ date }) => monthOf(date)),
  };
  const sql = `date >= {from:Date} and date < {until:Date} and owner_id in {ownerIds:Array(UUID)}
    and smartlink_id in {smartlinkIds:Array(UUID)}
    and (smartlink_id, toStartOfMonth(date)) in (select arrayJoin(arrayZip({smartlinkIds:Array(UUID)}, {months:Array(Date)})))`;
  const version = await newVersion(clickhouse);
  await computeMonths(clickhouse, { table: 'visits_daily', sql, params, version });
}

/**
 * Computes the sums of months from `from` to `to` as if the cells that `forgotten` chooses were deleted. `whose`: condition on
 * owner and smartlink.
 */
export async function forgetMonths(
  clickhouse: ClickHouseClient,
  { monthsUntil }: RollupProgress,
  { from, to, whose, forgotten }: { from: string; to: string; whose: string; forgotten: Condition },
): Promise<void> {
  const fromMonth = monthOf(from);
  const untilMonth = [nextMonth(monthOf(to)), monthsUntil].toSorted()[0] ?? monthsUntil;
  if (fromMonth >= untilMonth) return;
  const params = { ...forgotten.params, fromMonth, untilMonth };
  const version = await newVersion(clickhouse);
  const isIn = (column: string) =>
    `${whose} and ${column} >= {fromMonth:Date} and ${column} < {untilMonth:Date}`;
  const sql = `${isIn('date')} and not (${forgotten.sql})`;
  await computeMonths(clickhouse, { table: 'visits_daily', sql, params, version });
  await deleteMonths(clickhouse, { sql: isIn('month'), params, version });
}

type Which = Condition & { readonly version: string };

async function computeMonths(
  clickhouse: ClickHouseClient,
  { table, sql, params, version }: Which & { readonly table: 'visits_daily' | 'visits_daily_counts' },
): Promise<void> {
  await clickhouse.command({
    query: `
insert into visits_monthly_counts (owner_id, month, smartlink_id, ${COUNTS}, version)
select owner_id, month, smartlink_id, ${COUNTS}, {version:UInt64}
from (
  select owner_id, toStartOfMonth(date) as month, smartlink_id, ${SUMS}
  from ${table} final
  where ${sql} and not (${IS_CARRIED})
  group by owner_id, month, smartlink_id
)`,
    query_id: newWriterId(),
    query_params: { ...params, version },
    use_multipart_params: true,
    clickhouse_settings: ROLLUP_SETTINGS,
  });
}

/** Deletes sums that are older than `version`. */
async function deleteMonths(clickhouse: ClickHouseClient, { sql, params, version }: Which): Promise<void> {
  const which = `${sql} and version < {version:UInt64}`;
  const query = `select 1 from visits_monthly_counts where ${which} limit 1`;
  const stale = await selectRows(clickhouse, query, { ...params, version }, STATEMENT_MS_MAX);
  if (stale.length === 0) return;
  const { target } = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  await clickhouse.command({
    query: `delete from ${target('visits_monthly_counts')} where ${which}`,
    query_params: { ...params, version },
    use_multipart_params: true,
    clickhouse_settings: { ...ROLLUP_SETTINGS, lightweight_deletes_sync: '2' },
  });
}

/**
 * Rows of `smartlink_id` and the four counts, after `from`: sums of whole months, cells of all other days that are rolled up, and
 * imported totals. Both may have several rows of a smartlink.
 */
export function countsOfLinks(
  state: RollupState,
  { selection, ...days }: Omit<Days, 'timeZone'> & { readonly selection: Selection },
): Condition {
  const { rolledUp, params } = shareOut(state, selection.ownerId);
  const selected = isSelected(selection);
  const dates = isWithinDates(days);
  const members = `smartlink_id, ${COUNTS}`;
  const { from, to } = days;
  const firstMonth = from === null ? NEVER : from === monthOf(from) ? from : nextMonth(from);
  const endOfRange = to === null ? state.monthsUntil : monthOf(addDays(to, 1));
  const untilMonth = endOfRange < state.monthsUntil ? endOfRange : state.monthsUntil;
  // Before all days have rows by owner, those do not have all imported totals.
  if (firstMonth >= untilMonth || state.ownersFrom > NEVER) {
    const cells = cellsOf('visits_daily_counts', allOf(selected, dates), { sql: rolledUp, params });
    return { ...cells, sql: `(select ${members} from ${cells.sql})` };
  }
  const late = state.lateCells.filter(
    ({ ownerId, date }) => ownerId === selection.ownerId && date >= firstMonth && date < untilMonth,
  );
  const lateMonths = [...new Set(late.map(({ date }) => monthOf(date)))];
  const monthParams = {
    ...{ firstMonth, untilMonth },
    ...(late.length === 0
      ? {}
      : {
          lateMonthIds: late.map(({ smartlinkId }) => smartlinkId),
          lateMonths: late.map(({ date }) => monthOf(date)),
        }),
  };
  const lateLinks = '(select arrayJoin(arrayZip({lateMonthIds:Array(UUID)}, {lateMonths:Array(Date)})))';
  const months = cellsOf(
    'visits_monthly_counts',
    allOf(selected, { sql: 'month >= {firstMonth:Date} and month < {untilMonth:Date}', params: monthParams }),
    { sql: late.length === 0 ? 'true' : `(smartlink_id, month) not in ${lateLinks}`, params: {} },
  );
  const isOutside = '(date < {firstMonth:Date} or date >= {untilMonth:Date})';
  // The dates are those that the key finds.
  const mayBeRead = [
    isOutside,
    ...lateMonths.map((month) => `date >= toDate('${month}') and date < toDate('${nextMonth(month)}')`),
    `date global in (select date from visits_daily_by_owner where owner_id = {ownerId:UUID} and is_carried = 1)`,
  ];
  const isRead = [
    isOutside,
    ...(late.length === 0 ? [] : [`(smartlink_id, toStartOfMonth(date)) in ${lateLinks}`]),
    IS_CARRIED,
  ];
  const cells = cellsOf(
    'visits_daily_counts',
    allOf(selected, dates, { sql: `(${mayBeRead.join(' or ')})`, params: {} }),
    { sql: `(${isRead.join(' or ')}) and ${rolledUp}`, params },
  );
  return {
    sql: `(select ${members} from ${months.sql}\n    union all\n    select ${members} from ${cells.sql})`,
    params: { ...months.params, ...cells.params },
  };
}
