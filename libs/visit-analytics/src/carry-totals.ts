import type { ClickHouseClient } from '@clickhouse/client';
import { CARRIED_NOW } from './carried-cells.js';
import { ROLLUP_SETTINGS, newWriterId } from './rollup-settings.js';
import type { Totals } from './totals.js';

/** What a smartlink counted elsewhere, before it came here. */
export type CarriedTotals = Totals & {
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** YYYY-MM-DD, UTC, from 1970: the day they are shown at. No visit to the smartlink may ever be counted at it. */
  readonly date: string;
};

// They are counted visits of which nothing else is known; referrers that no host accounts for are `other` (nameReferrers).
// Ids travel as three arrays of the same length.
const CARRY = `
insert into visits_daily (owner_id, smartlink_id, date, clicks, scans, fallbacks, visitors,
                          countries, devices, browsers, operating_systems, referrers, excluded, version)
with toUInt64(row.4 + row.5) as counted
select row.1, row.2, row.3, row.4, row.5, row.6, 0,
       map('XX', counted), map('other', counted), map('other', counted), map('other', counted), map(), map(), ${CARRIED_NOW}
from (
  select arrayJoin(arrayZip({ownerIds:Array(UUID)}, {smartlinkIds:Array(UUID)}, {dates:Array(Date)},
                            {clicks:Array(UInt64)}, {scans:Array(UInt64)}, {fallbacks:Array(UInt64)})) as row
)`;

/**
 * Adds what smartlinks counted elsewhere to their figures, each as one cell; some thousand at most. The same totals carried
 * again change nothing. Rejects when ClickHouse fails, and after `limitMs`.
 */
export async function carryTotals(
  clickhouse: ClickHouseClient,
  totals: readonly CarriedTotals[],
  limitMs: number,
): Promise<void> {
  if (totals.length === 0) return;
  await clickhouse.command({
    query: CARRY,
    // Whoever deletes figures waits for it.
    query_id: newWriterId(),
    query_params: {
      ownerIds: totals.map(({ ownerId }) => ownerId),
      smartlinkIds: totals.map(({ smartlinkId }) => smartlinkId),
      dates: totals.map(({ date }) => date),
      clicks: totals.map(({ clicks }) => clicks),
      scans: totals.map(({ scans }) => scans),
      fallbacks: totals.map(({ fallbacks }) => fallbacks),
    },
    use_multipart_params: true,
    abort_signal: AbortSignal.timeout(limitMs),
    clickhouse_settings: { ...ROLLUP_SETTINGS, max_execution_time: limitMs / 1_000 },
  });
}
