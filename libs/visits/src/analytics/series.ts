import type { ClickHouseClient } from '@clickhouse/client';
import { addDays, type Interval, labelOf } from './calendar.js';
import { selectRows } from './clickhouse.js';
import {
  CELL_FIGURES,
  type Entry,
  EVENT_MEMBERS,
  type Figures,
  type FiguresRow,
  IS_CARRIED,
  LINK_MEMBERS,
  toFigures,
} from './figures.js';
import { type RollupState, shareOut } from './rollup-state.js';
import { addFigures, nameValues } from './sum-figures.js';

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
 * The figures of one smartlink. Days, weeks and months of UTC are summed from cells; hours and other
 * zones are read from `events`, and reach back as far as those are kept. Without a range the entries' clicks, scans and
 * fallbacks add up to the totals in either case. At most ENTRIES_MAX hours are returned. Rejects after `limitMs`.
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
    return { entries: toEntries(cells.filter(isWithin(request)), request), totals: sumSpans(cells) };
  }
  const [spans, { computed, carried }] = await Promise.all([readEvents(read, inZone(read)), readCells(read)]);
  // Imported totals belong to a day in any zone; their hour is unknown.
  const ofDays = request.interval === 'hour' ? [] : carried.filter(isWithin(request));
  const entries = toEntries([...ofDays, ...spans], request);
  const cells = [...computed, ...carried];
  if (request.from !== null || request.to !== null) return { entries, totals: sumSpans(cells) };
  // A visit that arrives between the two reads must not be in only one part of the answer. Unique visitors are counted
  // by UTC day in all other answers.
  const whole = sumSpans([...computed.filter(({ date }) => date < state.rawFrom), ...carried, ...spans]);
  return { entries, totals: { ...whole, uniqueVisitors: sumSpans(cells).uniqueVisitors } };
}

type Read = {
  readonly clickhouse: ClickHouseClient;
  readonly state: RollupState;
  readonly request: SeriesRequest;
  readonly limitMs: number;
};

/** Figures of an hour or a day, the smallest spans for which unique visitors are counted. */
export type Span = Figures & {
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:00. */
  readonly date: string;
};

export const sumSpans = (spans: readonly Span[]): Figures => nameValues(addFigures(spans));

function isWithin({ from, to }: SeriesRequest): (span: Span) => boolean {
  return ({ date }) => (from === null || date >= from) && (to === null || date <= to);
}

export function toEntries(
  spans: readonly Span[],
  { interval }: { readonly interval: Interval },
): readonly Entry[] {
  const groups = new Map<string, Figures[]>();
  for (const span of spans) {
    const label = interval === 'hour' ? span.date : labelOf(span.date, interval);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [span]);
    else group.push(span);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, group]) => ({ ...nameValues(addFigures(group)), date }));
}

/** More entries than any chart shows: 27 years of days, 13 months of hours. */
export const ENTRIES_MAX = 10_000;

// No visit lies outside.
const FIRST_DAY = '1970-01-01';
const AFTER_LAST_DAY = '2200-01-01';

const OF_LINK = 'owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID}';

/** All cells of one smartlink: those computed from events, and imported totals (carry-totals.ts). */
type Cells = { readonly computed: readonly Span[]; readonly carried: readonly Span[] };

