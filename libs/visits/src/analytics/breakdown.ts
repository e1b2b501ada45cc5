import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows, type VisitTable } from './clickhouse.js';
import { type EventDimension, eventValue, IS_CARRIED, OWNER_BREAKDOWNS } from './figures.js';
import { findHourlyCounts, hasWholeHours } from './hourly-counts.js';
import { countsOfLinks } from './monthly-counts.js';
import { type RollupState, shareOut, shareOutByOwner } from './rollup-state.js';
import {
  allOf,
  availableFrom,
  cellsOf,
  type Condition,
  type Days,
  hasFilters,
  isSelected,
  isWithinDates,
  isWithinDays,
  passesFilters,
  type Selection,
  type VisitFilters,
  visitsOf,
} from './selection.js';
import { sourcesOf } from './series-of-many.js';

/** What visits are broken down by; `hourOfWeek` in the zone of the days. */
export type Dimension = Exclude<EventDimension, 'outcome'> | 'smartlink' | 'hourOfWeek';

export type BreakdownRequest = Days & {
  readonly selection: Selection;
  readonly filters: VisitFilters;
  readonly by: Dimension;
  readonly limit: number;
};

/** Counted visits; fallbacks are among the clicks and scans. */
export type VisitCounts = {
  readonly clicks: number;
  readonly scans: number;
  readonly fallbacks: number;
  readonly visits: number;
};

/** `value` is null for visits without one; visitors are distinct within a smartlink's day. */
export type BreakdownRow = VisitCounts & { readonly value: string | null; readonly uniqueVisitors: number };

export type Breakdown = {
  /** Most visits first, then by value. */
  readonly rows: readonly BreakdownRow[];
  readonly total: VisitCounts;
  /** See availableFrom. */
  readonly availableFrom: string | null;
};

/** The column of `visits_daily` with a dimension's visits by value. */
const CELL_MAPS: Readonly<Partial<Record<Dimension, string>>> = {
  country: 'countries',
  device: 'devices',
  browser: 'browsers',
  os: 'operating_systems',
  referrer: 'referrers',
  language: 'languages',
  utmSource: 'utm_sources',
  utmMedium: 'utm_mediums',
  utmCampaign: 'utm_campaigns',
};

/**
 * Visits by the values of a dimension. What the listed rows leave of the total are the values beyond the limit, and visits
 * of cells that do not keep their value. Rejects after `limitMs`.
 */
export async function findBreakdown(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: BreakdownRequest,
  limitMs: number,
): Promise<Breakdown> {
  const { limit } = request;
  if (hasHoursInCells(state, request)) return countHoursOfWeek(clickhouse, state, request, limitMs);
  const { sql, params, needsEvents } = countsOf(state, request);
  const query = `
select value, clicks, scans, fallbacks, visits, visitors as uniqueVisitors, isListed,
       totalClicks, totalScans, totalFallbacks
from (
  select value, isListed, sum(c) as clicks, sum(s) as scans, sum(f) as fallbacks, sum(n) as visits, sum(v) as visitors,
         sum(sumIf(c, isCounted)) over () as totalClicks,
         sum(sumIf(s, isCounted)) over () as totalScans,
         sum(sumIf(f, isCounted)) over () as totalFallbacks
  from (${sql})
  group by value, isListed
)
order by isListed desc, visits desc, value
limit {limit:UInt32}`;
  const found = await selectRows<Row>(clickhouse, query, { ...params, limit }, limitMs);
  const [any] = found;
  const [clicks, scans] = [any?.totalClicks ?? 0, any?.totalScans ?? 0];
  return {
    rows: found
      .filter(({ isListed, visits }) => isListed === 1 && visits > 0)
      .map(({ value, clicks, scans, fallbacks, visits, uniqueVisitors }) => ({
        value: value === '' ? null : value,
        ...{ clicks, scans, fallbacks, visits, uniqueVisitors },
      })),
    total: { clicks, scans, fallbacks: any?.totalFallbacks ?? 0, visits: clicks + scans },
    availableFrom: needsEvents ? availableFrom(request, state) : null,
  };
}

type Row = VisitCounts & {
  readonly value: string;
  readonly uniqueVisitors: number;
  readonly isListed: 0 | 1;
  readonly totalClicks: number;
  readonly totalScans: number;
  readonly totalFallbacks: number;
};

