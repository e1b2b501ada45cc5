/** What was counted in one interval, or over all time. Maps count clicks and scans. */
export type Figures = {
  readonly clicks: number;
  readonly scans: number;
  /** Among the clicks and scans. */
  readonly fallbacks: number;
  /** Different visitors a day, summed over the days: nobody is recognised on another day. */
  readonly uniqueVisitors: number;
  readonly countries: Counts;
  readonly devices: Counts;
  readonly browsers: Counts;
  readonly operatingSystems: Counts;
  /** By host. `direct` is no referrer; `other` is what lies beyond the hundred largest. No host has either name. */
  readonly referrers: Counts;
  /** Visits that did not count, by reason. */
  readonly excluded: Counts;
};

export type Counts = Readonly<Record<string, number>>;

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

// Visitors can make hosts up, so a cell, an entry and an answer name only so many, the largest.
const REFERRERS_MAX = 100;

/** The members of CELL_FIGURES, in order: columns of `visits_daily`. */
export const CELL_MEMBERS =
  'clicks, scans, fallbacks, visitors, countries, devices, browsers, operating_systems, excluded, referrers';

/**
 * What a cell holds, of the rows of `events` that belong to it. Cells that are kept and cells that are computed for an
 * answer are both made by this, so they agree. It is cheap to plan, which is most of what a small answer costs: a
 * lambda in it takes the engine 10 ms.
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
  sumMapIf(map(exclusion, toUInt64(1)), outcome = 'excluded') as excluded,
  sumMapIf(map(referrer_host::String, toUInt64(1)), outcome != 'excluded') as all_hosts,
  arraySlice(arrayReverseSort(arrayZip(mapValues(all_hosts), mapKeys(all_hosts))), 1, ${REFERRERS_MAX}) as hosts,
  mapFromArrays(hosts.2, hosts.1) as referrers`;

/** Figures as ClickHouse's columns have them. */
export type FiguresRow = Omit<Figures, 'uniqueVisitors' | 'operatingSystems'> & {
  readonly visitors: number;
  readonly operating_systems: Counts;
};

/** Returns the figures of a row. */
export function toFigures({ visitors, operating_systems, ...row }: FiguresRow): Figures {
  return { ...row, uniqueVisitors: visitors, operatingSystems: operating_systems };
}

/** Returns the sum of figures, with the hosts of all of them: nameReferrers is for the end. */
export function addFigures(all: readonly Figures[]): Figures {
  const sum = {
    clicks: 0,
    scans: 0,
    fallbacks: 0,
    uniqueVisitors: 0,
    countries: new Map<string, number>(),
    devices: new Map<string, number>(),
    browsers: new Map<string, number>(),
    operatingSystems: new Map<string, number>(),
    referrers: new Map<string, number>(),
    excluded: new Map<string, number>(),
  };
  for (const figures of all) {
    sum.clicks += figures.clicks;
    sum.scans += figures.scans;
    sum.fallbacks += figures.fallbacks;
    sum.uniqueVisitors += figures.uniqueVisitors;
    for (const name of MAPS) addCounts(sum[name], figures[name]);
  }
  return {
    ...sum,
    countries: Object.fromEntries(sum.countries),
    devices: Object.fromEntries(sum.devices),
    browsers: Object.fromEntries(sum.browsers),
    operatingSystems: Object.fromEntries(sum.operatingSystems),
    referrers: Object.fromEntries(sum.referrers),
    excluded: Object.fromEntries(sum.excluded),
  };
}

const MAPS = ['countries', 'devices', 'browsers', 'operatingSystems', 'referrers', 'excluded'] as const;

function addCounts(sum: Map<string, number>, counts: Counts): void {
  for (const key in counts) sum.set(key, (sum.get(key) ?? 0) + (counts[key] ?? 0));
}

/**
 * Returns figures with their hundred largest referrers; the largest are those of most visits, then the last by name, as
 * CELL_FIGURES has it. No referrer (`''`) is named `direct`, and what no named one accounts for is `other`.
 */
export function nameReferrers<Named extends Figures>(figures: Named): Named {
  const largest = Object.entries(figures.referrers)
    .toSorted(([a, visitsOfA], [b, visitsOfB]) => visitsOfB - visitsOfA || (a < b ? 1 : -1))
    .slice(0, REFERRERS_MAX)
    .map(([host, visits]): [string, number] => [host === '' ? 'direct' : host, visits]);
  const other = largest.reduce((rest, [, visits]) => rest - visits, figures.clicks + figures.scans);
  if (other > 0) largest.push(['other', other]);
  return { ...figures, referrers: Object.fromEntries(largest) };
}
