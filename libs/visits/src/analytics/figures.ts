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
  /** By rule and variant; `default` is by none. Empty when no visit was led by one. Bounded as referrers. */
  readonly routes: Counts;
  /** Visits that did not count, by reason. */
  readonly excluded: Counts;
  /** Presses of buttons, by button; empty for several smartlinks, whose buttons have nothing in common. */
  readonly presses: Counts;
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
  routes: {},
  excluded: {},
  presses: {},
};

// Visitors can invent hosts, languages and utm parameters, so these are bounded.
const CELL_VALUES_MAX = 30;
export const OWNER_VALUES_MAX = 100;

const PLAIN_MEMBERS =
  'clicks, scans, fallbacks, visitors, countries, devices, browsers, operating_systems, excluded, domains';

/** Bounded maps that hold visits without a value under '', with the columns of `events`. */
const OPTIONAL_VALUES = {
  languages: 'language',
  utm_sources: 'utm_source',
  utm_mediums: 'utm_medium',
  utm_campaigns: 'utm_campaign',
} as const;
const OPTIONAL = Object.keys(OPTIONAL_VALUES);
const BOUNDED = ['referrers', ...OPTIONAL];

/** Columns of `visits_daily` and `visits_daily_by_owner` for an answer. */
export const CELL_MEMBERS = `${PLAIN_MEMBERS}, ${BOUNDED.join(', ')}, routes`;

/** Columns of `visits_daily` for an answer about one smartlink. */
export const LINK_MEMBERS = `${CELL_MEMBERS}, presses`;

/** All figures that cells and rows by owner hold. */
export const STORED_MEMBERS = `${CELL_MEMBERS}, hours`;

/** All figures that a cell holds. */
export const STORED_LINK_MEMBERS = `${STORED_MEMBERS}, presses`;

const COUNTED = `outcome != 'excluded'`;

/** Condition on `events`: a press of a button, which is no visit. */
export const IS_PRESS = `exclusion = 'press'`;

const countBy = (key: string, condition = COUNTED) => `sumMapIf(map(${key}, toUInt64(1)), ${condition})`;

/** Expression: the route of a visit that was led by a rule or variant. */
export const ROUTE = `multiIf(rule = '', concat('variant:', variant), variant = '', concat('rule:', rule),
    concat('rule:', rule, '/variant:', variant))`;

const eventFigures = (visitor: string): string => `
  countIf(source = 'click' and ${COUNTED}) as clicks,
  countIf(source = 'scan' and ${COUNTED}) as scans,
  countIf(outcome = 'fallback') as fallbacks,
  uniqExactIf(${visitor}, ${COUNTED} and visitor_id != 0) as visitors,
  ${countBy('exclusion', `outcome = 'excluded' and not (${IS_PRESS})`)} as excluded,
  ${countBy('country')} as countries,
  ${countBy('device')} as devices,
  ${countBy('browser')} as browsers,
  ${countBy('os')} as operating_systems,
  ${countBy('domain', `${COUNTED} and domain != ''`)} as domains,
  ${countBy(ROUTE, `${COUNTED} and (rule != '' or variant != '')`)} as all_routes,
  ${countBy(`if(referrer_host = '', 'direct', referrer_host::String)`)} as all_referrers,
  ${Object.entries(OPTIONAL_VALUES)
    .map(([name, column]) => `${countBy(`${column}::String`)} as all_${name}`)
    .join(', ')}`;

/** The largest values of the map `all_<name>`, by visits, then by value descending: pairs of a count and a value. */
const largest = (name: string, max: number) =>
  `arraySlice(arrayReverseSort(arrayZip(mapValues(all_${name}), mapKeys(all_${name}))), 1, ${max})`;

// A smartlink has few rules, an owner any number. Those beyond the bound are `other`, which no route is.
const LINK_ROUTES = 'all_routes as routes';
const LARGEST_ROUTES = largest('routes', OWNER_VALUES_MAX);
const OWNER_ROUTES = `if(length(all_routes) <= ${OWNER_VALUES_MAX}, all_routes,
    mapUpdate(mapFromArrays((${LARGEST_ROUTES} as top_routes).2, top_routes.1),
              map('other', toUInt64(arraySum(mapValues(all_routes)) - arraySum(top_routes.1))))) as routes`;

const eventMembers = (max: number, routes: string): string =>
  [
    PLAIN_MEMBERS,
    routes,
    ...BOUNDED.map((name) => `${largest(name, max)} as ${name}`),
    ...OPTIONAL.map((name) => `all_${name}[''] as no_${name}`),
  ].join(', ');

/** Presses from rows of `events`. */
export const PRESSES = `${countBy('button', IS_PRESS)} as presses`;

