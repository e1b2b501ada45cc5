import type { ClickHouseClient } from '@clickhouse/client';

/** What ClickHouse has done since it started; a reading counts as a query of the next one. */
export type EngineCounters = {
  /** Statements that read, also those that insert what they read. */
  readonly selects: number;
  /** Time spent in them, each by itself: two at once count twice. */
  readonly selectMs: number;
  readonly rowsRead: number;
};

const COUNTERS = `
select toFloat64(sumIf(value, event = 'SelectQuery')) as selects,
       sumIf(value, event = 'SelectQueryTimeMicroseconds') / 1000 as selectMs,
       toFloat64(sumIf(value, event = 'SelectedRows')) as rowsRead
from system.events`;

/** Returns the engine's own counters. */
export async function readEngineCounters(clickhouse: ClickHouseClient): Promise<EngineCounters> {
  const result = await clickhouse.query({ query: COUNTERS, format: 'JSONEachRow' });
  const [counters] = await result.json<EngineCounters>();
  if (counters === undefined) throw new Error('ClickHouse has no counters');
  return counters;
}
