import type { ClickHouseClient } from '@clickhouse/client';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { findRecentVisits } from '@smartlink/visit-analytics/recent-visits';
import type { RecentVisit, VisitCursor } from '@smartlink/visit-analytics/recent-visits';
import type { RollupStateReader } from '@smartlink/visit-analytics/rollup-state';
import { NO_TOTALS, findTotals } from '@smartlink/visit-analytics/totals';
import type { Principal } from '../accounts/accounts.js';
import { ANALYTICS_TIMEOUT_MS, orUnavailable, startLimit } from './availability.js';
import { findSummarised } from './queries.js';

// decisions.md, Analytics.
const LISTED_MAX = 1_000;
const RECENT_MAX = 20;

// Visits are read newest first until twenty belong to smartlinks that are not deleted; somebody who deleted what was
// visited most gets fewer.
const PAGE_ROWS = 200;
const PAGES_MAX = 10;
// A day holds twenty visits of whoever has many; who has few has few rows to look through.
const WINDOWS_MS = [86_400_000, 30 * 86_400_000];
const NEWEST: VisitCursor = {
  timeMs: Date.UTC(2200, 0, 1),
  eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Returns the use case of the summary over an owner's Active and Paused smartlinks. Rejects as analytics do. */
export function createSummaryReader(deps: {
  clickhouse: ClickHouseClient;
  pg: Queryable;
  readState: RollupStateReader;
  now: () => number;
}) {
  const { clickhouse, pg, readState, now } = deps;
  return async ({ userId, email, plan }: Principal): Promise<object> => {
    const smartlinks = await findSummarised(pg, userId);
    const ids = new Set(smartlinks.map(({ id }) => id));
    const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
    const [totals, recent] = await orUnavailable(
      Promise.all([
        readState(leftMs()).then((state) =>
          findTotals(clickhouse, state, { ownerId: userId, ids: null }, leftMs()),
        ),
        findRecent(clickhouse, { ownerId: userId, ids, nowMs: now(), leftMs }),
      ]),
    );
    const summary = {
      totalSmartlinks: smartlinks.length,
      totalClicks: 0,
      totalQrCodeScans: 0,
      totalFallbacks: 0,
    };
    for (const id of ids) {
      const { clicks, scans, fallbacks } = totals.get(id) ?? NO_TOTALS;
      summary.totalClicks += clicks;
      summary.totalQrCodeScans += scans;
      summary.totalFallbacks += fallbacks;
    }
    return {
      user: { id: userId, email, subscription: plan.name },
      summary,
      smartlinks: smartlinks.slice(0, LISTED_MAX).map(({ id, name, type }) => {
        const { clicks, scans } = totals.get(id) ?? NO_TOTALS;
        return { id, name, type, clicks, qrScans: scans };
      }),
      recentActivity: recent.map(toActivity),
    };
  };
}

async function findRecent(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; ids: ReadonlySet<string>; nowMs: number; leftMs: () => number },
): Promise<readonly RecentVisit[]> {
  const { ownerId, ids, nowMs, leftMs } = request;
  const recent: RecentVisit[] = [];
  const windows = WINDOWS_MS.map((windowMs) => nowMs - windowMs);
  let sinceMs = windows.shift() ?? 0;
  let before = NEWEST;
  for (let pages = 0; pages < PAGES_MAX && ids.size > 0; pages += 1) {
    const page = { ownerId, sinceMs, before, limit: PAGE_ROWS };
    const { visits, isAll } = await findRecentVisits(clickhouse, page, leftMs());
    recent.push(...visits.filter((visit) => ids.has(visit.smartlinkId)));
    before = visits.at(-1) ?? before;
    if (recent.length >= RECENT_MAX) break;
    if (!isAll) continue;
    if (sinceMs === 0) break;
    sinceMs = windows.shift() ?? 0;
  }
  return recent.slice(0, RECENT_MAX);
}

function toActivity(visit: RecentVisit): object {
  const { smartlinkId, source, outcome, timeMs, country, device } = visit;
  const action = outcome === 'fallback' ? 'fallback' : source === 'scan' ? 'qr_scan' : 'click';
  return { smartlinkId, action, timestamp: new Date(timeMs).toISOString(), country, device };
}
