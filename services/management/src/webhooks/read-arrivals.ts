import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visit-analytics/select-rows';

/** A place in the order of arrival: everything before it has been handed on. */
export type ArrivalCursor = {
  /** By ClickHouse's clock, in ms since 1970. */
  readonly timeMs: number;
  /** The last event of that very time that was handed on; null when none was. */
  readonly eventId: string | null;
};

export type ArrivedVisit = {
  readonly eventId: string;
  readonly arrivedMs: number;
  readonly smartlinkId: string;
  readonly timeMs: number;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback';
  readonly country: string;
  readonly device: string;
  readonly browser: string;
  readonly operatingSystem: string;
  /** A host; '' when there was none. */
  readonly referrer: string;
};

/** Returns what time it is for ClickHouse, in ms since 1970. Rejects after `limitMs`. */
export async function readArrivalClock(clickhouse: ClickHouseClient, limitMs: number): Promise<number> {
  const query = `select toUnixTimestamp64Milli(now64(3)) as nowMs`;
  const [row] = await selectRows<{ nowMs: number }>(clickhouse, query, {}, limitMs);
  if (row === undefined) throw new Error('ClickHouse does not say what time it is');
  return row.nowMs;
}

// Granules without new rows are passed over by arrived_at_minmax. Without `final`: of an event that came twice the later
// row replaces the earlier one at a merge, or not yet. Whichever is left is ahead of the cursor, or was read before.
const ARRIVALS = `
select event_id as eventId, toUnixTimestamp64Milli(arrived_at) as arrivedMs, smartlink_id as smartlinkId,
       toUnixTimestamp64Milli(ts) as timeMs, source, outcome, country, device, browser, os as operatingSystem,
       referrer_host as referrer
from events
where owner_id = {ownerId:UUID} and outcome != 'excluded'
  and arrived_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  and arrived_at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
  and (arrived_at, event_id) > (fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'), {afterId:UUID})
order by arrived_at, event_id
limit {limit:UInt32}`;

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Returns an owner's counted visits that arrived from `from` on and before `untilMs`, in the order of arrival, and where
 * to go on. An event that has come twice may be there twice. Rejects after `limitMs`.
 */
export async function readArrivals(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; from: ArrivalCursor; untilMs: number; limit: number },
  limitMs: number,
): Promise<{
  readonly visits: readonly ArrivedVisit[];
  readonly next: ArrivalCursor;
  readonly isAll: boolean;
}> {
  const { ownerId, from, untilMs, limit } = request;
  const params = {
    ownerId,
    fromMs: from.timeMs,
    untilMs,
    afterId: from.eventId ?? BEFORE_ALL_IDS,
    limit,
  };
  const visits = await selectRows<ArrivedVisit>(clickhouse, ARRIVALS, params, limitMs);
  const last = visits.at(-1);
  const isAll = visits.length < limit || last === undefined;
  const next = isAll ? { timeMs: untilMs, eventId: null } : { timeMs: last.arrivedMs, eventId: last.eventId };
  return { visits, next, isAll };
}
