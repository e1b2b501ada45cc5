import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './clickhouse.js';
import { IS_CARRIED } from './figures.js';
import { monthOf, MONTHS_UNTIL, NEVER, OWNERS_FROM } from './rollup-progress.js';

/** More late cells than a condition should name: every day from the oldest of them on is open again. */
export const LATE_CELLS_MAX = 5_000;

/** A smartlink's UTC day. */
export type Cell = { readonly ownerId: string; readonly smartlinkId: string; readonly date: string };

/** Where answers take their cells from. One that is some seconds old gives right answers too: it reads more events. */
export type RollupState = {
  /** YYYY-MM-DD: earlier days are rolled up; this one and later ones are computed from `events`. */
  readonly openFrom: string;
  /** YYYY-MM-DD: events of earlier days may be dropped, so their cells are final. */
  readonly rawFrom: string;
  /** YYYY-MM-DD: days from it to before `openFrom` are rolled up by owner too; see shareOutByOwner. */
  readonly ownersFrom: string;
  /** YYYY-MM-01: months before it have sums of smartlinks; those of late cells may not be up to date. */
  readonly monthsUntil: string;
  /** Rolled-up cells with possible late events: also computed from `events`. */
  readonly lateCells: readonly Cell[];
};

/** A state that is at most three seconds old. Rejects after `limitMs`. */
export type RollupStateReader = (limitMs: number) => Promise<RollupState>;

// A state is read again after a second, and callers wait for it after three: together with the delay of an insert, figures
// are at most five seconds old.
const STATE_FRESH_MS = 1_000;
const STATE_AGE_MAX_MS = 3_000;
// Of the shared read; each waiting caller has its own limit.
const ASK_LIMIT_MS = 5_000;

// An aggregate over no row is the state before the first rollup: everything is open.
const FIND_STATE = `
with (select (argMax(open_from, version), max(raw_from), argMax(late_from, version), ${OWNERS_FROM}, ${MONTHS_UNTIL})
      from rollup_state) as state,
     (select (groupUniqArray(${LATE_CELLS_MAX + 1})((owner_id, smartlink_id, toDate(ts))), toDate(min(ts)))
      from events
      where ${isLate({ lateFrom: 'state.3', rawFrom: 'state.2', openFrom: 'state.1' })}) as late
select toString(state.1) as openFrom, toString(state.2) as rawFrom, toString(state.4) as ownersFrom,
       toString(state.5) as monthsUntil,
       arrayMap(cell -> (toString(cell.1), toString(cell.2), toString(cell.3)), late.1) as lateCells,
       toString(late.2) as oldestLate`;

type StateRow = {
  readonly oldestLate: string;
  readonly openFrom: string;
  readonly rawFrom: string;
  readonly ownersFrom: string;
  readonly monthsUntil: string;
  readonly lateCells: readonly (readonly [string, string, string])[];
};

/** The state of the rollup. Rejects after `limitMs`. */
export async function readRollupState(clickhouse: ClickHouseClient, limitMs: number): Promise<RollupState> {
  const [row] = await selectRows<StateRow>(clickhouse, FIND_STATE, {}, limitMs);
  if (row === undefined) throw new Error('ClickHouse did not answer with the state of the rollup');
  const { openFrom, rawFrom, ownersFrom, monthsUntil, oldestLate } = row;
  if (row.lateCells.length > LATE_CELLS_MAX) {
    const lateMonth = monthOf(oldestLate);
    const before = lateMonth < monthsUntil ? lateMonth : monthsUntil;
    return { openFrom: oldestLate, rawFrom, ownersFrom, monthsUntil: before, lateCells: [] };
  }
  const lateCells = row.lateCells.map(([ownerId, smartlinkId, date]) => ({ ownerId, smartlinkId, date }));
  return { openFrom, rawFrom, ownersFrom, monthsUntil, lateCells };
}

/** A reader that queries at most once a second for all callers. `now` is in milliseconds. */
export function createRollupStateReader(clickhouse: ClickHouseClient, now: () => number): RollupStateReader {
  type Asked = { readonly state: Promise<RollupState>; readonly askedAt: number };
  let known: Asked | null = null;
  let asking: Asked | null = null;

  function readState(): Promise<RollupState> {
    if (asking !== null) return asking.state;
    const asked = { state: readRollupState(clickhouse, ASK_LIMIT_MS), askedAt: now() };
    asking = asked;
    asked.state
      .then(() => (known = asked))
      .catch(() => undefined)
      .finally(() => (asking = null));
    return asked.state;
  }

  return (limitMs) => {
    const age = known === null ? Infinity : now() - known.askedAt;
    const asked = age < STATE_FRESH_MS ? null : readState();
    if (known !== null && age < STATE_AGE_MAX_MS) return known.state;
    return withLimit(asked ?? readState(), limitMs);
  };
}

