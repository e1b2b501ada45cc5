import { addDays, hourLabelOf } from './calendar.js';
import type { VisitTable } from './clickhouse.js';
import { type EventDimension, eventValue, IS_PRESS } from './figures.js';
import type { RollupState } from './rollup-state.js';

/** The smartlinks that figures are about. */
export type Selection = {
  readonly ownerId: string;
  /** null: all of the owner, deleted ones too. */
  readonly smartlinks: { readonly ids: readonly string[]; readonly areExcluded: boolean } | null;
};

/** A query's condition, and its parameters. */
export type Condition = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

// A server takes 128 KiB in a parameter (http_max_field_value_size), the embedded engine 256 KiB in all of them.
const PARAMETER_IDS_MAX = 3_000;

/** The condition on `events` or cells of a selection; ids are UUIDs. */
export function isSelected({ ownerId, smartlinks }: Selection): Condition {
  const ofOwner = 'owner_id = {ownerId:UUID}';
  if (smartlinks === null) return { sql: ofOwner, params: { ownerId } };
  const { ids, areExcluded } = smartlinks;
  const isIn = `${ofOwner} and smartlink_id ${areExcluded ? 'not in' : 'in'}`;
  if (ids.length <= PARAMETER_IDS_MAX) {
    return { sql: `${isIn} {ids:Array(UUID)}`, params: { ownerId, ids } };
  }
  // One text: 50,000 texts in a list take more than twice as long.
  const text = ids.join(',');
  if (!/^[\da-f,-]+$/.test(text)) throw new Error('BUG: an id is no UUID');
  return { sql: `${isIn} (select arrayJoin(splitByChar(',', '${text}')::Array(UUID)))`, params: { ownerId } };
}

/**
 * The visits that a condition chooses, of `events`, after `from`. It is applied before repeats of an event are removed, which
 * takes ×0.6 to ×0.9 of the processor time: repeats differ in `late_at` and `arrived_at` alone, so it chooses all of them or none.
 * What chooses the fewest comes first.
 */
export const visitsOf = (condition: string): string => `events final prewhere ${condition}`;

/**
 * The cells that conditions choose, of a table, after `from`. `key` is on columns of the sorting key alone, in which the versions
 * of a cell are equal: only the cells that it chooses are read.
 */
export function cellsOf(table: VisitTable, key: Condition, which: Condition): Condition {
  const { params } = allOf(key, which);
  return { sql: `${table} final prewhere ${key.sql} where ${which.sql}`, params };
}

/** Visits by their values: one of each list. */
export type VisitFilters = Readonly<Partial<Record<EventDimension, readonly string[] | undefined>>>;

export function hasFilters(filters: VisitFilters): boolean {
  return Object.values(filters).some((values) => values !== undefined);
}

/** The condition on `events` of filters. Presses have no referrer, outcome, rule or variant. */
export function passesFilters(filters: VisitFilters): Condition {
  const params: Record<string, unknown> = {};
  const parts: string[] = [];
  for (const [name, values] of Object.entries(filters)) {
    if (values === undefined) continue;
    params[`of_${name}`] = values;
    parts.push(`${eventValue(name as EventDimension)} in {of_${name}:Array(String)}`);
    // Their empty referrer is not `direct`.
    if (name === 'referrer') parts.push(`not (${IS_PRESS})`);
  }
  return { sql: parts.length === 0 ? 'true' : parts.join(' and '), params };
}

/** Days in a time zone. */
export type Days = {
  /** IANA name; days begin and end there. */
  readonly timeZone: string;
  /** YYYY-MM-DD in that zone, both included; null is open. */
  readonly from: string | null;
  readonly to: string | null;
};

// No visit lies outside.
const FIRST_DAY = '1970-01-01';
const AFTER_LAST_DAY = '2200-01-01';

const untilOf = ({ to }: Days) => (to === null ? AFTER_LAST_DAY : addDays(to, 1));

/** The condition on cells, whose days are of UTC, of dates from `from` to `to`. */
export function isWithinDates({ from, to }: Omit<Days, 'timeZone'>): Condition {
  return {
    sql: 'date >= {fromDate:Date32} and date <= {toDate:Date32}',
    params: { fromDate: from ?? FIRST_DAY, toDate: to ?? AFTER_LAST_DAY },
  };
}

/**
 * The condition on `events` of days, as far back as events are kept. A day may begin at no midnight (where clocks are put
 * forward then), so its date decides; the rest serves the key.
 */
export function isWithinDays(days: Days, state: RollupState): Condition {
  const { timeZone } = days;
  const params = { from: days.from ?? FIRST_DAY, until: untilOf(days), rawFrom: state.rawFrom, timeZone };
  const isKept = `ts >= toDateTime64({rawFrom:Date}, 3, 'UTC')`;
  const [from, until] = [`toDateTime64({from:Date32}, 3, 'UTC')`, `toDateTime64({until:Date32}, 3, 'UTC')`];
  const sql =
    timeZone === 'UTC'
      ? `${isKept} and ts >= ${from} and ts < ${until}`
      : `${isKept} and ts >= ${from} - interval 1 day and ts < ${until} + interval 1 day
    and toDate(ts, {timeZone:String}) >= {from:Date32} and toDate(ts, {timeZone:String}) < {until:Date32}`;
  return { sql, params };
}

/** All conditions at once; parameters of one name are the same. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    params: Object.assign({}, ...conditions.map(({ params }) => params)) as Record<string, unknown>,
  };
}

/** YYYY-MM-DD, in the zone of the days: the first with events, where it is after `from`; its figures may begin within it. */
export function availableFrom({ from, timeZone }: Days, { rawFrom }: RollupState): string | null {
  if (rawFrom === FIRST_DAY) return null;
  const first = hourLabelOf(Date.parse(rawFrom), timeZone).slice(0, 10);
  return from === null || from < first ? first : null;
}