/**
 * Figures of a smartlink from its rows of `events`, in a subquery: EVENT_MEMBERS are selected from them. An alias that is
 * used twice would be planned twice, and a lambda takes 10 ms: planning is most of a small answer's cost.
 */
export const CELL_FIGURES = `${eventFigures('visitor_id')}, ${PRESSES}`;
export const EVENT_MEMBERS = `${eventMembers(CELL_VALUES_MAX, LINK_ROUTES)}, presses`;

/**
 * A visitor of a smartlink in one number: links whose ids share their first 64 bits would need visitors whose ids differ by exactly what
 * the rest of theirs does, which is as rare as two visitors with one id. Of the pair, ClickHouse makes a hash of 128 bits, in twice the time.
 */
export const VISITOR_OF_LINK = 'bitXor(toUInt128(smartlink_id), visitor_id)';

/** Figures of several smartlinks of an owner and day; a visitor counts once for each smartlink. */
export const OWNER_FIGURES = eventFigures(VISITOR_OF_LINK);
/** Figures as ClickHouse's columns have them. */
export type FiguresRow = Omit<Figures, 'uniqueVisitors' | 'operatingSystems' | 'presses' | BoundedName> & {
  readonly presses?: Counts;
  readonly visitors: number;
  readonly operating_systems: Counts;
  readonly referrers: ValuesRow;
  readonly languages: ValuesRow;
  readonly utm_sources: ValuesRow;
  readonly utm_mediums: ValuesRow;
  readonly utm_campaigns: ValuesRow;
  readonly no_languages?: number;
  readonly no_utm_sources?: number;
  readonly no_utm_mediums?: number;
  readonly no_utm_campaigns?: number;
};

type BoundedName = 'referrers' | 'languages' | 'utmSources' | 'utmMediums' | 'utmCampaigns';

/** A map of a cell, or pairs of EVENT_MEMBERS. */
type ValuesRow = Counts | readonly (readonly [count: number, value: string])[];

/** Nothing counted. */
export const NO_FIGURES_ROW: FiguresRow = {
  ...{
    clicks: 0,
    scans: 0,
    fallbacks: 0,
    visitors: 0,
    countries: {},
    devices: {},
    browsers: {},
    operating_systems: {},
  },
  ...{
    referrers: {},
    languages: {},
    utm_sources: {},
    utm_mediums: {},
    utm_campaigns: {},
    domains: {},
    routes: {},
    excluded: {},
  },
};

export function toFigures(row: FiguresRow): Figures {
  return {
    clicks: row.clicks,
    scans: row.scans,
    fallbacks: row.fallbacks,
    uniqueVisitors: row.visitors,
    countries: row.countries,
    devices: row.devices,
    browsers: row.browsers,
    operatingSystems: row.operating_systems,
    referrers: toCounts(row.referrers),
    languages: toCounts(row.languages, row.no_languages),
    utmSources: toCounts(row.utm_sources, row.no_utm_sources),
    utmMediums: toCounts(row.utm_mediums, row.no_utm_mediums),
    utmCampaigns: toCounts(row.utm_campaigns, row.no_utm_campaigns),
    domains: row.domains,
    routes: row.routes,
    excluded: 'press' in row.excluded ? withoutPresses(row.excluded) : row.excluded,
    presses: row.presses ?? {},
  };
}

/** Builds that do not know presses have counted them in cells as visits that did not count. */
function withoutPresses({ press: _, ...excluded }: Counts): Counts {
  return excluded;
}

function toCounts(values: ValuesRow, none = 0): Counts {
  if (!isPairs(values)) return values;
  const counts = Object.fromEntries(values.map(([count, value]) => [value, count]));
  return none === 0 ? counts : { ...counts, '': none };
}

const isPairs = (values: ValuesRow): values is Exclude<ValuesRow, Counts> => Array.isArray(values);

const countHours = (condition: string) => `countIfResample(0, 24, 1)(${condition}, toHour(ts))`;

const HOURS = `
  tuple(${countHours(`source = 'click' and ${COUNTED}`)}, ${countHours(`source = 'scan' and ${COUNTED}`)},
        ${countHours(`outcome = 'fallback'`)}) as all_hours`;

/** Stored maps have the largest values, and visits without one under '', which is never cut. */
const storedMap = (name: string) => {
  const map = `mapFromArrays(top_${name}.2, top_${name}.1)`;
  return OPTIONAL.includes(name)
    ? `if(no_${name} = 0, ${map}, mapUpdate(${map}, map('', no_${name}))) as ${name}`
    : `${map} as ${name}`;
};

type StoredOptions = {
  readonly keys: string;
  readonly max: number;
  readonly routes: string;
  /** Further members, which stay as they are. */
  readonly others?: string;
};

