import type { Counts, Figures } from './figures.js';

const VALUES_MAX = 100;

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
    routes: counts('routes'),
    excluded: counts('excluded'),
    presses: counts('presses'),
  };
}

type CountsName = Exclude<keyof Figures, 'clicks' | 'scans' | 'fallbacks' | 'uniqueVisitors'>;

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const key in counts) sums.set(key, (sums.get(key) ?? 0) + (counts[key] ?? 0));
  }
  return Object.fromEntries(sums);
}

/**
 * Keeps the 100 largest values of each bounded map, by visits, then by value descending as in CELL_FIGURES; the rest
 * becomes `other`. Visits without a value are left out; those without a custom host, or a route, become `default`.
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
    routes: nameRoutes(figures.routes, visits),
  };
}

function nameRest(counts: Counts, visits: number): Counts {
  // A year of days has 2,000 of these maps: copies and pairs of all of them take longer than all else.
  const none = counts[''] ?? 0;
  const largest = keepLargest('' in counts ? withoutNone(counts) : counts);
  let rest = visits - none;
  for (const value in largest) rest -= largest[value] ?? 0;
  // A visitor's own utm parameter may be `other` too.
  return rest <= 0 ? largest : { ...largest, other: (largest['other'] ?? 0) + rest };
}

function withoutNone({ '': _, ...values }: Counts): Counts {
  return values;
}

function nameDefault(domains: Counts, visits: number): Counts {
  let own = visits;
  for (const host in domains) own -= domains[host] ?? 0;
  return own === visits || own <= 0 ? domains : { default: own, ...domains };
}

function nameRoutes(routes: Counts, visits: number): Counts {
  const { other = 0, ...values } = routes;
  const largest = keepLargest(values);
  let routed = other;
  for (const route in values) routed += values[route] ?? 0;
  let rest = routed;
  for (const route in largest) rest -= largest[route] ?? 0;
  return nameDefault(rest === 0 ? largest : { ...largest, other: rest }, visits);
}

function keepLargest(counts: Counts): Counts {
  // Nearly always; sorting a year of days takes as long as reading them.
  if (Object.keys(counts).length <= VALUES_MAX) return counts;
  const sorted = Object.entries(counts).toSorted(
    ([a, visitsOfA], [b, visitsOfB]) => visitsOfB - visitsOfA || (a < b ? 1 : -1),
  );
  return Object.fromEntries(sorted.slice(0, VALUES_MAX));
}
