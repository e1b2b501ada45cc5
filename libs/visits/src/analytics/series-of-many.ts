import type { ClickHouseClient } from '@clickhouse/client';
import type { Interval } from './calendar.js';
import { selectRows } from './clickhouse.js';
import { CELL_MEMBERS, IS_CARRIED, NO_FIGURES, OWNER_FIGURES } from './figures.js';
import { type RollupState, shareOut } from './rollup-state.js';
import {
  allOf,
  availableFrom,
  type Condition,
  type Days,
  hasFilters,
  isSelected,
  isWithinDates,
  isWithinDays,
  passesFilters,
  type Selection,
  type VisitFilters,
} from './selection.js';
import { ENTRIES_MAX, type Series, type Span, type SpanRow, sumSpans, toEntries, toSpan } from './series.js';

export type ManySeriesRequest = Days & {
  readonly selection: Selection;
  readonly filters: VisitFilters;
  readonly interval: Interval;
  /** Clicks, scans and fallbacks alone; everything else is zero. */
  readonly countsOnly: boolean;
};

export type ManySeries = Series & {
  /** See availableFrom. */
  readonly availableFrom: string | null;
};

type Read = {
  readonly clickhouse: ClickHouseClient;
  readonly state: RollupState;
  readonly request: ManySeriesRequest;
  readonly limitMs: number;
};

/**
 * The figures of many smartlinks within days; totals are those of the days. Whole days of UTC without filters are summed
 * from cells; everything else is read from `events`, and reaches back as far as those are kept. A visitor counts once for
 * each smartlink and day. At most ENTRIES_MAX hours are returned. Rejects after `limitMs`.
 */
export async function findSeriesOfMany(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: ManySeriesRequest,
  limitMs: number,
): Promise<ManySeries> {
  const read = { clickhouse, state, request, limitMs };
  const isFiltered = hasFilters(request.filters);
  const selected = isSelected(request.selection);
  const days = isWithinDays(request, state);
  if (!isFiltered && request.interval !== 'hour' && request.timeZone === 'UTC') {
    const { rolledUp, raw, params } = shareOut(state, request.selection.ownerId);
    const spans = await Promise.all([
      readCells(read, allOf(selected, isWithinDates(request), { sql: rolledUp, params })),
      readEvents(read, allOf(selected, days, { sql: raw, params })),
    ]);
    return { entries: toEntries(spans.flat(), request), totals: sumSpans(spans.flat()), availableFrom: null };
  }
  const visits = allOf(selected, days, passesFilters(request.filters));
  const isByHour = request.interval === 'hour';
  const [spans, carried, visitors] = await Promise.all([
    readEvents(read, visits, isByHour),
    isFiltered
      ? []
      : readCells(read, allOf(selected, isWithinDates(request), { sql: IS_CARRIED, params: {} })),
    // Those of hours do not add up to those of days.
    isByHour && !request.countsOnly ? countVisitors(read, visits) : null,
  ]);
  const totals = sumSpans([...spans, ...carried]);
  return {
    // Imported totals belong to a day in any zone; their hour is unknown.
    entries: toEntries(isByHour ? spans : [...spans, ...carried], request),
    totals: visitors === null ? totals : { ...totals, uniqueVisitors: visitors },
    availableFrom: availableFrom(request, state),
  };
}

const COUNT_MEMBERS = 'clicks, scans, fallbacks';
const COUNTED_EVENTS = `
  countIf(source = 'click' and outcome != 'excluded') as clicks,
  countIf(source = 'scan' and outcome != 'excluded') as scans,
  countIf(outcome = 'fallback') as fallbacks`;

const NUMBERS = new Set([...COUNT_MEMBERS.split(', '), 'visitors']);
const sumOf = (members: string) =>
  members
    .split(', ')
    .map((name) => `${NUMBERS.has(name) ? 'sum' : 'sumMap'}(${name}) as ${name}`)
    .join(', ');

const membersOf = ({ countsOnly }: ManySeriesRequest) => (countsOnly ? COUNT_MEMBERS : CELL_MEMBERS);

const { uniqueVisitors, operatingSystems, utmSources, utmMediums, utmCampaigns, ...REST } = NO_FIGURES;
const NOTHING = {
  ...{ ...REST, visitors: uniqueVisitors, operating_systems: operatingSystems },
  ...{ utm_sources: utmSources, utm_mediums: utmMediums, utm_campaigns: utmCampaigns },
};

/** Cells summed by day. */
async function readCells(
  { clickhouse, request, limitMs }: Read,
  { sql, params }: Condition,
): Promise<readonly Span[]> {
  const members = membersOf(request);
  const query = `
select toString(date) as label, ${sumOf(members)}
from (select date, ${members} from visits_daily final where ${sql})
group by date`;
  const rows = await selectRows<Partial<SpanRow> & Pick<SpanRow, 'label'>>(
    clickhouse,
    query,
    params,
    limitMs,
  );
  return rows.map((row) => toSpan({ ...NOTHING, ...row }));
}

/** Events counted by hour or by day; of more than ENTRIES_MAX, one more. */
async function readEvents(
  { clickhouse, request, limitMs }: Read,
  { sql, params }: Condition,
  isByHour = false,
): Promise<readonly Span[]> {
  const query = `
select label, ${membersOf(request)}
from (
  select ${isByHour ? `formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String})` : 'toString(toDate(ts, {timeZone:String}))'} as label,
         ${request.countsOnly ? COUNTED_EVENTS : OWNER_FIGURES}
  from events final
  where ${sql}
  group by label
  limit ${ENTRIES_MAX + 1}
)`;
  const rows = await selectRows<Partial<SpanRow> & Pick<SpanRow, 'label'>>(
    clickhouse,
    query,
    params,
    limitMs,
  );
  return rows.map((row) => toSpan({ ...NOTHING, ...row }));
}

/** Distinct visitors of each smartlink and day of the zone. */
async function countVisitors({ clickhouse, limitMs }: Read, { sql, params }: Condition): Promise<number> {
  const query = `
select uniqExact((toDate(ts, {timeZone:String}), smartlink_id, visitor_id)) as visitors
from events final
where ${sql} and outcome != 'excluded' and visitor_id != 0`;
  const rows = await selectRows<{ visitors: number }>(clickhouse, query, params, limitMs);
  return rows[0]?.visitors ?? 0;
}
