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
  /** Bounded as referrers; visits without a value are left out. */
  readonly languages: Counts;
  readonly utmSources: Counts;
  readonly utmMediums: Counts;
  readonly utmCampaigns: Counts;
  /** By custom host; `default` is the own host of the instance. Empty when all visits came by that. */
  readonly domains: Counts;
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
  languages: {},
  utmSources: {},
  utmMediums: {},
  utmCampaigns: {},
  domains: {},
  excluded: {},
};

// Visitors can invent hosts, languages and utm parameters, so these are bounded.
const CELL_VALUES_MAX = 30;
const OWNER_VALUES_MAX = 100;
const VALUES_MAX = 100;

/** The members of CELL_FIGURES, in order: columns of `visits_daily` and `visits_daily_by_owner`. */
export const CELL_MEMBERS =
  'clicks, scans, fallbacks, visitors, countries, devices, browsers, operating_systems, excluded, referrers, ' +
  'languages, utm_sources, utm_mediums, utm_campaigns, domains';

/** The members of STORED_FIGURES: all that a cell holds. */
export const STORED_MEMBERS = `${CELL_MEMBERS}, routes, hours`;

const COUNTED = `outcome != 'excluded'`;

const countBy = (key: string, condition = COUNTED) => `sumMapIf(map(${key}, toUInt64(1)), ${condition})`;

/** The largest values of the map `all_<name>`, by visits, then by value descending, as `kept_<name>`. */
const keepInClickhouse = (name: string, max: number) => `
  arraySlice(arrayReverseSort(arrayZip(mapValues(all_${name}), mapKeys(all_${name}))), 1, ${max}) as top_${name},
  mapFromArrays(top_${name}.2, top_${name}.1) as kept_${name}`;

/** Adds the visits without a value under '', which is never cut: what then lacks is in values beyond the bound. */
const withNone = (name: string, none: string) =>
  `if(${none} = 0, kept_${name}, mapUpdate(kept_${name}, map('', ${none}))) as ${name}`;

const countValues = (name: string, column: string, max: number) => `
  ${countBy(`${column}::String`, `${COUNTED} and ${column} != ''`)} as all_${name},
  countIf(${COUNTED} and ${column} = '') as no_${name}, ${keepInClickhouse(name, max)},
  ${withNone(name, `no_${name}`)}`;

/** Maps that are bounded and hold visits without a value under ''. */
const OPTIONAL_VALUES = {
  languages: 'language',
  utm_sources: 'utm_source',
  utm_mediums: 'utm_medium',
  utm_campaigns: 'utm_campaign',
} as const;

/**
 * Figures from rows of `events`; `visitor` distinguishes visitors. Planning is most of a small answer's cost: a lambda
 * would add 10 ms.
 */
const eventFigures = (visitor: string, valuesMax: number): string => `
  countIf(source = 'click' and ${COUNTED}) as clicks,
  countIf(source = 'scan' and ${COUNTED}) as scans,
  countIf(outcome = 'fallback') as fallbacks,
  uniqExactIf(${visitor}, ${COUNTED} and visitor_id != 0) as visitors,
  ${countBy('country')} as countries,
  ${countBy('device')} as devices,
  ${countBy('browser')} as browsers,
  ${countBy('os')} as operating_systems,
  sumMapIf(map(exclusion, toUInt64(1)), outcome = 'excluded') as excluded,
  ${countBy(`if(referrer_host = '', 'direct', referrer_host::String)`)} as all_referrers,
  ${keepInClickhouse('referrers', valuesMax)}, kept_referrers as referrers,
  ${Object.entries(OPTIONAL_VALUES)
    .map(([name, column]) => countValues(name, column, valuesMax))
    .join(',')},
  ${countBy('domain', `${COUNTED} and domain != ''`)} as domains`;

const countHours = (condition: string) => `countIfResample(0, 24, 1)(${condition}, toHour(ts))`;

// An owner has any number of rules; those beyond the bound are `other`, which no route is.
const countRoutes = (name: string) =>
  `${countBy(ROUTE, `${COUNTED} and (rule != '' or variant != '')`)} as ${name}`;

const BOUNDED_ROUTES = `${keepInClickhouse('routes', OWNER_VALUES_MAX)},
  if(length(all_routes) <= ${OWNER_VALUES_MAX}, all_routes,
    mapUpdate(kept_routes, map('other', toUInt64(arraySum(mapValues(all_routes)) - arraySum(mapValues(kept_routes)))))) as routes`;

const ROUTE = `multiIf(rule = '', concat('variant:', variant), variant = '', concat('rule:', rule),
    concat('rule:', rule, '/variant:', variant))`;

const HOURS = `
  tuple(${countHours(`source = 'click' and ${COUNTED}`)}, ${countHours(`source = 'scan' and ${COUNTED}`)},
        ${countHours(`outcome = 'fallback'`)}) as hours`;

/**
 * Figures of a smartlink from its rows of `events`. Stored cells and cells computed for an answer both use this expression,
 * so they agree.
 */
export const CELL_FIGURES = eventFigures('visitor_id', CELL_VALUES_MAX);

/** Figures of several smartlinks of one owner and day from their rows of `events`; visitors count once for each smartlink. */
export const OWNER_FIGURES = eventFigures('(smartlink_id, visitor_id)', OWNER_VALUES_MAX);

