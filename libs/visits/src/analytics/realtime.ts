import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './clickhouse.js';
import { eventValue } from './figures.js';
import { allOf, isSelected, passesFilters, type Selection, type VisitFilters } from './selection.js';

/** Visits by value, the most first, at most ten. */
type Top = readonly (readonly [value: string, visits: number])[];

export type Realtime = {
  readonly visits: number;
  /** By the start of the minute, in seconds since 1970. */
  readonly clicks: Readonly<Record<string, number>>;
  readonly scans: Readonly<Record<string, number>>;
  readonly smartlinks: Top;
  readonly countries: Top;
  readonly devices: Top;
  readonly referrers: Top;
};

const VALUES_MAX = 10;
// An event arrives after its visit, by ClickHouse's clock; the hosts' clocks may differ by as much.
const CLOCKS_DIFFER_MINUTES_MAX = 10;

const counted = (value: string) => `sumMap(map(${value}, toUInt64(1)))`;
// By visits descending, then by value.
const largest = (value: string) => `
  arraySlice(arraySort(pair -> (-toInt64(pair.2), pair.1), CAST(${counted(`toString(${value})`)}, 'Array(Tuple(String, UInt64))')),
             1, ${VALUES_MAX})`;

/** Counted visits from `fromMs` to before `untilMs` (since 1970). Rejects after `limitMs`. */
export async function findRealtime(
  clickhouse: ClickHouseClient,
  request: {
    readonly selection: Selection;
    readonly filters: VisitFilters;
    readonly fromMs: number;
    readonly untilMs: number;
  },
  limitMs: number,
): Promise<Realtime> {
  const { fromMs, untilMs } = request;
  const { sql, params } = allOf(isSelected(request.selection), passesFilters(request.filters), {
    // The index of arrival times skips nearly all other rows.
    sql: `ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') and ts < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
    and arrived_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') - interval ${CLOCKS_DIFFER_MINUTES_MAX} minute`,
    params: { fromMs, untilMs },
  });
  // Without `final`, which would read all visits of the smartlinks. Rows that were sent twice are recognised by their id.
  const query = `
select count() as visits,
  sumMapIf(map(minute, toUInt64(1)), source = 'click') as clicks,
  sumMapIf(map(minute, toUInt64(1)), source = 'scan') as scans,
  ${largest('smartlink_id')} as smartlinks,
  ${largest('country')} as countries,
  ${largest('device')} as devices,
  ${largest(eventValue('referrer'))} as referrers
from (
  select toUnixTimestamp(toStartOfMinute(ts)) as minute, source, smartlink_id, country, device, referrer_host
  from events
  where ${sql} and outcome != 'excluded'
  limit 1 by event_id
)`;
  const [found] = await selectRows<Realtime>(clickhouse, query, params, limitMs);
  if (found === undefined) throw new Error('ClickHouse did not answer with the visits of the last minutes');
  return found;
}