/** Cells have hours of UTC. Where events of the range are gone, other zones are answered from those that are left. */
const hasHoursInCells = (state: RollupState, request: BreakdownRequest): boolean =>
  request.by === 'hourOfWeek' &&
  !hasFilters(request.filters) &&
  (request.timeZone === 'UTC' ||
    (availableFrom(request, state) === null && hasWholeHours(request, Date.now())));

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Visits whose hour is unknown are in the total alone. */
async function countHoursOfWeek(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: BreakdownRequest,
  limitMs: number,
): Promise<Breakdown> {
  const sources = {
    ...sourcesOf(state, request.selection),
    ...{ selected: isSelected(request.selection), days: request, isByHour: true },
  };
  const total = { clicks: 0, scans: 0, fallbacks: 0, visits: 0 };
  const sums = new Map<string, typeof total>();
  for (const { label, ...counts } of await findHourlyCounts(clickhouse, sources, limitMs)) {
    addCounts(total, counts);
    if (label.length === 'YYYY-MM-DD'.length) continue;
    const value = `${WEEKDAYS[new Date(label.slice(0, 10)).getUTCDay()]}-${label.slice(11, 13)}`;
    const sum = sums.get(value) ?? { clicks: 0, scans: 0, fallbacks: 0, visits: 0 };
    sums.set(value, sum);
    addCounts(sum, counts);
  }
  const rows = [...sums]
    .map(([value, counts]) => ({ value, ...counts, uniqueVisitors: 0 }))
    .toSorted((a, b) => b.visits - a.visits || (a.value < b.value ? -1 : 1));
  return { rows: rows.slice(0, request.limit), total, availableFrom: null };
}

function addCounts(
  sum: { clicks: number; scans: number; fallbacks: number; visits: number },
  { clicks, scans, fallbacks }: Omit<VisitCounts, 'visits'>,
): void {
  sum.clicks += clicks;
  sum.scans += scans;
  sum.fallbacks += fallbacks;
  sum.visits += clicks + scans;
}

/**
 * Counts by smartlink in columns, each a text of values with commas, as in an array of Postgres: of 100,000 smartlinks that takes
 * 13 ms of the event loop, arrays 135.
 */
export type CountsBySmartlink = {
  readonly ids: string;
  readonly clicks: string;
  readonly scans: string;
  readonly fallbacks: string;
  readonly total: VisitCounts;
  readonly availableFrom: string | null;
};

/** The counts of all visited smartlinks of a selection. Rejects after `limitMs`. */
export async function countBySmartlink(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: Omit<BreakdownRequest, 'by' | 'limit'>,
  limitMs: number,
): Promise<CountsBySmartlink> {
  const { sql, params, needsEvents } = countsOf(state, { ...request, by: 'smartlink' });
  const query = `
select ${(['ids', 'clicks', 'scans', 'fallbacks'] as const).map((name) => `arrayStringConcat(groupArray(${name}), ',') as ${name}`).join(', ')},
       sum(found.clicks) as totalClicks, sum(found.scans) as totalScans, sum(found.fallbacks) as totalFallbacks
from (
  select value as ids, sum(c) as clicks, sum(s) as scans, sum(f) as fallbacks
  from (${sql})
  group by value
  having clicks + scans > 0
) as found`;
  const [found] = await selectRows<
    Omit<CountsBySmartlink, 'total' | 'availableFrom'> &
      Pick<Row, 'totalClicks' | 'totalScans' | 'totalFallbacks'>
  >(clickhouse, query, params, limitMs);
  if (found === undefined) throw new Error('ClickHouse did not answer with the counts of smartlinks');
  const { totalClicks, totalScans, totalFallbacks, ...columns } = found;
  return {
    ...columns,
    total: {
      ...{ clicks: totalClicks, scans: totalScans, fallbacks: totalFallbacks },
      visits: totalClicks + totalScans,
    },
    availableFrom: needsEvents ? availableFrom(request, state) : null,
  };
}

type Parts = Condition & {
  /** Values of days whose events are gone are missing. */
  readonly needsEvents: boolean;
};

/** Clicks (c), scans (s), fallbacks (f), visits (n) and visitors (v) by value, as a subquery: rows that are not `isCounted` are in others too, and those not `isListed` have no value. */
function countsOf(state: RollupState, request: Omit<BreakdownRequest, 'limit'>): Parts {
  const { selection, filters, by, timeZone } = request;
  const selected = isSelected(selection);
  const days = isWithinDays(request, state);
  if (hasFilters(filters)) {
    const events = countEvents(by, allOf(passesFilters(filters), days, selected));
    return { ...events, needsEvents: true };
  }
  const isByOwner = selection.smartlinks === null && shareOutByOwner(state, '').rolledUp === null;
  const tableOfValues = isByOwner ? 'visits_daily_by_owner' : 'visits_daily';
  const table = by === 'smartlink' ? 'visits_daily_counts' : tableOfValues;
  const isInCells = timeZone === 'UTC' && hasCounts(table, by);
  // The events of imported totals never were here, those of old days may be gone.
  const isCarried = table === 'visits_daily_by_owner' ? 'is_carried = 1' : IS_CARRIED;
  const isGone = timeZone === 'UTC' ? `(date < {rawFrom:Date} or ${isCarried})` : isCarried;
  const { rolledUp, raw, params } = isInCells
    ? sharesOf(state, selection.ownerId, table)
    : { rolledUp: isGone, raw: 'true', params: {} };
  const events = countEvents(by, allOf(selected, days, { sql: raw, params }));
  const key = allOf(selected, isWithinDates(request));
  const cells =
    isInCells && by === 'smartlink'
      ? countsOfLinks(state, request)
      : cellsOf(table, key, { sql: rolledUp, params: { ...params, rawFrom: state.rawFrom } });
  const counted = countCells(by, cells, table);
  return {
    sql: `${events.sql}\n  union all\n${counted.sql}`,
    params: { ...events.params, ...counted.params },
    needsEvents: timeZone !== 'UTC' || !(isInCells || CELL_MAPS[by] !== undefined),
  };
}