/** All figures that a cell holds, and that an owner's cell holds. */
export const STORED_FIGURES = `${CELL_FIGURES}, ${countRoutes('routes')}, ${HOURS}`;
export const STORED_OWNER_FIGURES = `${OWNER_FIGURES}, ${countRoutes('all_routes')}, ${BOUNDED_ROUTES}, ${HOURS}`;

const sumMaps = (...names: readonly string[]) => names.map((name) => `sumMap(${name}) as ${name}`).join(', ');

// Another name for what is summed: an alias would refer to itself.
const sumBounded = (name: string) =>
  `sumMap(cell_${name}) as all_${name}, ${keepInClickhouse(name, OWNER_VALUES_MAX)}`;

const RENAMED = ['referrers', ...Object.keys(OPTIONAL_VALUES), 'routes', 'hours'];

const SUMMED_FIGURES = `
  sum(clicks) as clicks, sum(scans) as scans, sum(fallbacks) as fallbacks, sum(visitors) as visitors,
  ${sumMaps('countries', 'devices', 'browsers', 'operating_systems', 'excluded', 'domains')},
  ${sumBounded('referrers')}, kept_referrers as referrers,
  ${Object.keys(OPTIONAL_VALUES)
    .map((name) => `${sumBounded(name)}, ${withNone(name, `all_${name}['']`)}`)
    .join(', ')},
  sumMap(cell_routes) as all_routes, ${BOUNDED_ROUTES},
  tuple(sumForEach(cell_hours.clicks), sumForEach(cell_hours.scans), sumForEach(cell_hours.fallbacks)) as hours`;

/** Query of the figures by owner and day of the cells that `which` chooses: imported ones are rows of their own. */
export const sumCells = (which: string): string => `
  select owner_id, date, is_carried, ${SUMMED_FIGURES}
  from (
    select owner_id, date, ${IS_CARRIED} as is_carried, ${STORED_MEMBERS.split(', ')
      .map((name) => (RENAMED.includes(name) ? `${name} as cell_${name}` : name))
      .join(', ')}
    from visits_daily final
    where ${which}
  )
  group by owner_id, date, is_carried`;

/** Figures as ClickHouse's columns have them. */
export type FiguresRow = Omit<
  Figures,
  'uniqueVisitors' | 'operatingSystems' | 'utmSources' | 'utmMediums' | 'utmCampaigns'
> & {
  readonly visitors: number;
  readonly operating_systems: Counts;
  readonly utm_sources: Counts;
  readonly utm_mediums: Counts;
  readonly utm_campaigns: Counts;
};

export function toFigures(row: FiguresRow): Figures {
  const { visitors, operating_systems, utm_sources, utm_mediums, utm_campaigns, ...rest } = row;
  return {
    ...rest,
    uniqueVisitors: visitors,
    operatingSystems: operating_systems,
    utmSources: utm_sources,
    utmMediums: utm_mediums,
    utmCampaigns: utm_campaigns,
  };
}

/** Sums figures with all their values; apply nameValues last. */
export function addFigures(all: readonly Figures[]): Figures {
  const [only] = all;
  // Most entries are one day; summing a year of them takes as long as reading them.
  if (only !== undefined && all.length === 1) return only;
  const total = (name: 'clicks' | 'scans' | 'fallbacks' | 'uniqueVisitors') =>
    all.reduce((sum, figures) => sum + figures[name], 0);
  const counts = (name: CountsName) => addCounts(all.map((figures) => figures[name]));
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
    languages: counts('languages'),
    utmSources: counts('utmSources'),
    utmMediums: counts('utmMediums'),
    utmCampaigns: counts('utmCampaigns'),
    domains: counts('domains'),
    excluded: counts('excluded'),
  };
}

type CountsName = Exclude<keyof Figures, 'clicks' | 'scans' | 'fallbacks' | 'uniqueVisitors'>;

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [key, count] of Object.entries(counts)) sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

/**
 * Keeps the 100 largest values of each bounded map, by visits, then by value descending as in CELL_FIGURES; the rest
 * becomes `other`. Visits without a value are left out, and those without a custom host become `default`.
 */
export function nameValues<Named extends Figures>(figures: Named): Named {
  const visits = figures.clicks + figures.scans;
  return {
    ...figures,
    referrers: nameRest(figures.referrers, visits),
    languages: nameRest(figures.languages, visits),
    utmSources: nameRest(figures.utmSources, visits),
    utmMediums: nameRest(figures.utmMediums, visits),
    utmCampaigns: nameRest(figures.utmCampaigns, visits),
    domains: nameDefault(figures.domains, visits),
  };
}

function nameRest(counts: Counts, visits: number): Counts {
  const { '': none = 0, ...values } = counts;
  const largest = keepLargest(none === 0 ? counts : values);
  let rest = visits - none;
  for (const value in largest) rest -= largest[value] ?? 0;
  // A visitor's own utm parameter may be `other` too.
  return rest <= 0 ? largest : { ...largest, other: (largest['other'] ?? 0) + rest };
}

function nameDefault(domains: Counts, visits: number): Counts {
  let own = visits;
  for (const host in domains) own -= domains[host] ?? 0;
  return own === visits || own <= 0 ? domains : { default: own, ...domains };
}

function keepLargest(counts: Counts): Counts {
  const values = Object.entries(counts);
  // Nearly always; sorting a year of days takes as long as reading them.
  if (values.length <= VALUES_MAX) return counts;
  const sorted = values.toSorted(
    ([a, visitsOfA], [b, visitsOfB]) => visitsOfB - visitsOfA || (a < b ? 1 : -1),
  );
  return Object.fromEntries(sorted.slice(0, VALUES_MAX));
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
