import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { newWriterId, ROLLUP_SETTINGS } from './clickhouse.js';
import { cellsOfEvents, STORED_LINK_MEMBERS } from './figures.js';
import { computeOwnersFromEvents, newVersion } from './owner-cells.js';
import { nextVersion } from './rollup-progress.js';
import type { Cell } from './rollup-state.js';

/** Events in one statement. ClickHouse groups some 500,000 a second on one core into cells. */
export const EVENTS_MAX = 2_000_000;

export type Day = { readonly date: string; readonly events: number };

/** Runs of days with at most `eventsMax` events in total; a larger day is a run of its own. */
export function gatherDays(days: readonly Day[], eventsMax = EVENTS_MAX): readonly Run[] {
  const runs: { from: string; to: string; events: number }[] = [];
  for (const { date, events } of days) {
    const last = runs.at(-1);
    if (last !== undefined && last.events + events <= eventsMax) {
      last.to = date;
      last.events += events;
    } else runs.push({ from: date, to: date, events });
  }
  return runs;
}

/** Days (YYYY-MM-DD, both included), or one of `slices` parts of their smartlinks. */
type DaySlice = {
  readonly from: string;
  readonly to: string;
  readonly slice: number;
  readonly slices: number;
};

async function computeDays(
  clickhouse: ClickHouseClient,
  { from, to, slice, slices }: DaySlice,
  version: string,
): Promise<void> {
  const partOf = (column: string) =>
    slices === 1 ? 'true' : `cityHash64(${column}) % {slices:UInt32} = {slice:UInt32}`;
  const params = { from, until: addDays(to, 1), slice, slices };
  await computeOwnersFromEvents(clickhouse, { sql: `${OF_DAYS} and ${partOf('owner_id')}`, params, version });
  await compute(clickhouse, partOf('smartlink_id'), params);
}

export type Run = { readonly from: string; readonly to: string; readonly events: number };

/** Computes all cells of some days, in slices of EVENTS_MAX; resolves with false when it may not go on. */
export async function computeRun(
  clickhouse: ClickHouseClient,
  { from, to, events }: Run,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  const version = await newVersion(clickhouse);
  const slices = Math.ceil(events / EVENTS_MAX);
  for (let slice = 0; slice < slices; slice++) {
    if (!(await mayGoOn())) return false;
    await computeDays(clickhouse, { from, to, slice, slices }, version);
  }
  return true;
}

const OF_DAYS = `ts >= toDateTime64({from:Date}, 3, 'UTC') and ts < toDateTime64({until:Date}, 3, 'UTC')`;

/** Most cells of computeCells. */
export const CELLS_PER_STATEMENT = 500;

/** Computes some hundred cells at most. */
export async function computeCells(
  clickhouse: ClickHouseClient,
  cells: readonly [Cell, ...Cell[]],
): Promise<void> {
  const dates = cells.map(({ date }) => date).toSorted();
  const [first = cells[0].date] = dates;
  await compute(
    clickhouse,
    `owner_id in {ownerIds:Array(UUID)} and smartlink_id in {smartlinkIds:Array(UUID)}
     and (smartlink_id, toDate(ts)) in (select arrayJoin(arrayZip({smartlinkIds:Array(UUID)}, {dates:Array(Date)})))`,
    {
      from: first,
      until: addDays(dates.at(-1) ?? first, 1),
      ownerIds: [...new Set(cells.map(({ ownerId }) => ownerId))],
      smartlinkIds: cells.map(({ smartlinkId }) => smartlinkId),
      dates: cells.map(({ date }) => date),
    },
  );
}

/** Computes the cells of the days from `from` to before `until`, of the events that `which` chooses. */
async function compute(
  clickhouse: ClickHouseClient,
  which: string,
  params: Record<string, unknown> & { from: string; until: string },
): Promise<void> {
  await clickhouse.command({
    query: `
insert into visits_daily (owner_id, smartlink_id, date, ${STORED_LINK_MEMBERS}, version)
with ${nextVersion('(select max(version) from rollup_state)')} as version
select owner_id, smartlink_id, date, ${STORED_LINK_MEMBERS}, version
from (${cellsOfEvents(`${OF_DAYS} and ${which}`)}
)`,
    query_id: newWriterId(),
    query_params: params,
    use_multipart_params: true,
    clickhouse_settings: ROLLUP_SETTINGS,
  });
}
