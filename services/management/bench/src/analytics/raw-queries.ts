import type { ClickHouseClient } from '@clickhouse/client';
import type { BenchLink } from './tenants.js';

// How the service asked before there were rollups: over the rows of `events`, which share the sorting key, with final.

const SERIES = `
with arrayReverseSort(pair -> (pair.2, pair.1), sumMap(referrers_)::Array(Tuple(String, UInt64))) as allReferrers
select date, sum(clicks_) as clicks, sum(scans_) as scans, sum(fallbacks_) as fallbacks,
       sum(visitors_) as uniqueVisitors, sumMap(countries_) as countries, sumMap(devices_) as devices,
       sumMap(browsers_) as browsers, sumMap(systems_) as operatingSystems, sumMap(excluded_) as excluded,
       arraySlice(allReferrers, 1, 100) as topReferrers,
       arraySum(pair -> pair.2, arraySlice(allReferrers, 101)) as otherReferrers
from (
  with outcome != 'excluded' as counted
  select toDate(ts) as date,
         countIf(source = 'click' and counted) as clicks_,
         countIf(source = 'scan' and counted) as scans_,
         countIf(outcome = 'fallback') as fallbacks_,
         uniqExactIf(visitor_id, counted and visitor_id != 0) as visitors_,
         sumMapIf(map(country::String, 1::UInt64), counted) as countries_,
         sumMapIf(map(device::String, 1::UInt64), counted) as devices_,
         sumMapIf(map(browser::String, 1::UInt64), counted) as browsers_,
         sumMapIf(map(os::String, 1::UInt64), counted) as systems_,
         sumMapIf(map(referrer_host::String, 1::UInt64), counted) as referrers_,
         sumMapIf(map(exclusion::String, 1::UInt64), not counted) as excluded_
  from events final
  where owner_id = {ownerId:UUID} and smartlink_id = {smartlinkId:UUID}
  group by date
)
group by date
order by date`;

const TOTALS_OF_OWNER = `
select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
       countIf(outcome = 'fallback') as fallbacks
from events final
where owner_id = {ownerId:UUID} and outcome != 'excluded'
group by smartlink_id`;

const TOTALS_OF = `
select smartlink_id as id, countIf(source = 'click') as clicks, countIf(source = 'scan') as scans,
       countIf(outcome = 'fallback') as fallbacks
from events final
where owner_id = {ownerId:UUID} and smartlink_id in {ids:Array(UUID)} and outcome != 'excluded'
group by smartlink_id`;

/** Asks for a link's days. */
export const askRawSeries = (clickhouse: ClickHouseClient, { ownerId, id }: BenchLink) =>
  ask(clickhouse, SERIES, { ownerId, smartlinkId: id });

/** Asks for the totals of all links of an owner. */
export const askRawTotalsOfOwner = (clickhouse: ClickHouseClient, ownerId: string) =>
  ask(clickhouse, TOTALS_OF_OWNER, { ownerId });

/** Asks for the totals of some links of an owner. */
export const askRawTotalsOf = (clickhouse: ClickHouseClient, ownerId: string, ids: readonly string[]) =>
  ask(clickhouse, TOTALS_OF, { ownerId, ids });

async function ask(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): Promise<void> {
  const result = await clickhouse.query({
    query,
    query_params: params,
    use_multipart_params: true,
    format: 'JSONEachRow',
  });
  await result.json();
}