async function readCells(read: Read): Promise<Cells> {
  const { clickhouse, state, request, limitMs } = read;
  const { ownerId, smartlinkId } = request;
  const sources = shareOut(state, ownerId);
  const params = { ...sources.params, ownerId, smartlinkId };
  // The newest of each cell. For a single smartlink that takes half of what `final` does.
  const query = `
select toString(date) as label, ${LINK_MEMBERS}, ${IS_CARRIED} as isCarried
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

export type SpanRow = FiguresRow & { readonly label: string };

export const toSpan = ({ label, ...row }: SpanRow): Span => ({ ...toFigures(row), date: label });

/** Which events of the smartlink are read, and how they are put together. */
type Events = {
  readonly which: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly timeZone: string;
  readonly byHour: boolean;
};

/** One smartlink's events counted by hour or by day; of more than ENTRIES_MAX, one more. */
async function readEvents(
  { clickhouse, limitMs }: Read,
  { which, params, timeZone, byHour }: Events,
): Promise<readonly Span[]> {
  const query = `
select label, ${EVENT_MEMBERS}
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

/** Counted visits of one smartlink over all time; fallbacks are among the clicks and scans. */
export type Totals = { readonly clicks: number; readonly scans: number; readonly fallbacks: number };

/** Never visited. */
export const NO_TOTALS: Totals = { clicks: 0, scans: 0, fallbacks: 0 };

/**
 * The totals of those of an owner's smartlinks that were visited: of `ids`, or of all when it is null. Rejects
 * after `limitMs`.
 */
export async function findTotals(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: { readonly ownerId: string; readonly ids: readonly string[] | null },
  limitMs: number,
): Promise<ReadonlyMap<string, Totals>> {
  const { ownerId, ids } = request;
  const sources = shareOut(state, ownerId);
  const params = { ...sources.params, ownerId, ...(ids === null ? {} : { ids }) };
  const whose = ids === null ? OWN : OWN + OF_IDS;
  // Events without `final`, which reads whatever lies between smartlinks too: of a hundred smartlinks five times the rows.
  // Duplicates are recognised by their id.
  const query = `
select id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
from (
  select smartlink_id as id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
  from visits_daily final
  where ${whose} and ${sources.rolledUp}
  group by id
  union all
  select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
         countIf(outcome = 'fallback') as fallbacks
  from (
    select smartlink_id, source, outcome from events
    where ${whose} and ${sources.raw} and outcome != 'excluded'
    limit 1 by event_id
  )
  group by id
)
group by id
having clicks + scans > 0`;
  const rows = await selectRows<TotalsRow>(clickhouse, query, params, limitMs);
  return new Map(rows.map(({ id, clicks, scans, fallbacks }) => [id, { clicks, scans, fallbacks }]));
}

type TotalsRow = Totals & { readonly id: string };

const OWN = 'owner_id = {ownerId:UUID}';
const OF_IDS = ' and smartlink_id in {ids:Array(UUID)}';

/** The newest visit of those already seen: the next ones are older. */
export type VisitCursor = { readonly timeMs: number; readonly eventId: string };

export type RecentVisit = VisitCursor & {
  readonly smartlinkId: string;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback';
  readonly country: string;
  readonly device: string;
};

// A bound on the time skips most of an owner's rows, and reading without `final` takes half the time. Rows that were sent
// twice are both returned, next to each other.
const RECENT_VISITS = `
select toUnixTimestamp64Milli(ts) as timeMs, event_id as eventId, smartlink_id as smartlinkId, source, outcome,
       country, device
from events
where owner_id = {ownerId:UUID} and outcome != 'excluded'
  and ts >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  and (ts, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:UUID})
order by ts desc, event_id desc
limit {limit:UInt32}`;

/**
 * An owner's newest counted visits since `sinceMs` and before `before`, newest first: of `limit` rows, each visit
 * once. Fewer rows than `limit` mean the end. Rejects after `limitMs`.
 */
export async function findRecentVisits(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; sinceMs: number; before: VisitCursor; limit: number },
  limitMs: number,
): Promise<{ readonly visits: readonly RecentVisit[]; readonly isAll: boolean }> {
  const { ownerId, sinceMs, before, limit } = request;
  const params = { ownerId, sinceMs, beforeMs: before.timeMs, beforeId: before.eventId, limit };
  const rows = await selectRows<RecentVisit>(clickhouse, RECENT_VISITS, params, limitMs);
  return {
    visits: rows.filter((row, i) => row.eventId !== rows[i - 1]?.eventId),
    isAll: rows.length < limit,
  };
}
