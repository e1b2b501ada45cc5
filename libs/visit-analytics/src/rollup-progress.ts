import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './select-rows.js';

/** How far the roll-up has come, as `rollup_state` says, and the server's time when it was read. */
export type RollUpProgress = {
  /** YYYY-MM-DD, UTC: days before it have all their cells. */
  openFrom: string;
  /** YYYY-MM-DD, UTC: days before it may have lost their events, and their cells are final. */
  rawFrom: string;
  /** Seconds since 1970: events that came late before this are in the cells. */
  lateFromSeconds: number;
  readonly nowSeconds: number;
  readonly today: string;
  /** The first day whose events may still be on their way into the table without being late. */
  readonly openUntil: string;
};

/** What a roll-up has done. */
export type RollUpStep =
  | { readonly kind: 'days'; readonly from: string; readonly to: string; readonly events: number }
  | { readonly kind: 'late cells'; readonly cells: number }
  | { readonly kind: 'reopened'; readonly from: string }
  | { readonly kind: 'dropped'; readonly month: string };

/** The `openFrom` of an instance that has never rolled anything up. */
export const NEVER = '1970-01-01';

/**
 * An insert has its time before its rows can be seen. The shipper gives one up after a minute and sends it again, as a
 * later one; whatever took longer than this has been sent again.
 */
export const INSERT_SECONDS_MAX = 90;

/** No statement of a roll-up takes longer. */
export const STATEMENT_MS_MAX = 600_000;

/** What statements of a roll-up are run with. */
export const ROLL_UP_SETTINGS = {
  async_insert: 0,
  deduplicate_insert: 'disable',
  max_execution_time: STATEMENT_MS_MAX / 1_000,
  do_not_merge_across_partitions_select_final: 1,
  // A day of a very busy instance goes to the disk rather than beyond the memory.
  max_bytes_before_external_group_by: '1000000000',
} as const;

const READ = `
select toString(argMax(open_from, version)) as openFrom, toString(argMax(raw_from, version)) as rawFrom,
       toUnixTimestamp(argMax(late_from, version)) as lateFromSeconds,
       toUnixTimestamp(now()) as nowSeconds, toString(toDate(now('UTC'))) as today,
       toString(toDate(now('UTC') - interval ${INSERT_SECONDS_MAX} second)) as openUntil
from rollup_state`;

const SAVE = `
insert into rollup_state (id, open_from, raw_from, late_from, version)
select 1, {openFrom:Date}, {rawFrom:Date}, fromUnixTimestamp({lateFrom:UInt32}), toUnixTimestamp64Micro(now64(6))`;

export async function readProgress(clickhouse: ClickHouseClient): Promise<RollUpProgress> {
  const [progress] = await selectRows<RollUpProgress>(clickhouse, READ, {}, STATEMENT_MS_MAX);
  if (progress === undefined) throw new Error('ClickHouse did not answer with the state of the roll-up');
  return progress;
}

/** The newest row counts, so there is always one. */
export async function saveProgress(clickhouse: ClickHouseClient, progress: RollUpProgress): Promise<void> {
  const { openFrom, rawFrom, lateFromSeconds } = progress;
  await clickhouse.command({
    query: SAVE,
    query_params: { openFrom, rawFrom, lateFrom: lateFromSeconds },
    clickhouse_settings: ROLL_UP_SETTINGS,
  });
}
