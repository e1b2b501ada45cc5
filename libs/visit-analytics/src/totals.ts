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
  const params = { ...sources.params, ownerId, ...(ids === null ? {} : { ids }) };
  const whose = ids === null ? OWN : OWN + OF_IDS;
  // Events without `final`, which reads whatever lies between smartlinks too: of a hundred smartlinks five times the rows.
  // What was sent twice is told by its id.
  const query = `
select id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
from (
  select smartlink_id as id, sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks
  from visits_daily final
  where ${whose} and ${sources.rolledUp}
  group by id
  union all
  select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
         countIf(outcome = 'fallback') as fallbacks
  from (
    select smartlink_id, source, outcome from events
    where ${whose} and ${sources.raw} and outcome != 'excluded'
    limit 1 by event_id
  )
  group by id
)
group by id
having clicks + scans > 0`;
  const rows = await selectRows<TotalsRow>(clickhouse, query, params, limitMs);
  return new Map(rows.map(({ id, clicks, scans, fallbacks }) => [id, { clicks, scans, fallbacks }]));
}

type TotalsRow = Totals & { readonly id: string };

const OWN = 'owner_id = {ownerId:UUID}';
const OF_IDS = ' and smartlink_id in {ids:Array(UUID)}';
