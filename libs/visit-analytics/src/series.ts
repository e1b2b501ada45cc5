import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import type { Interval } from './calendar.js';
import { CELL_FIGURES, CELL_MEMBERS, NO_FIGURES, addFigures, nameReferrers, toFigures } from './figures.js';
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
 * fallbacks add up to the totals in either case. More than ENTRIES_MAX hours are not all there. Rejects after `limitMs`.
 */
export async function findSeries(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: SeriesRequest,
  limitMs: number,
): Promise<Series> {
  const read = { clickhouse, state, request, limitMs };
  const { interval, timeZone } = request;
  if (interval !== 'hour' && timeZone === 'UTC') {
    const groups = await readCells(read, LABELS[interval], rangeOf(request));
    return toSeries(groups, addFigures([...groups.values()]));
  }
  const before = { from: FIRST_DAY, until: state.rawFrom };
  const [entries, cells] = await Promise.all([
    readEvents(read, labelInZone(interval), rangeInZone(read)),
    readCells(read, `'before'`, before),
  ]);
  const totals = addFigures([...cells.values()]);
  if (request.from !== null || request.to !== null) return toSeries(entries, totals);
  // A visit that arrives between the two readings must not be in one part of the answer alone.
  const whole = addFigures([cells.get('before') ?? NO_FIGURES, ...entries.values()]);
  // Visitors are told apart by UTC days in every other answer.
  return toSeries(entries, { ...whole, uniqueVisitors: totals.uniqueVisitors });
}

type Read = {
  readonly clickhouse: ClickHouseClient;
  readonly state: RollupState;
  readonly request: SeriesRequest;
  readonly limitMs: number;
};

/** Figures by label; under '' what lies outside the range. */
type Groups = ReadonlyMap<string, Figures>;

function toSeries(groups: Groups, totals: Figures): Series {
  const entries = [...groups]
    .filter(([label]) => label !== '')
    .map(([date, figures]) => ({ date, ...figures }));
  return {
    entries: entries.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map(nameReferrers),
    totals: nameReferrers(totals),
  };
}

const LABELS = {
  day: 'toString(date)',
  week: 'toString(toMonday(date))',
  month: 'toString(toStartOfMonth(date))',
} as const;

const labelInZone = (interval: Interval) =>
  interval === 'hour' ? `formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String})` : LABELS[interval];

/** More entries than any chart shows: 27 years of days, 13 months of hours. */
export const ENTRIES_MAX = 10_000;

// No visit lies outside.
const FIRST_DAY = '1970-01-01';
const AFTER_LAST_DAY = '2200-01-01';

/** The first day, and the one after the last. */
type DayRange = { readonly from: string; readonly until: string };

function rangeOf({ from, to }: SeriesRequest): DayRange {
  return { from: from ?? FIRST_DAY, until: to === null ? AFTER_LAST_DAY : addDays(to, 1) };
}

const OF_LINK = 'owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID}';

/** Returns one smartlink's cells, all of them, summed by a label of `date`. */
async function readCells(read: Read, label: string, range: DayRange): Promise<Groups> {
  const { clickhouse, state, request, limitMs } = read;
  const { ownerId, smartlinkId } = request;
  const sources = shareOut(state, ownerId);
  const labelInRange = `if(date >= {from:Date32} and date < {until:Date32}, ${label}, '')`;
  const params = { ...sources.params, ...range, ownerId, smartlinkId };
  const [rolledUp, open] = await Promise.all([
    selectRows<FiguresRow & Labelled>(
      clickhouse,
      `
select ${labelInRange} as label, ${SUMS}
from visits_daily final
where ${OF_LINK} and ${sources.rolledUp}
group by label`,
      params,
      limitMs,
    ),
    readEvents(read, labelInRange, { which: sources.raw, params }),
  ]);
  const groups = new Map(open);
  for (const { label: name, ...row } of rolledUp) addTo(groups, name, toFigures(row));
  return groups;
}

// ClickHouse takes an alias for the column of its name, also within the expression that it names.
const SUMS = `
  sum(visits_daily.clicks) as clicks, sum(visits_daily.scans) as scans, sum(visits_daily.fallbacks) as fallbacks,
  sum(visits_daily.visitors) as visitors, sumMap(visits_daily.countries) as countries,
  sumMap(visits_daily.devices) as devices, sumMap(visits_daily.browsers) as browsers,
  sumMap(visits_daily.operating_systems) as operating_systems, sumMap(visits_daily.referrers) as referrers,
  sumMap(visits_daily.excluded) as excluded`;

type Labelled = { readonly label: string };
/** Which events of the smartlink are read, and in which zone their days begin. */
type Events = {
  readonly which: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly timeZone?: string;
};

/** Returns one smartlink's events, counted by day (for visitors are told apart within one) and summed by label. */
async function readEvents(
  { clickhouse, limitMs }: Read,
  label: string,
  { which, params, timeZone = 'UTC' }: Events,
): Promise<Groups> {
  const query = `
select label, ${CELL_MEMBERS}
from (
  with toDate(ts, {timeZone:String}) as date
  select ${label} as label, ${CELL_FIGURES}
  from events final
  where ${OF_LINK} and ${which}
  group by label, date
  limit ${ENTRIES_MAX + 1}
)`;
  const days = await selectRows<FiguresRow & Labelled>(clickhouse, query, { ...params, timeZone }, limitMs);
  const groups = new Map<string, Figures>();
  for (const { label: name, ...row } of days) addTo(groups, name, toFigures(row));
  return groups;
}

function addTo(groups: Map<string, Figures>, label: string, figures: Figures): void {
  const known = groups.get(label);
  groups.set(label, known === undefined ? figures : addFigures([known, figures]));
}

/** A day may begin at no midnight (where clocks are put forward then), so its date decides; the rest serves the key. */
function rangeInZone({ state, request }: Read): Events {
  const { ownerId, smartlinkId, timeZone } = request;
  const { from, until } = rangeOf(request);
  const which = `ts >= toDateTime64({rawFrom:Date}, 3, 'UTC')
    and ts >= toDateTime64({from:Date32}, 3, 'UTC') - interval 1 day
    and ts < toDateTime64({until:Date32}, 3, 'UTC') + interval 1 day
    and date >= {from:Date32} and date < {until:Date32}`;
  return { which, params: { ownerId, smartlinkId, rawFrom: state.rawFrom, from, until }, timeZone };
}
