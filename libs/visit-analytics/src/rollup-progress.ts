import type { ClickHouseClient } from '@clickhouse/client';
import { ROLLUP_SETTINGS, STATEMENT_MS_MAX } from './rollup-settings.js';
import { selectRows } from './select-rows.js';

/** How far the rollup has come, as `rollup_state` says, and the server's time when it was read. */
export type RollupProgress = {
  /** YYYY-MM-DD, UTC: days before it have all their cells. */
  openFrom: string;
  /** YYYY-MM-DD, UTC: days before it may have lost their events, and their cells are final. It never goes back. */
  rawFrom: string;
  /** Seconds since 1970 when `rawFrom` became what it is. */
  rawFromSetSeconds: number;
  /** Seconds since 1970: events that came late before this are in the cells. */
  lateFromSeconds: number;
  readonly nowSeconds: number;
  readonly today: string;
  /** The first day whose events may still be on their way into the table without being late. */
  readonly openUntil: string;
};

/** What a rollup has done. */
export type RollupStep =
  | { readonly kind: 'days'; readonly from: string; readonly to: string; readonly events: number }
  | { readonly kind: 'late cells'; readonly cells: number }
  | { readonly kind: 'reopened'; readonly from: string }
  | { readonly kind: 'dropped'; readonly month: string };

/** The `openFrom` of an instance that has never rolled anything up. */
export const NEVER = '1970-01-01';

/**
 * An insert has its time before its rows can be seen. The shipper and the server give one up within a minute, and it is
 * sent again, as a later one.
 */
export const INSERT_SECONDS_MAX = 90;

const READ = `
select toString(argMax(open_from, version)) as openFrom, toString(max(raw_from)) as rawFrom,
       toUnixTimestamp(argMax(raw_from_set_at, (raw_from, version))) as rawFromSetSeconds,
       toUnixTimestamp(argMax(late_from, version)) as lateFromSeconds,
       toUnixTimestamp(now()) as nowSeconds, toString(toDate(now('UTC'))) as today,
       toString(toDate(now('UTC') - interval ${INSERT_SECONDS_MAX} second)) as openUntil
from rollup_state`;

// Newer than all others also when the server's clock was ahead for a while.
const SAVE = `
insert into rollup_state (id, open_from, raw_from, raw_from_set_at, late_from, version)
select 1, {openFrom:Date}, greatest({rawFrom:Date}, max(raw_from)), fromUnixTimestamp({rawFromSetSeconds:UInt32}),
       fromUnixTimestamp({lateFromSeconds:UInt32}), ${nextVersion('max(version)')}
from rollup_state`;

/** Returns the expression of a version, in microseconds since 1970, that is newer than `newest`. */
export function nextVersion(newest: string): string {
  return `greatest(toUInt64(toUnixTimestamp64Micro(now64(6))), ${newest} + 1)`;
}

/** Returns how far the rollup has come. Rejects when ClickHouse fails. */
export async function readProgress(clickhouse: ClickHouseClient): Promise<RollupProgress> {
  const [progress] = await selectRows<RollupProgress>(clickhouse, READ, {}, STATEMENT_MS_MAX);
  if (progress === undefined) throw new Error('ClickHouse did not answer with the state of the rollup');
  return progress;
}

/** Writes it down. The newest row counts, so there is always one. */
export async function saveProgress(clickhouse: ClickHouseClient, progress: RollupProgress): Promise<void> {
  await clickhouse.command({ query: SAVE, query_params: progress, clickhouse_settings: ROLLUP_SETTINGS });
}