/** Query of STORED_MEMBERS by `keys` from a query of plain members and `all_<name>` for each other. */
function storedFrom(figures: string, { keys, max, routes, others = '' }: StoredOptions): string {
  const kept = [
    ...BOUNDED.map((name) => `${largest(name, max)} as top_${name}`),
    ...OPTIONAL.map((name) => `all_${name}[''] as no_${name}`),
  ];
  return `
  select ${keys}, ${PLAIN_MEMBERS}, ${BOUNDED.map(storedMap).join(', ')}, ${routes}, all_hours as hours${others}
  from (
    select ${keys}, ${PLAIN_MEMBERS}, all_routes, all_hours, ${kept.join(', ')}${others}
    from (${figures})
  )`;
}

/** Dimensions of single visits, with the expression of a visit's value; '' is no value. */
const EVENT_VALUES = {
  country: 'country',
  device: 'device',
  browser: 'browser',
  os: 'os',
  language: 'language',
  referrer: `if(referrer_host = '', 'direct', referrer_host)`,
  source: 'toString(source)',
  outcome: 'toString(outcome)',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
  domain: `if(domain = '', 'default', domain)`,
  rule: 'rule',
  variant: 'variant',
} as const;

export type EventDimension = keyof typeof EVENT_VALUES;

/** The expression of a visit's value. */
export const eventValue = (dimension: EventDimension): string => EVENT_VALUES[dimension];

/** The dimensions of which rows by owner keep the counts by value, each in an element of `breakdowns`. */
export const OWNER_BREAKDOWNS = [
  ...(['country', 'device', 'browser', 'os', 'language', 'referrer', 'source'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'domain', 'rule', 'variant'] as const),
] satisfies readonly EventDimension[];

const countValues = OWNER_BREAKDOWNS.map(
  (by) => `sumMapIf([toString(${eventValue(by)})], [toUInt64(1)], [toUInt64(source = 'scan')],
        [toUInt64(outcome = 'fallback')], ${COUNTED}) as of_${by}`,
).join(', ');

// As many as an answer has rows, in its order; visits without a value are never cut. They take less room than their events.
const BREAKDOWN_VALUES_MAX = 1_000;
const largestValues = OWNER_BREAKDOWNS.map((by) => {
  const values = `arrayZip(of_${by}.2, of_${by}.1, of_${by}.3, of_${by}.4)`;
  return `arraySlice(arraySort(v -> (v.2 != '', -toInt64(v.1), v.2), ${values}), 1, ${BREAKDOWN_VALUES_MAX + 1})`;
}).join(',\n      ');

const OF_OWNER = { keys: 'owner_id, date, is_carried', max: OWNER_VALUES_MAX, routes: OWNER_ROUTES };

/** Query of the cells of the events that `which` chooses. */
export const cellsOfEvents = (which: string): string =>
  storedFrom(
    `select owner_id, smartlink_id, toDate(ts) as date, ${CELL_FIGURES}, ${HOURS}
      from events final where ${which} group by owner_id, smartlink_id, date`,
    { keys: 'owner_id, smartlink_id, date', max: CELL_VALUES_MAX, routes: LINK_ROUTES, others: ', presses' },
  );

/** Query of the rows by owner of the events that `which` chooses, with `breakdowns`. */
export const ownersOfEvents = (which: string): string =>
  storedFrom(
    `select owner_id, date, is_carried, ${PLAIN_MEMBERS}, all_routes, all_hours,
      ${BOUNDED.map((name) => `all_${name}`).join(', ')},
      tuple(${largestValues}) as breakdowns
    from (
      select owner_id, toDate(ts) as date, 0 as is_carried, ${OWNER_FIGURES}, ${HOURS}, ${countValues}
      from events final where ${which} group by owner_id, date
    )`,
    { ...OF_OWNER, others: ', breakdowns' },
  );

/** Query of the rows by owner of the cells that `which` chooses: imported ones have rows of their own. */
export const ownersOfCells = (which: string): string =>
  storedFrom(
    `select owner_id, date, is_carried,
        ${PLAIN_MEMBERS.split(', ')
          .map((name) => `${NUMBERS.includes(name) ? 'sum' : 'sumMap'}(${name}) as ${name}`)
          .join(', ')},
        ${[...BOUNDED, 'routes'].map((name) => `sumMap(${name}) as all_${name}`).join(', ')},
        tuple(sumForEach(hours.clicks), sumForEach(hours.scans), sumForEach(hours.fallbacks)) as all_hours
      from (
        select owner_id, date, ${IS_CARRIED} as is_carried, ${STORED_MEMBERS} from visits_daily final where ${which}
      )
      group by owner_id, date, is_carried`,
    OF_OWNER,
  );

const NUMBERS = ['clicks', 'scans', 'fallbacks', 'visitors'];

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
