import type { ClickHouseClient } from '@clickhouse/client';
import { addDays, labelOf } from './calendar.js';
import type { Interval } from './calendar.js';
import { IS_CARRIED } from './carried-cells.js';
import { CELL_FIGURES, CELL_MEMBERS, addFigures, nameReferrers, toFigures } from './figures.js';
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
  if (request.interval !== 'hour' && request.timeZone === 'UTC') {
    const { computed, carried } = await readCells(read);
    const cells = [...computed, ...carried];
    return { entries: toEntries(cells.filter(isWithin(request)), request), totals: sum(cells) };
  }
  const [spans, { computed, carried }] = await Promise.all([readEvents(read, inZone(read)), readCells(read)]);
  // What was carried here is of a day in any zone; nobody knows the hour.
  const ofDays = request.interval === 'hour' ? [] : carried.filter(isWithin(request));
  const entries = toEntries([...ofDays, ...spans], request);
  const cells = [...computed, ...carried];
  if (request.from !== null || request.to !== null) return { entries, totals: sum(cells) };
  // A visit that arrives between the two readings must not be in one part of the answer alone. Visitors are told apart
  // by UTC days in every other answer.
  const whole = sum([...computed.filter(({ date }) => date < state.rawFrom), ...carried, ...spans]);
  return { entries, totals: { ...whole, uniqueVisitors: sum(cells).uniqueVisitors } };
}

type Read = {
  readonly clickhouse: ClickHouseClient;
  readonly state: RollupState;
  readonly request: SeriesRequest;
  readonly limitMs: number;
};

/** What was counted in an hour or a day: the smallest span in which visitors are told apart. */
type Span = Figures & {
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:00. */
  readonly date: string;
};

const sum = (spans: readonly Span[]): Figures => nameReferrers(addFigures(spans));

function isWithin({ from, to }: SeriesRequest): (span: Span) => boolean {
  return ({ date }) => (from === null || date >= from) && (to === null || date <= to);
}

function toEntries(spans: readonly Span[], { interval }: SeriesRequest): readonly Entry[] {
  const groups = new Map<string, Figures[]>();
  for (const span of spans) {
    const label = interval === 'hour' ? span.date : labelOf(span.date, interval);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [span]);
    else group.push(span);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, group]) => ({ ...nameReferrers(addFigures(group)), date }));
}

/** More entries than any chart shows: 27 years of days, 13 months of hours. */
export const ENTRIES_MAX = 10_000;

// No visit lies outside.
const FIRST_DAY = '1970-01-01';
const AFTER_LAST_DAY = '2200-01-01';

const OF_LINK = 'owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID}';

/** One smartlink's cells, all of them: those made of events, and what was carried here (carry-totals.ts). */
type Cells = { readonly computed: readonly Span[]; readonly carried: readonly Span[] };

async function readCells(read: Read): Promise<Cells> {
  const { clickhouse, state, request, limitMs } = read;
  const { ownerId, smartlinkId } = request;
  const sources = shareOut(state, ownerId);
  const params = { ...sources.params, ownerId, smartlinkId };
  // The newest of each cell. For a single smartlink that takes half of what `final` does.
  const query = `
select toString(date) as label, ${CELL_MEMBERS}, ${IS_CARRIED} as isCarried
from visits_daily
where ${OF_LINK} and ${sources.rolledUp}
order by version desc
limit 1 by date`;
  const [kept, open] = await Promise.all([
    selectRows<SpanRow & { readonly isCarried: 0 | 1 }>(clickhouse, query, params, limitMs),
    readEvents(read, { which: sources.raw, params, timeZone: 'UTC', byHour: false }),
  ]);
  const computed: Span[] = [];
  const carried: Span[] = [];
  for (const { isCarried, ...row } of kept) (isCarried === 1 ? carried : computed).push(toSpan(row));
  return { computed: [...computed, ...open], carried };
}

type SpanRow = FiguresRow & { readonly label: string };

const toSpan = ({ label, ...row }: SpanRow): Span => ({ ...toFigures(row), date: label });

/** Which events of the smartlink are read, and how they are put together. */
type Events = {
  readonly which: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly timeZone: string;
  readonly byHour: boolean;
};

/** Returns one smartlink's events counted by hour or by day; of more than ENTRIES_MAX, one more. */
async function readEvents(
  { clickhouse, limitMs }: Read,
  { which, params, timeZone, byHour }: Events,
): Promise<readonly Span[]> {
  const query = `
select label, ${CELL_MEMBERS}
from (
  with toDate(ts, {timeZone:String}) as date
  select ${byHour ? `formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String})` : 'toString(date)'} as label,
         ${CELL_FIGURES}
  from events final
  where ${OF_LINK} and ${which}
  group by label
  limit ${ENTRIES_MAX + 1}
)`;
  const rows = await selectRows<SpanRow>(clickhouse, query, { ...params, timeZone }, limitMs);
  return rows.map(toSpan);
}

/** A day may begin at no midnight (where clocks are put forward then), so its date decides; the rest serves the key. */
function inZone({ state, request }: Read): Events {
  const { ownerId, smartlinkId, timeZone, from, to } = request;
  const which = `ts >= toDateTime64({rawFrom:Date}, 3, 'UTC')
    and ts >= toDateTime64({from:Date32}, 3, 'UTC') - interval 1 day
    and ts < toDateTime64({until:Date32}, 3, 'UTC') + interval 1 day
    and date >= {from:Date32} and date < {until:Date32}`;
  const range = { from: from ?? FIRST_DAY, until: to === null ? AFTER_LAST_DAY : addDays(to, 1) };
  const params = { ...range, ownerId, smartlinkId, rawFrom: state.rawFrom };
  return { which, params, timeZone, byHour: request.interval === 'hour' };
}
