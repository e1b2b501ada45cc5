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

// A bound on the time spares most of an owner's rows, and to do without `final` half of the time: of rows that were sent
// twice both come, and lie beside each other.
const RECENT_VISITS = `
select toUnixTimestamp64Milli(ts) as timeMs, event_id as eventId, smartlink_id as smartlinkId, source, outcome,
       country, device
from events
where owner_id = {ownerId:UUID} and outcome != 'excluded'
  and ts >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  and (ts, event_id) < (fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'), {beforeId:UUID})
order by ts desc, event_id desc
limit {limit:UInt32}`;

/**
 * Returns an owner's newest counted visits since `sinceMs` and before `before`, newest first: of `limit` rows, each visit
 * once. With fewer rows than that there are no more. Rejects after `limitMs`.
 */
export async function findRecentVisits(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; sinceMs: number; before: VisitCursor; limit: number },
  limitMs: number,
): Promise<{ readonly visits: readonly RecentVisit[]; readonly isAll: boolean }> {
  const { ownerId, sinceMs, before, limit } = request;
  const params = { ownerId, sinceMs, beforeMs: before.timeMs, beforeId: before.eventId, limit };
  const rows = await selectRows<RecentVisit>(clickhouse, RECENT_VISITS, params, limitMs);
  return {
    visits: rows.filter((row, i) => row.eventId !== rows[i - 1]?.eventId),
    isAll: rows.length < limit,
  };
}
