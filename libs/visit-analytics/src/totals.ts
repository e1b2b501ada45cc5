import type { ClickHouseClient } from '@clickhouse/client';
import { shareOut } from './rollup-state.js';
import type { RollupState } from './rollup-state.js';
import { selectRows } from './select-rows.js';

/** Counted visits of one smartlink over all time; fallbacks are among the clicks and scans. */
export type Totals = { readonly clicks: number; readonly scans: number; readonly fallbacks: number };

/** Never visited. */
export const NO_TOTALS: Totals = { clicks: 0, scans: 0, fallbacks: 0 };

/**
 * Returns the totals of those of an owner's smartlinks that were visited: of `ids`, or of all when it is null. Rejects
 * after `limitMs`.
 */
export async function findTotals(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: { readonly ownerId: string; readonly ids: readonly string[] | null },
  limitMs: number,
): Promise<ReadonlyMap<string, Totals>> {
  const { ownerId, ids } = request;
  const sources = shareOut(state, ownerId);
  const which = `owner_id = {ownerId:UUID}${ids === null ? '' : ' and smartlink_id in {ids:Array(UUID)}'}`;
  const query = `
select id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
from (
  select smartlink_id as id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
  from visits_daily final
  where ${which} and ${sources.rolledUp}
  group by id
  union all
  select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
         countIf(outcome = 'fallback') as fallbacks
  from events final
  where ${which} and ${sources.raw} and outcome != 'excluded'
  group by id
)
group by id
having clicks + scans > 0`;
  const params = { ...sources.params, ownerId, ...(ids === null ? {} : { ids }) };
  const rows = await selectRows<Totals & { readonly id: string }>(clickhouse, query, params, limitMs);
  return new Map(rows.map(({ id, clicks, scans, fallbacks }) => [id, { clicks, scans, fallbacks }]));
}
