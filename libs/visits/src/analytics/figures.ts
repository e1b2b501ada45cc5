/** Counts of one interval, or of all time. Maps count clicks and scans. */
export type Figures = {
  readonly clicks: number;
  readonly scans: number;
  /** Among the clicks and scans. */
  readonly fallbacks: number;
  /** Distinct visitors per day, summed over the days: visitor ids change daily. */
  readonly uniqueVisitors: number;
  readonly countries: Counts;
  readonly devices: Counts;
  readonly browsers: Counts;
  readonly operatingSystems: Counts;
  /**
   * By host: the 30 largest of a day or an hour, 100 for longer spans. `direct` is no referrer, `other` the rest; no host
   * has either name.
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

// Visitors can invent hosts, so these are bounded.
const CELL_REFERRERS_MAX = 30;
const REFERRERS_MAX = 100;

/** The members of CELL_FIGURES, in order: columns of `visits_daily`. */
export const CELL_MEMBERS =
  'clicks, scans, fallbacks, visitors, countries, devices, browsers, operating_systems, excluded, referrers';

/**
 * Figures from rows of `events`; `visitor` distinguishes visitors. Planning is most of a small answer's cost: a lambda would
 * add 10 ms.
 */
export const eventFigures = (visitor: string): string => `
  countIf(source = 'click' and outcome != 'excluded') as clicks,
  countIf(source = 'scan' and outcome != 'excluded') as scans,
  countIf(outcome = 'fallback') as fallbacks,
  uniqExactIf(${visitor}, outcome != 'excluded' and visitor_id != 0) as visitors,
  sumMapIf(map(country, toUInt64(1)), outcome != 'excluded') as countries,
  sumMapIf(map(device, toUInt64(1)), outcome != 'excluded') as devices,
  sumMapIf(map(browser, toUInt64(1)), outcome != 'excluded') as browsers,
  sumMapIf(map(os, toUInt64(1)), outcome != 'excluded') as operating_systems,
  sumMapIf(map(exclusion, toUInt64(1)), outcome = 'excluded') as excluded,
  sumMapIf(map(if(referrer_host = '', 'direct', referrer_host::String), toUInt64(1)), outcome != 'excluded') as all_hosts,
  arraySlice(arrayReverseSort(arrayZip(mapValues(all_hosts), mapKeys(all_hosts))), 1, ${CELL_REFERRERS_MAX}) as hosts,
  mapFromArrays(hosts.2, hosts.1) as referrers`;

/** Figures of a cell. Stored cells and cells computed for an answer both use this expression, so they agree. */
export const CELL_FIGURES = eventFigures('visitor_id');

/** Figures as ClickHouse's columns have them. */
export type FiguresRow = Omit<Figures, 'uniqueVisitors' | 'operatingSystems'> & {
  readonly visitors: number;
  readonly operating_systems: Counts;
};

export function toFigures({ visitors, operating_systems, ...row }: FiguresRow): Figures {
  return { ...row, uniqueVisitors: visitors, operatingSystems: operating_systems };
}

/** Sums figures with all their hosts; apply nameReferrers last. */
export function addFigures(all: readonly Figures[]): Figures {
  const [only] = all;
  // Most entries are one day; summing a year of them takes as long as reading them.
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
 * Keeps the 100 largest referrers, by visits, then by name descending as in CELL_FIGURES; the rest becomes `other`.
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
  // Nearly always; sorting a year of days takes as long as reading them.
  if (hosts.length <= REFERRERS_MAX) return referrers;
  const sorted = hosts.toSorted(
    ([a, visitsOfA], [b, visitsOfB]) => visitsOfB - visitsOfA || (a < b ? 1 : -1),
  );
  return Object.fromEntries(sorted.slice(0, REFERRERS_MAX));
}

// Versions of computed cells are microseconds since 1970 (1.8e15); those of imported cells, which have no events, are
// milliseconds (1.8e12). Only this distinguishes them.
const VERSIONS_END = 100_000_000_000_000;

/** Condition on `visits_daily`: the cell was imported, and counts whatever the state of the rollup. */
export const IS_CARRIED = `version < ${VERSIONS_END}`;

/** Expression: version of a cell imported now. */
export const CARRIED_NOW = `toUInt64(toUnixTimestamp64Milli(now64(3)))`;

/** Condition on `visits_daily`: the cell was computed, or imported before `timeMs` (since 1970). */
export function isComputedOrCarriedBefore(timeMs: string): string {
  return `(version >= ${VERSIONS_END} or version < ${timeMs})`;
}
