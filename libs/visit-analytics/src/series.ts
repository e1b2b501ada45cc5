import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import type { Interval } from './calendar.js';
import { CELL_FIGURES, CELL_MEMBERS, NO_FIGURES, SUMMED_FIGURES, toFigures } from './figures.js';
import type { Entry, Figures, FiguresRow } from './figures.js';
import { shareOut } from './rollup-state.js';
import type { RollupState } from './rollup-state.js';
import { selectRows } from './select-rows.js';

export type SeriesRequest = {
  readonly ownerId: string;
  readonly smartlinkId: string;
  readonly interval: Interval;
  /** IANA name; days begin and end there. */
  readonly timeZone: string;
  /** YYYY-MM-DD in that zone, both included; null is open. */
  readonly from: string | null;
  readonly to: string | null;
};

export type Series = {
  /** One entry an interval that has events, oldest first. */
  readonly entries: readonly Entry[];
  /** Over all time, whatever the range. */
  readonly totals: Figures;
};

/**
 * Returns what was counted for one smartlink. Days, weeks and months of UTC are summed from cells; hours and other
 * zones are read from `events`, and reach back as far as those are kept. Without a range the entries' clicks, scans and
 * fallbacks add up to the totals in either case. Rejects after `limitMs`.
 */
export async function findSeries(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: SeriesRequest,
  limitMs: number,
): Promise<Series> {
  const { interval } = request;
  if (interval !== 'hour' && request.timeZone === 'UTC') {
    const { groups, totals } = await sumCells(
      clickhouse,
      state,
      { ...request, ...rangeOf(request), interval },
      limitMs,
    );
    return { entries: groups, totals };
  }
  const isWhole = request.from === null && request.to === null;
  const [entries, { groups, totals }] = await Promise.all([
    readRaw(clickhouse, state, request, limitMs),
    sumCells(
      clickhouse,
      state,
      { ...request, interval: 'month', from: FIRST_DAY, until: state.rawFrom },
      limitMs,
    ),
  ]);
  // A visit that arrives between the two queries must not be in one part of the answer alone.
  return { entries, totals: isWhole ? { ...totals, ...sumCounts([...groups, ...entries]) } : totals };
}

type CellRequest = Pick<SeriesRequest, 'ownerId' | 'smartlinkId'> & {
  readonly interval: Exclude<Interval, 'hour'>;
  /** YYYY-MM-DD: the first day, and the one after the last. */
  readonly from: string;
  readonly until: string;
};

const LABELS = {
  day: 'date',
  week: 'toMonday(date)',
  month: 'toStartOfMonth(date)',
} as const;

// No visit lies outside.
const FIRST_DAY = '1970-01-01';
const AFTER_LAST_DAY = '2200-01-01';

function rangeOf({ from, to }: SeriesRequest): { from: string; until: string } {
  return { from: from ?? FIRST_DAY, until: to === null ? AFTER_LAST_DAY : addDays(to, 1) };
}

/** Sums the cells of one smartlink by interval, and over everything. */
async function sumCells(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: CellRequest,
  limitMs: number,
): Promise<{ groups: readonly Entry[]; totals: Figures }> {
  const sources = shareOut(state, request.ownerId);
  const query = `
with cells as (
  select date, ${CELL_MEMBERS} from visits_daily final
  where owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID} and ${sources.rolledUp}
  union all
  select toDate(ts) as date, ${CELL_FIGURES} from events final
  where owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID} and ${sources.raw}
  group by date
)
select if(grouping(label) = 0, label, 'all') as date_, ${SUMMED_FIGURES}
from (select *, if(date >= {from:Date32} and date < {until:Date32}, toString(${LABELS[request.interval]}), '') as label from cells)
group by grouping sets ((label), ())
order by date_`;
  const params = {
    ...sources.params,
    ownerId: request.ownerId,
    smartlinkId: request.smartlinkId,
    from: request.from,
    until: request.until,
  };
  const rows = await selectRows<FiguresRow & { date_: string }>(clickhouse, query, params, limitMs);
  const all = rows.find((row) => row.date_ === 'all');
  const groups = rows.filter((row) => row.date_ !== 'all' && row.date_ !== '');
  return {
    groups: groups.map((row) => ({ date: row.date_, ...toFigures(row) })),
    totals: all === undefined ? NO_FIGURES : toFigures(all),
  };
}

/** Reads hours, or days that begin elsewhere than in UTC, from the events. */
async function readRaw(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: SeriesRequest,
  limitMs: number,
): Promise<readonly Entry[]> {
  const { interval } = request;
  const label =
    interval === 'hour'
      ? `formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String})`
      : `toString(${LABELS[interval]})`;
  // Visitors are told apart within a day only, so the inner query counts by day as well as by interval.
  const query = `
select label as date_, ${SUMMED_FIGURES}
from (
  with toDate(ts, {timeZone:String}) as date
  select ${label} as label, ${CELL_FIGURES}
  from events final
  where owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID}
    and ts >= toDateTime64({rawFrom:Date}, 3, 'UTC')
    and ts >= toDateTime64({from:String}, 3, {timeZone:String})
    and ts < toDateTime64({until:String}, 3, {timeZone:String})
  group by label, date
)
group by label
order by label`;
  const { from, until } = rangeOf(request);
  const params = {
    ownerId: request.ownerId,
    smartlinkId: request.smartlinkId,
    timeZone: request.timeZone,
    rawFrom: state.rawFrom,
    from: `${from} 00:00:00`,
    until: `${until} 00:00:00`,
  };
  const rows = await selectRows<FiguresRow & { date_: string }>(clickhouse, query, params, limitMs);
  return rows.map((row) => ({ date: row.date_, ...toFigures(row) }));
}

function sumCounts(entries: readonly Entry[]): Pick<Figures, 'clicks' | 'scans' | 'fallbacks'> {
  const sum = { clicks: 0, scans: 0, fallbacks: 0 };
  for (const entry of entries) {
    sum.clicks += entry.clicks;
    sum.scans += entry.scans;
    sum.fallbacks += entry.fallbacks;
  }
  return sum;
}