async function withLimit(state: Promise<RollupState>, limitMs: number): Promise<RollupState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The state of the rollup was not known after ${limitMs} ms`));
    }, limitMs);
  });
  return Promise.race([state, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** Parts of a query that read an owner's cells, each from where the state says it is. */
export type CellSources = {
  /** Condition on `visits_daily`. */
  readonly rolledUp: string;
  /** Condition on `events`. */
  readonly raw: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/**
 * The conditions that divide the cells of an owner, or of all, between `visits_daily` and `events`. Imported totals are only in
 * `visits_daily`: no event belongs to their smartlink and day.
 */
export function shareOut(state: RollupState, ownerId: string | null): CellSources {
  const late = state.lateCells.filter((cell) => ownerId === null || cell.ownerId === ownerId);
  const params = { openFrom: state.openFrom };
  const rolledUp = `date < {openFrom:Date}`;
  const raw = `ts >= toDateTime64({openFrom:Date}, 3, 'UTC')`;
  if (late.length === 0) return { rolledUp: `(${rolledUp} or ${IS_CARRIED})`, raw, params };
  const cells = `(select arrayJoin(arrayZip({lateIds:Array(UUID)}, {lateDates:Array(Date)})))`;
  return {
    rolledUp: `(${rolledUp} and (smartlink_id, date) not in ${cells} or ${IS_CARRIED})`,
    raw: `(${raw} or (smartlink_id, toDate(ts)) in ${cells})`,
    params: {
      ...params,
      lateIds: late.map((cell) => cell.smartlinkId),
      lateDates: late.map((cell) => cell.date),
    },
  };
}

/** Parts of a query that reads the figures of a whole account. */
export type OwnerSources = {
  /** Condition on `visits_daily_by_owner`. */
  readonly byOwner: string;
  /** Condition on `visits_daily`: days that have no rows by owner yet. Null once all days have them. */
  readonly rolledUp: string | null;
  /** Condition on `events`. */
  readonly raw: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** The conditions that divide the days of a whole account. A day with a possible late event is read from `events`. */
export function shareOutByOwner(state: RollupState, ownerId: string): OwnerSources {
  const { openFrom, ownersFrom, lateCells } = state;
  const ofOwner = lateCells.filter((cell) => cell.ownerId === ownerId);
  const lateDays = [...new Set(ofOwner.map(({ date }) => date))];
  const isOpen = `ts >= toDateTime64({openFrom:Date}, 3, 'UTC')`;
  const isClosed = lateDays.length === 0 ? 'true' : 'date not in {lateDays:Array(Date)}';
  return {
    byOwner: `date >= {ownersFrom:Date} and (is_carried = 1 or date < {openFrom:Date} and ${isClosed})`,
    rolledUp:
      ownersFrom <= NEVER
        ? null
        : `date < {ownersFrom:Date} and (date < {openFrom:Date} and ${isClosed} or ${IS_CARRIED})`,
    raw: lateDays.length === 0 ? isOpen : `(${isOpen} or toDate(ts) in {lateDays:Array(Date)})`,
    params: { openFrom, ownersFrom, ...(lateDays.length === 0 ? {} : { lateDays }) },
  };
}

/**
 * The condition on events that came, at `lateFrom` or later, for a day before `openFrom` that can still be
 * computed. Each is an expression: of a DateTime, and of Dates.
 */
export function isLate({
  lateFrom,
  rawFrom,
  openFrom,
}: Record<'lateFrom' | 'rawFrom' | 'openFrom', string>): string {
  return `late_at >= ${lateFrom} and late_at > toDateTime(0, 'UTC')
    and ts >= toDateTime64(${rawFrom}, 3, 'UTC') and ts < toDateTime64(${openFrom}, 3, 'UTC')`;
}

const MEASURE_UNROLLED = `
with (select argMax(open_from, version) from rollup_state) as open
select toString(open) as openFrom, toString(toDate(min(ts))) as firstOpen, count() as rows
from events where ts >= open`;

const DAY_MS = 86_400_000;
// A finished day is rolled up within minutes; two may be open around midnight.
const OPEN_DAYS_MAX = 2;

/** How far days are rolled up. `now`: milliseconds since 1970. Rejects after `limitMs`. */
export async function measureRollup(
  clickhouse: ClickHouseClient,
  now: number,
  limitMs: number,
): Promise<{ readonly isLate: boolean; readonly seen: string }> {
  const [row] = await selectRows<{ openFrom: string; firstOpen: string; rows: number }>(
    clickhouse,
    MEASURE_UNROLLED,
    {},
    limitMs,
  );
  if (row === undefined || row.rows === 0) return { isLate: false, seen: 'no visit waits to be rolled up' };
  const days = Math.floor(now / DAY_MS) - Date.parse(`${row.firstOpen}T00:00:00Z`) / DAY_MS;
  const seen = `rolled up to ${row.openFrom}, visits since ${row.firstOpen} wait`;
  return { isLate: days >= OPEN_DAYS_MAX, seen };
}
