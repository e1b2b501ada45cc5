import type { ClickHouseClient } from '@clickhouse/client';
import { ROLLUP_SETTINGS, newWriterId, selectRows } from './clickhouse.js';
import { CARRIED_NOW } from './figures.js';
import { carryByOwner } from './owner-cells.js';
import type { Totals } from './series.js';

/** Imported totals of a smartlink. */
export type CarriedTotals = Totals & {
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** YYYY-MM-DD, UTC, from 1970: the day they are shown at. No visit to the smartlink may ever be counted at it. */
  readonly date: string;
};

/**
 * Adds imported totals to smartlinks' figures, one cell each; ten thousand at most. Idempotent. Rejects after `limitMs`.
 */
export async function carryTotals(
  clickhouse: ClickHouseClient,
  totals: readonly CarriedTotals[],
  limitMs: number,
): Promise<void> {
  if (totals.length === 0) return;
  const query = `select toString(${CARRIED_NOW}) as version`;
  const [row] = await selectRows<{ version: string }>(clickhouse, query, {}, limitMs);
  if (row === undefined) throw new Error('ClickHouse did not answer with its time');
  const cells = totals.map((one) => toCell(one, row.version));
  await clickhouse.insert({
    table: 'visits_daily',
    columns: Object.keys(cells[0] ?? {}) as [string, ...string[]],
    values: cells,
    format: 'JSONEachRow',
    // waitForWriters knows it by this id.
    query_id: newWriterId(),
    abort_signal: AbortSignal.timeout(limitMs),
    clickhouse_settings: { ...ROLLUP_SETTINGS, wait_end_of_query: 1, max_execution_time: limitMs / 1_000 },
  });
  await carryByOwner(clickhouse, totals, limitMs);
}

/** Referrers without a host are counted as `other` by nameValues. */
function toCell({ ownerId, smartlinkId, date, clicks, scans, fallbacks }: CarriedTotals, version: string) {
  const visits = clicks + scans;
  return {
    owner_id: ownerId,
    smartlink_id: smartlinkId,
    date,
    clicks,
    scans,
    fallbacks,
    visitors: 0,
    countries: { XX: visits },
    devices: { other: visits },
    browsers: { other: visits },
    operating_systems: { other: visits },
    referrers: {},
    excluded: {},
    version,
  };
}
