import type { ClickHouseClient } from '@clickhouse/client';
import type { Interval } from './calendar.js';
import { selectRows } from './clickhouse.js';
import { figuresBySpan, type PartRow } from './events-by-span.js';
import { CELL_MEMBERS, type Counts, IS_CARRIED, LINK_MEMBERS, NO_FIGURES_ROW } from './figures.js';
import { type CellTable, findHourlyCounts, hasWholeHours } from './hourly-counts.js';
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
import { ENTRIES_MAX, type Series, type Span, type SpanRow, sumSpans, toEntries, toSpan } from './series.js';

export type ManySeriesRequest = Days & {
  readonly selection: Selection;
  readonly filters: VisitFilters;
  readonly interval: Interval;
  /** Clicks, scans and fallbacks alone; everything else is zero. */
  readonly countsOnly: boolean;
  /** Presses too: only of one smartlink, and not with `countsOnly`. */
  readonly withPresses: boolean;
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
 * from cells, and so are counts in zones of whole hours; everything else is read from `events`, and reaches back as far as those are kept. A visitor counts once for
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
  const inDays = isWithinDates(request);
  const isUtcDays = request.interval !== 'hour' && request.timeZone === 'UTC';
  if (!isFiltered && isUtcDays) {
    const { cells, open } = sourcesOf(state, request.selection, request.countsOnly);
    const spans = await Promise.all([
      ...cells.map(({ table, which }) => readCells(read, table, allOf(selected, inDays), which)),
      readEvents(read, allOf(selected, open, days), openDays(read)),
    ]);
    return { entries: toEntries(spans.flat(), request), totals: sumSpans(spans.flat()), availableFrom: null };
  }
  if (!isFiltered && request.countsOnly && hasWholeHours(request, Date.now())) {
    const isByHour = request.interval === 'hour';
    const sources = { ...sourcesOf(state, request.selection), selected, days: request, isByHour };
    const counts = await findHourlyCounts(clickhouse, sources, limitMs);
    const spans = counts.map(({ label, ...row }) => toSpan({ ...NO_FIGURES_ROW, ...row, label }));
    return {
      entries: toEntries(isByHour ? spans.filter(({ date }) => date.length > 10) : spans, request),
      totals: sumSpans(spans),
      availableFrom: null,
    };
  }
  const visits = allOf(passesFilters(request.filters), days, selected);
  const isByHour = request.interval === 'hour';
  const [spans, carried, visitors] = await Promise.all([
    readEvents(read, visits, request, isByHour),
    isFiltered ? [] : readCarried(read, allOf(selected, inDays)),
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

type PartialRow = Partial<SpanRow> & Pick<SpanRow, 'label'>;

/** Leaves out days without figures: with `countsOnly` those without counted visits, otherwise those without visits and presses. */
function toSpans(rows: readonly PartialRow[], { countsOnly }: ManySeriesRequest): readonly Span[] {
  const spans = rows.map((row) => toSpan({ ...NO_FIGURES_ROW, ...row }));
  return spans.filter(
    ({ clicks, scans, excluded, presses }) =>
      clicks + scans > 0 || (!countsOnly && !(isEmpty(excluded) && isEmpty(presses))),
  );
}

function isEmpty(counts: Counts): boolean {
  for (const _ in counts) return false;
  return true;
}

type Sources = { readonly cells: readonly CellTable[]; readonly open: Condition };

// The key of visits_daily_counts begins with the day, so all smartlinks of the account are read: of one in 100 that takes ×0.5 of the
// processor time of visits_daily.
const FEW_IDS_MAX = 500;

/** Where the days of a selection are read from: each from one of them. */
export function sourcesOf(
  state: RollupState,
  { ownerId, smartlinks }: Selection,
  isSumOfCounts = false,
): Sources {
  if (smartlinks !== null) {
    const { rolledUp, raw, params } = shareOut(state, ownerId);
    const which = { sql: rolledUp, params };
    const isOfMany = smartlinks.areExcluded || smartlinks.ids.length > FEW_IDS_MAX;
    const table = isSumOfCounts && isOfMany ? 'visits_daily_counts' : 'visits_daily';
    return { cells: [{ table, which }], open: { sql: raw, params } };
  }
  const { byOwner, rolledUp, raw, params } = shareOutByOwner(state, ownerId);
  const cells: CellTable[] = [{ table: 'visits_daily_by_owner', which: { sql: byOwner, params } }];
  if (rolledUp !== null) cells.push({ table: 'visits_daily', which: { sql: `(${rolledUp})`, params } });
  return { cells, open: { sql: raw, params } };
}

/** The days of the range in which `open` events of sourcesOf may lie. */
function openDays({ state, request }: Read): Omit<Days, 'timeZone'> {
  const { from, to } = request;
  const { openFrom, lateCells } = state;
  const isLate = lateCells.some(({ ownerId }) => ownerId === request.selection.ownerId);
  return { from: isLate || (from !== null && from > openFrom) ? from : openFrom, to };
}

/** Imported totals; the range chooses them, in any zone. */
async function readCarried(read: Read, key: Condition): Promise<readonly Span[]> {
  const { state, request } = read;
  if (request.selection.smartlinks === null && shareOutByOwner(state, '').rolledUp === null) {
    return readCells(read, 'visits_daily_by_owner', key, { sql: 'is_carried = 1', params: {} });
  }
  return readCells(read, 'visits_daily', key, { sql: IS_CARRIED, params: {} });
}

/** Cells summed by day, and rows by owner, of which a day has two at most; see cellsOf. */
async function readCells(
  { clickhouse, request, limitMs }: Read,
  table: CellTable['table'],
  key: Condition,
  which: Condition,
): Promise<readonly Span[]> {
  const members = request.countsOnly ? COUNT_MEMBERS : request.withPresses ? LINK_MEMBERS : CELL_MEMBERS;
  const { sql: cells, params } = cellsOf(table, key, which);
  const query =
    table === 'visits_daily_by_owner'
      ? `select toString(date) as label, ${members} from ${cells}`
      : `
select toString(date) as label, ${sumOf(members)}
from (select date, ${members} from ${cells})
group by date`;
  return toSpans(await selectRows<PartialRow>(clickhouse, query, params, limitMs), request);
}

/** Events counted by hour or by day; of more than ENTRIES_MAX, one more. `days`: those of the zone in which they lie. */
async function readEvents(
  { clickhouse, request, limitMs }: Read,
  { sql, params }: Condition,
  days: Omit<Days, 'timeZone'>,
  isByHour = false,
): Promise<readonly Span[]> {
  if (days.from !== null && days.to !== null && days.from > days.to) return [];
  const events = visitsOf(sql);
  const spans = { events, days, isByHour, withPresses: request.withPresses, spansMax: ENTRIES_MAX };
  if (!request.countsOnly) {
    const { query, toRows } = figuresBySpan(spans);
    return toSpans(toRows(await selectRows<PartRow>(clickhouse, query, params, limitMs)), request);
  }
  const label = isByHour
    ? `formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String})`
    : 'toString(toDate(ts, {timeZone:String}))';
  const query = `select ${label} as label, ${COUNTED_EVENTS} from ${events} group by label limit ${ENTRIES_MAX + 1}`;
  return toSpans(await selectRows<PartialRow>(clickhouse, query, params, limitMs), request);
}

/** Distinct visitors of each smartlink and day of the zone. */
async function countVisitors({ clickhouse, limitMs }: Read, { sql, params }: Condition): Promise<number> {
  const query = `
select uniqExact((toDate(ts, {timeZone:String}), smartlink_id, visitor_id)) as visitors
from ${visitsOf(`${sql} and outcome != 'excluded' and visitor_id != 0`)}`;
  const rows = await selectRows<{ visitors: number }>(clickhouse, query, params, limitMs);
  return rows[0]?.visitors ?? 0;
}
