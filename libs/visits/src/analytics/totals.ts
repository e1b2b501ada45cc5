import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './clickhouse.js';
import { IS_CARRIED } from './figures.js';
import { type RollupState, shareOut, shareOutByOwner } from './rollup-state.js';
import type { Totals } from './series.js';

/** A smartlink that was visited. */
export type VisitedLink = {
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** ms since 1970; 0 for a smartlink that has imported totals only. */
  readonly lastVisitMs: number;
};

/** A part of all smartlinks, by a hash of their ids. */
export type Slice = { readonly slice: number; readonly slices: number };

const OF_SLICE = 'cityHash64(smartlink_id) % {slices:UInt32} = {slice:UInt32}';

// Of days whose events are dropped the midnight is known.
const findVisitedQuery = (sinceMs: number | null): string => `
select owner_id as ownerId, smartlink_id as smartlinkId, max(last) as lastVisitMs
from (
  select owner_id, smartlink_id, toUnixTimestamp64Milli(max(ts)) as last
  from events
  where arrived_at >= fromUnixTimestamp64Milli({sinceMs:Int64}) and outcome != 'excluded' and ${OF_SLICE}
  group by owner_id, smartlink_id
  ${
    sinceMs !== null
      ? ''
      : `union all
  select owner_id, smartlink_id, toInt64(max(if(${IS_CARRIED}, 0, toUnixTimestamp(toDateTime(date, 'UTC'))))) * 1000 as last
  from visits_daily
  where clicks + scans > 0 and ${OF_SLICE}
  group by owner_id, smartlink_id`
  }
)
group by owner_id, smartlink_id`;

/** The smartlinks whose visits have arrived since `sinceMs`; null: all that were ever visited. Rejects after `limitMs`. */
export function findVisitedLinks(
  clickhouse: ClickHouseClient,
  { sinceMs, ...part }: Slice & { readonly sinceMs: number | null },
  limitMs: number,
): Promise<readonly VisitedLink[]> {
  const params = { sinceMs: sinceMs ?? 0, ...part };
  return selectRows<VisitedLink>(clickhouse, findVisitedQuery(sinceMs), params, limitMs);
}

/** The server's time, and about how many smartlinks findVisitedLinks would find. Rejects after `limitMs`. */
export async function countVisitedLinks(
  clickhouse: ClickHouseClient,
  sinceMs: number | null,
  limitMs: number,
): Promise<{ readonly links: number; readonly nowMs: number }> {
  const [row] = await selectRows<{ links: number; nowMs: number }>(
    clickhouse,
    `select uniq(smartlink_id) as links, toUnixTimestamp64Milli(now64(3)) as nowMs
     from (select smartlink_id from events where arrived_at >= fromUnixTimestamp64Milli({sinceMs:Int64})
           ${sinceMs === null ? 'union all select smartlink_id from visits_daily' : ''})`,
    { sinceMs: sinceMs ?? 0 },
    limitMs,
  );
  if (row === undefined) throw new Error('ClickHouse did not answer with the number of visited links');
  return row;
}

/** Most smartlinks of findTotalsOf: a server takes 128 KiB in a parameter, the embedded engine 256 KiB in all of them. */
export const VISITED_LINKS_MAX = 2_000;

/** The totals of smartlinks of any owners, as findTotals has them. Rejects after `limitMs`. */
export async function findTotalsOf(
  clickhouse: ClickHouseClient,
  state: RollupState,
  links: readonly VisitedLink[],
  limitMs: number,
): Promise<ReadonlyMap<string, Totals>> {
  const ids = new Set(links.map(({ smartlinkId }) => smartlinkId));
  const lateCells = state.lateCells.filter(({ smartlinkId }) => ids.has(smartlinkId));
  const sources = shareOut({ ...state, lateCells }, null);
  const params = {
    ...sources.params,
    ownerIds: [...new Set(links.map(({ ownerId }) => ownerId))],
    ids: [...ids],
  };
  const which = 'owner_id in {ownerIds:Array(UUID)} and smartlink_id in {ids:Array(UUID)}';
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
group by id`;
  const rows = await selectRows<Totals & { readonly id: string }>(clickhouse, query, params, limitMs);
  return new Map(rows.map(({ id, clicks, scans, fallbacks }) => [id, { clicks, scans, fallbacks }]));
}

const COUNTS = 'sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks';

/** The totals of all of an owner's smartlinks together, deleted ones too. Rejects after `limitMs`. */
export async function findAccountTotals(
  clickhouse: ClickHouseClient,
  state: RollupState,
  ownerId: string,
  limitMs: number,
): Promise<Totals> {
  const { byOwner, rolledUp, raw, params } = shareOutByOwner(state, ownerId);
  const ofOwner = 'owner_id = {ownerId:UUID}';
  const query = `
select ${COUNTS}
from (
  select clicks, scans, fallbacks from visits_daily_by_owner final where ${ofOwner} and ${byOwner}
  ${
    rolledUp === null
      ? ''
      : `union all
  select clicks, scans, fallbacks from visits_daily final where ${ofOwner} and ${rolledUp}`
  }
  union all
  select countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
         countIf(outcome = 'fallback') as fallbacks
  from (
    select source, outcome from events where ${ofOwner} and ${raw} and outcome != 'excluded' limit 1 by event_id
  )
)`;
  const [row] = await selectRows<Totals>(clickhouse, query, { ...params, ownerId }, limitMs);
  if (row === undefined) throw new Error('ClickHouse did not answer with the totals of an account');
  return row;
}
