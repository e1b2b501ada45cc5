import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { computeCells, computeDays } from './compute-cells.js';
import { forgetAgain } from './forget-visits.js';
import { LATE_CELLS_MAX, isLate } from './late-events.js';
import { dropExpiredEvents } from './retention.js';
import { INSERT_SECONDS_MAX, NEVER, readProgress, saveProgress } from './rollup-progress.js';
import type { RollupProgress, RollupStep } from './rollup-progress.js';
import { STATEMENT_MS_MAX } from './rollup-settings.js';
import type { Cell } from './rollup-state.js';
import { selectRows } from './select-rows.js';

export type RollupOptions = {
  /** Months for which events are kept at least; 0 is for ever. */
  readonly keptMonths: number;
  /** Asked before each step; a rollup that stops goes on where it was at the next call. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Told of each step that took place. */
  readonly report: (step: RollupStep) => void;
};

// In one statement. ClickHouse groups some 500,000 events a second on one core into cells.
const EVENTS_MAX = 5_000_000;
const CELLS_PER_STATEMENT = 500;
// What came late while the server's clock was ahead is looked for so far back.
const CLOCK_WENT_BACK_SECONDS = 86_400;

/**
 * Brings the cells up to what the events say, one call at a time (see rollup-lock.ts): first what was forgotten and has
 * come back is deleted; then those cells are computed that events have come late for, and the days that are over since
 * the last call; then whole months of events that are no longer kept are dropped, all of whose cells are final.
 *
 * Every step computes its cells whole and only then says so in `rollup_state`, so it may be cut off anywhere and
 * repeated: answers read from `events` what that does not vouch for. All times are the server's own. Rejects when
 * ClickHouse fails.
 */
export async function rollUp(clickhouse: ClickHouseClient, options: RollupOptions): Promise<void> {
  const progress = await readProgress(clickhouse);
  await turnBackWithClock(clickhouse, progress);
  await forgetAgain(clickhouse, progress, options);
  await rollUpLateCells(clickhouse, progress, options);
  await rollUpDays(clickhouse, progress, options);
  if (!(await options.mayGoOn())) return;
  await dropExpiredEvents(clickhouse, progress, options);
}

/** A clock that was ahead has closed days that are not over, and would find nothing late until its time has come. */
async function turnBackWithClock(clickhouse: ClickHouseClient, progress: RollupProgress): Promise<void> {
  if (progress.openFrom <= progress.openUntil && progress.lateFromSeconds <= progress.nowSeconds) return;
  if (progress.openFrom > progress.openUntil) progress.openFrom = progress.openUntil;
  progress.lateFromSeconds = Math.min(
    progress.lateFromSeconds,
    progress.nowSeconds - CLOCK_WENT_BACK_SECONDS,
  );
  await saveProgress(clickhouse, progress);
}

async function rollUpLateCells(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  const lateFromSeconds = progress.nowSeconds - INSERT_SECONDS_MAX;
  if (progress.openFrom === NEVER) {
    // Everything is about to be rolled up by the day; what comes late meanwhile is found from here on.
    progress.lateFromSeconds = lateFromSeconds;
    return;
  }
  const cells = await ask<Cell>(clickhouse, LATE_CELLS, progress);
  if (cells.length === 0) return;
  if (cells.length > LATE_CELLS_MAX) {
    const [oldest] = await ask<{ date: string }>(clickhouse, OLDEST_LATE, progress);
    progress.openFrom = oldest?.date ?? progress.openFrom;
  } else {
    for (let i = 0; i < cells.length; i += CELLS_PER_STATEMENT) {
      const [first, ...rest] = cells.slice(i, i + CELLS_PER_STATEMENT);
      if (first === undefined || !(await mayGoOn())) return;
      await computeCells(clickhouse, [first, ...rest]);
    }
  }
  if (!(await mayGoOn())) return;
  progress.lateFromSeconds = Math.max(progress.lateFromSeconds, lateFromSeconds);
  await saveProgress(clickhouse, progress);
  if (cells.length > LATE_CELLS_MAX) report({ kind: 'reopened', from: progress.openFrom });
  else report({ kind: 'late cells', cells: cells.length });
}

const LATE = `from events where ${isLate({
  lateFrom: 'fromUnixTimestamp({lateFromSeconds:UInt32})',
  rawFrom: '{rawFrom:Date}',
  openFrom: '{openFrom:Date}',
})}`;
const OLDEST_LATE = `select toString(toDate(min(ts))) as date ${LATE}`;
const LATE_CELLS = `
select owner_id as ownerId, smartlink_id as smartlinkId, toString(toDate(ts)) as date ${LATE}
group by all
limit ${LATE_CELLS_MAX + 1}`;

const DAYS = `
select toString(toDate(ts)) as date, count() as events
from events
where ts >= toDateTime64({openFrom:Date}, 3, 'UTC') and ts < toDateTime64({openUntil:Date}, 3, 'UTC')
group by date
order by date`;

async function rollUpDays(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn, report }: RollupOptions,
): Promise<void> {
  if (progress.openFrom >= progress.openUntil) return;
  const days = await ask<Day>(clickhouse, DAYS, progress);
  for (const { from, to, events } of gatherDays(days)) {
    const slices = Math.ceil(events / EVENTS_MAX);
    for (let slice = 0; slice < slices; slice++) {
      if (!(await mayGoOn())) return;
      await computeDays(clickhouse, { from, to, slice, slices });
    }
    if (!(await mayGoOn())) return;
    progress.openFrom = addDays(to, 1);
    await saveProgress(clickhouse, progress);
    report({ kind: 'days', from, to, events });
  }
  if (progress.openFrom === progress.openUntil || !(await mayGoOn())) return;
  // Days without events are over as well.
  progress.openFrom = progress.openUntil;
  await saveProgress(clickhouse, progress);
}

type Day = { readonly date: string; readonly events: number };

/** Returns runs of days that hold at most `eventsMax` events together; a day that holds more is one by itself. */
export function gatherDays(
  days: readonly Day[],
  eventsMax = EVENTS_MAX,
): readonly { readonly from: string; readonly to: string; readonly events: number }[] {
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

function ask<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  progress: RollupProgress,
): Promise<readonly Row[]> {
  return selectRows<Row>(clickhouse, query, { ...progress }, STATEMENT_MS_MAX);
}