/** Whether the cells of a table keep the clicks, scans and fallbacks of a dimension's values. */
const hasCounts = (table: VisitTable, by: Dimension): boolean =>
  by === 'smartlink' || (table === 'visits_daily_by_owner' && isKeptByOwner(by));

const isKeptByOwner = (by: Dimension): boolean => (OWNER_BREAKDOWNS as readonly string[]).includes(by);

/** The conditions that divide the days between a table of cells and `events`. */
function sharesOf(state: RollupState, ownerId: string, table: VisitTable) {
  if (table !== 'visits_daily_by_owner') return shareOut(state, ownerId);
  const { byOwner, raw, params } = shareOutByOwner(state, ownerId);
  return { rolledUp: byOwner, raw, params };
}

const EVENT_COUNTS = `countIf(source = 'click') as c, countIf(source = 'scan') as s, countIf(outcome = 'fallback') as f, count() as n`;

function countEvents(by: Dimension, { sql, params }: Condition): Condition {
  const visits = visitsOf(`${sql} and outcome != 'excluded'`);
  if (by === 'smartlink') {
    // A day and a visitor in one number: as a pair they would be hashed.
    const visitor = 'bitOr(bitShiftLeft(toUInt128(toUInt16(toDate(ts, {timeZone:String}))), 64), visitor_id)';
    const query = `
  select toString(id) as value, 1 as isListed, 1 as isCounted, c, s, f, n, v
  from (
    select smartlink_id as id, ${EVENT_COUNTS}, uniqExactIf(${visitor}, visitor_id != 0) as v
    from ${visits}
    group by id
  )`;
    return { sql: query, params };
  }
  return {
    sql: `
  select ${valueOf(by)} as value, 1 as isListed, 1 as isCounted,
         ${EVENT_COUNTS}, toUInt64(0) as v
  from ${visits}
  group by value`,
    params,
  };
}

function valueOf(by: Exclude<Dimension, 'smartlink'>): string {
  if (by !== 'hourOfWeek') return `toString(${eventValue(by)})`;
  return `concat(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][toDayOfWeek(ts, 0, {timeZone:String})], '-', leftPad(toString(toHour(ts, {timeZone:String})), 2, '0'))`;
}

/** `cells`: see cellsOf and countsOfLinks. */
function countCells(by: Dimension, { sql: cells, params }: Condition, table: VisitTable): Condition {
  if (by === 'smartlink') {
    const query = `
  select toString(id) as value, 1 as isListed, 1 as isCounted, c, s, f, c + s as n, v
  from (
    select smartlink_id as id, sum(clicks) as c, sum(scans) as s, sum(fallbacks) as f, sum(visitors) as v
    from (select smartlink_id, clicks, scans, fallbacks, visitors from ${cells})
    group by id
  )`;
    return { sql: query, params };
  }
  const rest = `
  select '' as value, 0 as isListed, 1 as isCounted, sum(clicks), sum(scans), sum(fallbacks), toUInt64(0), toUInt64(0)
  from ${cells}`;
  const parts = [rest];
  const isByOwner = table === 'visits_daily_by_owner' && isKeptByOwner(by);
  if (isByOwner) {
    parts.push(`
  select one.value as value, 1 as isListed, 0 as isCounted, sum(toUInt64(one.visits - one.scans)), sum(one.scans),
         sum(one.fallbacks), sum(one.visits), toUInt64(0)
  from (select arrayJoin(breakdowns.${by}) as one from ${cells})
  group by value`);
  }
  const map = CELL_MAPS[by];
  if (map !== undefined) {
    // A cell's map counts visits; of a value's clicks and scans it says something where the cell has only one of them.
    parts.push(`
  select toString(pair.1) as value, 1 as isListed, 0 as isCounted, sumIf(pair.2, scans = 0), sumIf(pair.2, clicks = 0),
         toUInt64(0), sum(pair.2), toUInt64(0)
  from (
    select clicks, scans, arrayJoin(CAST(${map}, 'Array(Tuple(String, UInt64))')) as pair
    from ${cells}${isByOwner ? ' and empty(breakdowns.source)' : ''}
  )
  group by value`);
  }
  return { sql: parts.join('\n  union all\n'), params };
}
