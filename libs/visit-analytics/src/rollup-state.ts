import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './select-rows.js';

/** A smartlink's UTC day. */
export type Cell = { readonly ownerId: string; readonly smartlinkId: string; readonly date: string };

/** Where answers take their cells from. Older knowledge of it gives right answers too: it only reads more raw rows. */
export type RollupState = {
  /** YYYY-MM-DD: earlier days are rolled up; this one and later ones are computed from `events`. */
  readonly openFrom: string;
  /** YYYY-MM-DD: earlier days may have lost their events, and what is rolled up stays as it is. */
  readonly rawFrom: string;
  /** Rolled-up cells that events may have come for since: computed from `events` too. */
  readonly lateCells: readonly Cell[];
};

/** Returns the state as it is now, or an earlier one of this process that is at most STATE_AGE_MAX_MS old. */
export type RollupStateReader = (limitMs: number) => Promise<RollupState>;

// More cells than a condition should name. Then every day from the oldest of them on is read raw.
const LATE_CELLS_MAX = 5_000;
// With what an event needs to get into the table, well within the five seconds that figures may be old.
const STATE_AGE_MAX_MS = 1_000;

// An aggregate over no row is the state before the first roll-up: everything is open.
const FIND_STATE = `
with (select (argMax(open_from, version), argMax(raw_from, version), argMax(late_from, version))
      from rollup_state) as state,
     (select (groupUniqArray(${LATE_CELLS_MAX + 1})((owner_id, smartlink_id, toDate(ts))), toDate(min(ts)))
      from events
      where late_at >= state.3 and late_at > toDateTime(0, 'UTC')
        and ts >= toDateTime64(state.2, 3, 'UTC') and ts < toDateTime64(state.1, 3, 'UTC')) as late
select toString(state.1) as openFrom, toString(state.2) as rawFrom,
       arrayMap(cell -> (toString(cell.1), toString(cell.2), toString(cell.3)), late.1) as lateCells,
       toString(late.2) as oldestLate`;

type StateRow = {
  readonly oldestLate: string;
  readonly openFrom: string;
  readonly rawFrom: string;
  readonly lateCells: readonly (readonly [string, string, string])[];
};

/** Returns the state of the roll-up. Rejects after `limitMs`. */
export async function readRollupState(clickhouse: ClickHouseClient, limitMs: number): Promise<RollupState> {
  const [row] = await selectRows<StateRow>(clickhouse, FIND_STATE, {}, limitMs);
  if (row === undefined) throw new Error('ClickHouse did not answer with the state of the roll-up');
  const { openFrom, rawFrom, oldestLate } = row;
  if (row.lateCells.length > LATE_CELLS_MAX) return { openFrom: oldestLate, rawFrom, lateCells: [] };
  const lateCells = row.lateCells.map(([ownerId, smartlinkId, date]) => ({ ownerId, smartlinkId, date }));
  return { openFrom, rawFrom, lateCells };
}

/** Returns a reader that asks at most once a second. `now` is in milliseconds. */
export function createRollupStateReader(clickhouse: ClickHouseClient, now: () => number): RollupStateReader {
  let known: { readonly state: Promise<RollupState>; readonly askedAt: number } | null = null;
  return (limitMs) => {
    if (known !== null && now() < known.askedAt + STATE_AGE_MAX_MS) return known.state;
    const asked = { state: readRollupState(clickhouse, limitMs), askedAt: now() };
    known = asked;
    asked.state.catch(() => {
      if (known === asked) known = null;
    });
    return asked.state;
  };
}

/** Parts of a query that read an owner's cells, each from where the state says it is. */
export type CellSources = {
  /** Condition on `visits_daily`. */
  readonly rolledUp: string;
  /** Condition on `events`. */
  readonly raw: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** Returns the conditions that share an owner's cells out between `visits_daily` and `events`. */
export function shareOut(state: RollupState, ownerId: string): CellSources {
  const late = state.lateCells.filter((cell) => cell.ownerId === ownerId);
  const params = { openFrom: state.openFrom };
  const rolledUp = `date < {openFrom:Date}`;
  const raw = `ts >= toDateTime64({openFrom:Date}, 3, 'UTC')`;
  if (late.length === 0) return { rolledUp, raw, params };
  const cells = `(select arrayJoin(arrayZip({lateIds:Array(UUID)}, {lateDates:Array(Date)})))`;
  return {
    rolledUp: `${rolledUp} and (smartlink_id, date) not in ${cells}`,
    raw: `(${raw} or (smartlink_id, toDate(ts)) in ${cells})`,
    params: {
      ...params,
      lateIds: late.map((cell) => cell.smartlinkId),
      lateDates: late.map((cell) => cell.date),
    },
  };
}
