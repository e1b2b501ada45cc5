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
  /**
   * By host: the thirty largest of a day or an hour, a hundred of those for anything longer. `direct` is no referrer,
   * `other` all the rest. No host has either name.
   */
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

// Visitors can make hosts up, so a cell names its thirty largest only, and longer spans and totals a hundred of those.
const CELL_REFERRERS_MAX = 30;
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
  sumMapIf(map(if(referrer_host = '', 'direct', referrer_host::String), toUInt64(1)), outcome != 'excluded') as all_hosts,
  arraySlice(arrayReverseSort(arrayZip(mapValues(all_hosts), mapKeys(all_hosts))), 1, ${CELL_REFERRERS_MAX}) as hosts,
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
  const [only] = all;
  // Most entries are one day. To put a year of them together once more takes as long as to read them.
  if (only !== undefined && all.length === 1) return only;
  const total = (name: 'clicks' | 'scans' | 'fallbacks' | 'uniqueVisitors') =>
    all.reduce((sum, figures) => sum + figures[name], 0);
  const counts = (
    name: 'countries' | 'devices' | 'browsers' | 'operatingSystems' | 'referrers' | 'excluded',
  ) => addCounts(all.map((figures) => figures[name]));
  return {
    clicks: total('clicks'),
    scans: total('scans'),
    fallbacks: total('fallbacks'),
    uniqueVisitors: total('uniqueVisitors'),
    countries: counts('countries'),
    devices: counts('devices'),
    browsers: counts('browsers'),
    operatingSystems: counts('operatingSystems'),
    referrers: counts('referrers'),
    excluded: counts('excluded'),
  };
}

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [key, count] of Object.entries(counts)) sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

/**
 * Returns figures with their hundred largest referrers; the largest are those of most visits, then the last by name, as
 * CELL_FIGURES has it. What no named one accounts for is `other`.
 */
export function nameReferrers<Named extends Figures>(figures: Named): Named {
  const largest = keepLargest(figures.referrers);
  let other = figures.clicks + figures.scans;
  for (const host in largest) other -= largest[host] ?? 0;
  if (other <= 0) return largest === figures.referrers ? figures : { ...figures, referrers: largest };
  return { ...figures, referrers: { ...largest, other } };
}

function keepLargest(referrers: Counts): Counts {
  const hosts = Object.entries(referrers);
  // Nearly always; to sort the days of a year takes as long as to read them.
  if (hosts.length <= REFERRERS_MAX) return referrers;
  const sorted = hosts.toSorted(
    ([a, visitsOfA], [b, visitsOfB]) => visitsOfB - visitsOfA || (a < b ? 1 : -1),
  );
  return Object.fromEntries(sorted.slice(0, REFERRERS_MAX));
}
