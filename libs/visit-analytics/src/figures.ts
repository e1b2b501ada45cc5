/** What was counted in one interval, or over all time. Maps count clicks and scans. */
export type Figures = {
  readonly clicks: number;
  readonly scans: number;
  /** Among the clicks and scans. */
  readonly fallbacks: number;
  /** Different visitors a day, summed over the days: nobody is recognised on another day. */
  readonly uniqueVisitors: number;
  readonly countries: Readonly<Record<string, number>>;
  readonly devices: Readonly<Record<string, number>>;
  readonly browsers: Readonly<Record<string, number>>;
  readonly operatingSystems: Readonly<Record<string, number>>;
  /** By host. `direct` is no referrer; `other` is what lies beyond the hundred largest. No host has either name. */
  readonly referrers: Readonly<Record<string, number>>;
  /** Visits that did not count, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
};

export type Entry = Figures & { readonly date: string };

/** Nothing counted. */
export const NO_FIGURES: Figures = {
  clicks: 0,
  scans: 0,
  fallbacks: 0,
  uniqueVisitors: 0,
  countries: {},
  devices: {},
  browsers: {},
  operatingSystems: {},
  referrers: {},
  excluded: {},
};

// Visitors can make hosts up, so a cell and an answer name the largest hundred only.
const REFERRERS_MAX = 100;

/** Members of a cell, in the order in which CELL_FIGURES computes them. */
export const CELL_MEMBERS =
  'clicks, scans, fallbacks, visitors, countries, devices, browsers, operating_systems, referrers, excluded';

/**
 * What one cell holds, of the rows of `events` that belong to it. Both the cells that are kept and those that are
 * computed for an answer are made by this, so they agree.
 */
export const CELL_FIGURES = `
  countIf(source = 'click' and outcome != 'excluded') as clicks,
  countIf(source = 'scan' and outcome != 'excluded') as scans,
  countIf(outcome = 'fallback') as fallbacks,
  uniqExactIf(visitor_id, outcome != 'excluded' and visitor_id != 0) as visitors,
  sumMapIf(map(country, toUInt64(1)), outcome != 'excluded') as countries,
  sumMapIf(map(device, toUInt64(1)), outcome != 'excluded') as devices,
  sumMapIf(map(browser, toUInt64(1)), outcome != 'excluded') as browsers,
  sumMapIf(map(os, toUInt64(1)), outcome != 'excluded') as operating_systems,
  ${largestReferrers(
    `sumMapIf(map(if(referrer_host = '', 'direct', referrer_host::String), toUInt64(1)), outcome != 'excluded')`,
  )} as referrers,
  sumMapIf(map(exclusion, toUInt64(1)), outcome = 'excluded') as excluded`;

/** What an answer holds, of the cells that belong to it. */
export const SUMMED_FIGURES = `
  sum(clicks) as clicks_,
  sum(scans) as scans_,
  sum(fallbacks) as fallbacks_,
  sum(visitors) as uniqueVisitors,
  sumMap(countries) as countries_,
  sumMap(devices) as devices_,
  sumMap(browsers) as browsers_,
  sumMap(operating_systems) as operatingSystems,
  ${largestReferrers('sumMap(referrers)')} as referrers_,
  sumMap(excluded) as excluded_`;

/** A row of SUMMED_FIGURES. The names end in `_` where ClickHouse would take them for the columns that are summed. */
export type FiguresRow = Pick<Figures, 'uniqueVisitors' | 'operatingSystems'> & {
  readonly [
    Name in Exclude<keyof Figures, 'uniqueVisitors' | 'operatingSystems'> as `${Name}_`
  ]: Figures[Name];
};

/** Returns the figures of a row. */
export function toFigures(row: FiguresRow): Figures {
  return {
    clicks: row.clicks_,
    scans: row.scans_,
    fallbacks: row.fallbacks_,
    uniqueVisitors: row.uniqueVisitors,
    countries: row.countries_,
    devices: row.devices_,
    browsers: row.browsers_,
    operatingSystems: row.operatingSystems,
    referrers: row.referrers_,
    excluded: row.excluded_,
  };
}

/** Of a map by host: its largest, equals by name, and `other` for the rest with what was `other` before. */
function largestReferrers(map: string): string {
  const hosts = `arrayFilter(pair -> pair.1 != 'other', (${map} as all_hosts)::Array(Tuple(String, UInt64)))`;
  const largest = `arraySlice(arraySort(pair -> (-toInt64(pair.2), pair.1), ${hosts}) as sorted_hosts, 1, ${REFERRERS_MAX})`;
  return `mapFromArrays(
    arrayConcat(arrayMap(pair -> pair.1, ${largest} as largest_hosts), if(rest_hosts = 0, [], ['other'])),
    arrayConcat(arrayMap(pair -> pair.2, largest_hosts), if(rest_hosts = 0, [], [
      arraySum(pair -> pair.2, arraySlice(sorted_hosts, ${REFERRERS_MAX + 1})) + all_hosts['other'] as rest_hosts])))`;
}
