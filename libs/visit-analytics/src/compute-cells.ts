import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { CELL_FIGURES, CELL_MEMBERS } from './figures.js';
import { nextVersion } from './rollup-progress.js';
import { ROLLUP_SETTINGS, newWriterId } from './rollup-settings.js';
import type { Cell } from './rollup-state.js';

/** Days (YYYY-MM-DD, both included), or one of `slices` parts of their smartlinks. */
export type DaySlice = {
  readonly from: string;
  readonly to: string;
  readonly slice: number;
  readonly slices: number;
};

/** Computes all cells of a slice of days. Rejects when ClickHouse fails. */
export async function computeDays(
  clickhouse: ClickHouseClient,
  { from, to, slice, slices }: DaySlice,
): Promise<void> {
  const which = slices === 1 ? 'true' : 'cityHash64(smartlink_id) % {slices:UInt32} = {slice:UInt32}';
  await compute(clickhouse, which, { from, until: addDays(to, 1), slice, slices });
}

/** Computes these cells, at least one and a few hundred at most. Rejects when ClickHouse fails. */
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
insert into visits_daily (owner_id, smartlink_id, date, ${CELL_MEMBERS}, version)
with ${nextVersion('(select max(version) from rollup_state)')} as version
select owner_id, smartlink_id, date, ${CELL_MEMBERS}, version
from (
  select owner_id, smartlink_id, toDate(ts) as date, ${CELL_FIGURES}
  from events final
  where ts >= toDateTime64({from:Date}, 3, 'UTC') and ts < toDateTime64({until:Date}, 3, 'UTC') and ${which}
  group by owner_id, smartlink_id, date
)`,
    query_id: newWriterId(),
    query_params: params,
    use_multipart_params: true,
    clickhouse_settings: ROLLUP_SETTINGS,
  });
}
