import type { ClickHouseClient } from '@clickhouse/client';
import type { Totals } from './analytics.js';

// Every query names owner_id first, as the sorting key of `events` does, and reads with final: a row that was sent
// twice is one visit. Excluded visits count nowhere but in `excluded`.

const TOTALS_OF = `
select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
       countIf(outcome = 'fallback') as fallbacks
from events final
where owner_id = {ownerId:UUID} and smartlink_id in {ids:Array(UUID)} and outcome != 'excluded'
group by smartlink_id`;

const TOTALS_OF_OWNER = `
select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
       countIf(outcome = 'fallback') as fallbacks
from events final
where owner_id = {ownerId:UUID} and outcome != 'excluded'
group by smartlink_id`;

/** Returns the totals of those of `ids` that were visited. Rejects after `limitMs`. */
export async function findTotalsOf(
  clickhouse: ClickHouseClient,
  ownerId: string,
  ids: readonly string[],
  limitMs: number,
): Promise<ReadonlyMap<string, Totals>> {
  return toTotals(await select<TotalsRow>(clickhouse, TOTALS_OF, { ownerId, ids }, limitMs));
}

/** Returns the totals of all of an owner's smartlinks that were visited. Rejects after `limitMs`. */
export async function findTotalsOfOwner(
  clickhouse: ClickHouseClient,
  ownerId: string,
  limitMs: number,
): Promise<ReadonlyMap<string, Totals>> {
  return toTotals(await select<TotalsRow>(clickhouse, TOTALS_OF_OWNER, { ownerId }, limitMs));
}

type TotalsRow = Totals & { readonly id: string };

function toTotals(rows: readonly TotalsRow[]): ReadonlyMap<string, Totals> {
  return new Map(rows.map(({ id, clicks, scans, fallbacks }) => [id, { clicks, scans, fallbacks }]));
}

/** Returns the rows of a query; the server stops it, and the client gives up, after `limitMs`. */
async function select<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  limitMs: number,
): Promise<readonly Row[]> {
  const result = await clickhouse.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(limitMs),
    clickhouse_settings: { max_execution_time: limitMs / 1000 },
  });
  return result.json<Row>();
}
