import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import type { Interval } from './calendar.js';
import { selectRows } from './select-rows.js';

/** What was counted in one interval, or over all time. Maps count clicks and scans. */
export type Figures = {
  readonly clicks: number;
  readonly scans: number;
  readonly fallbacks: number;
  readonly uniqueVisitors: number;
  readonly countries: Readonly<Record<string, number>>;
  readonly devices: Readonly<Record<string, number>>;
  readonly browsers: Readonly<Record<string, number>>;
  readonly operatingSystems: Readonly<Record<string, number>>;
  readonly referrers: Readonly<Record<string, number>>;
  /** Visits that did not count, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
};

export type Entry = Figures & { readonly date: string };

export type SeriesRequest = {
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** `all`: one entry over everything. */
  readonly interval: Interval | 'all';
  /** IANA name; days begin and end there. */
  readonly timeZone: string;
  /** YYYY-MM-DD in that zone, both included; null is open. */
  readonly from: string | null;
  readonly to: string | null;
};

// How many referring hosts an entry names: visitors can make hosts up. The rest is one figure, `other`.
const REFERRERS_MAX = 100;

// One pass over one smartlink's part of the sorting key. The inner query counts by day as well as by interval, since
// visitors are told apart within a day only, and a longer interval's figure is the sum of its days (decisions.md,
// Visits).
const SERIES = `
with arrayReverseSort(pair -> (pair.2, pair.1), sumMap(referrers_)::Array(Tuple(String, UInt64))) as allReferrers
select date, sum(clicks_) as clicks, sum(scans_) as scans, sum(fallbacks_) as fallbacks,
       sum(visitors_) as uniqueVisitors, sumMap(countries_) as countries, sumMap(devices_) as devices,
       sumMap(browsers_) as browsers, sumMap(systems_) as operatingSystems, sumMap(excluded_) as excluded,
       arraySlice(allReferrers, 1, {referrersMax:UInt32}) as topReferrers,
       arraySum(pair -> pair.2, arraySlice(allReferrers, {referrersMax:UInt32} + 1)) as otherReferrers
from (
  with outcome != 'excluded' as counted, toDate(ts, {timeZone:String}) as day
  select multiIf({interval:String} = 'hour', formatDateTime(ts, '%Y-%m-%dT%H:00', {timeZone:String}),
                 {interval:String} = 'day', toString(day),
                 {interval:String} = 'week', toString(toMonday(day)),
                 {interval:String} = 'month', toString(toStartOfMonth(day)),
                 '') as date,
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
    and ts >= toDateTime64({from:String}, 3, {timeZone:String})
    and ts < toDateTime64({until:String}, 3, {timeZone:String})
  group by date, day
)
group by date
order by date`;

// What DateTime64(3) and people's dates have in common; no visit lies outside.
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2199-12-31';

type SeriesRow = Omit<Entry, 'referrers'> & {
  readonly topReferrers: readonly (readonly [string, number])[];
  readonly otherReferrers: number;
};

/** Returns what was counted, one entry an interval that has events, oldest first. Rejects after `limitMs`. */
export async function findSeries(
  clickhouse: ClickHouseClient,
  request: SeriesRequest,
  limitMs: number,
): Promise<readonly Entry[]> {
  const { ownerId, smartlinkId, interval, timeZone } = request;
  const from = request.from ?? FIRST_DAY;
  const to = request.to ?? LAST_DAY;
  const params = {
    ownerId,
    smartlinkId,
    interval,
    timeZone,
    from: `${from} 00:00:00`,
    until: `${addDays(to, 1)} 00:00:00`,
    referrersMax: REFERRERS_MAX,
  };
  const rows = await selectRows<SeriesRow>(clickhouse, SERIES, params, limitMs);
  return rows.map(({ topReferrers, otherReferrers, ...figures }) => ({
    ...figures,
    referrers: toReferrers(topReferrers, otherReferrers),
  }));
}

/** No referrer is `direct`; hosts beyond the first hundred are `other`. No host of a visit has either name. */
function toReferrers(top: SeriesRow['topReferrers'], other: number): Record<string, number> {
  const pairs = top.map(([host, count]): [string, number] => [host === '' ? 'direct' : host, count]);
  return Object.fromEntries(other > 0 ? [...pairs, ['other', other]] : pairs);
}
