import { addDays } from './calendar.js';
import {
  type Counts,
  type FiguresRow,
  NO_FIGURES_ROW,
  OWNER_VALUES_MAX,
  ROUTE,
  VISITOR_OF_LINK,
} from './figures.js';
import type { Days } from './selection.js';

// A map for each dimension, as cells are computed, takes three times as long: ClickHouse groups by one column of few values in
// 15 ns an event. So events are grouped by each dimension alone, in one read, and the few thousand counts are sorted and cut.

/** Members of figures that count visits by value, with the columns of `events`; a route is of two columns. */
const COLUMNS = {
  countries: 'country',
  devices: 'device',
  browsers: 'browser',
  operating_systems: 'os',
  domains: 'domain',
  referrers: 'referrer_host',
  languages: 'language',
  utm_sources: 'utm_source',
  utm_mediums: 'utm_medium',
  utm_campaigns: 'utm_campaign',
  routes: 'rule',
} as const;

type Member = keyof typeof COLUMNS;

const MEMBERS = Object.keys(COLUMNS) as readonly Member[];
const VALUES = Object.values(COLUMNS);
/** The first key of each group; others follow some of them. */
const KEYS = ['button', 'visitor', 'source', ...VALUES] as const;
const FURTHER_KEYS: Readonly<Partial<Record<(typeof KEYS)[number], string>>> = {
  source: ', outcome, exclusion',
  rule: ', variant',
};

/** What `grouping` of all keys is in the groups of one: a bit for each key, 0 for its own. */
const partOf = (key: (typeof KEYS)[number]): number =>
  2 ** KEYS.length - 1 - 2 ** (KEYS.length - 1 - KEYS.indexOf(key));
/** The bit of the first key, where it is left out. */
const NO_BUTTON = 2 ** (KEYS.length - 1);
const MEMBER_OF = new Map(MEMBERS.map((member) => [partOf(COLUMNS[member]), member]));
const [VISITORS, KINDS, PRESSES] = [partOf('visitor'), partOf('source'), partOf('button')];

/** Members of which all values are kept; of the others, the largest. */
const WHOLE = ['countries', 'devices', 'browsers', 'operating_systems', 'domains'] as const;
const IS_WHOLE = `part in (${[KINDS, PRESSES, ...WHOLE.map((member) => partOf(COLUMNS[member]))].join(', ')})`;

/** The value of a group: the keys of all others are empty. Kinds have the columns of KINDS. */
const VALUE = `multiIf(
      part = ${VISITORS}, '',
      part = ${KINDS}, concat(toString(source), ' ', toString(outcome), ' ', exclusion),
      part = ${partOf('referrer_host')} and referrer_host = '', 'direct',
      part = ${partOf('rule')}, if(rule = '' and variant = '', '', ${ROUTE}),
      concat(${['button', ...VALUES.filter((key) => key !== 'rule')].join(', ')}))`;

/**
 * A group of a span: with VISITORS, `visits` is their number; else it is the sum of all counts. `pairs`: counts by value, the
 * largest first, and visits without a value as `none`.
 */
export type PartRow = {
  readonly span: number;
  readonly part: number;
  readonly visits: number;
  readonly none: number;
  readonly pairs: readonly (readonly [count: number, value: string])[];
};

export type SpansRequest = {
  /** What follows `from`, with a condition at its end. */
  readonly events: string;
  /** The events are of these days of the zone, which is the parameter `timeZone`; null is open. */
  readonly days: Omit<Days, 'timeZone'>;
  readonly isByHour: boolean;
  readonly withPresses: boolean;
  /** Of more spans, one more is returned. */
  readonly spansMax: number;
};

type LabelledRow = FiguresRow & { readonly label: string };

/** Query of the figures of `events` by day or hour, and a function that puts its rows together. */
export function figuresBySpan({ events, days, isByHour, withPresses, spansMax }: SpansRequest): {
  readonly query: string;
  readonly toRows: (parts: readonly PartRow[]) => readonly LabelledRow[];
} {
  const { from, to } = days;
  // Groups by one key are made in half the time of groups by two.
  const isOneDay = from !== null && from === to && !isByHour;
  const firstDay = isOneDay ? from : '1970-01-01';
  const day = 'toInt32(toDate(ts, {timeZone:String}))';
  const span = isByHour ? `${day} * 24 + toHour(ts, {timeZone:String})` : day;
  const keys = KEYS.filter((key) => withPresses || key !== 'button');
  const sets = keys.map((key) => `(${isOneDay ? '' : 'span, '}${key}${FURTHER_KEYS[key] ?? ''})`);
  const query = `
select span, part, if(part = ${VISITORS}, countIf(visitor != 0), sum(count)) as visits, sumIf(count, value = '') as none,
       arraySlice(arrayReverseSort(groupArrayIf((count, value), part != ${VISITORS} and count > 0)), 1,
                  if(${IS_WHOLE}, 1000000, ${OWNER_VALUES_MAX + 1})) as pairs
from (
  select span, part, visitor, ${VALUE} as value,
         multiIf(part = ${KINDS}, events, part = ${PRESSES}, presses, counted) as count
  from (
    select ${isOneDay ? 'toInt32(0) as span' : 'span'}, toInt32(${withPresses ? 0 : NO_BUTTON} + grouping(${keys.join(', ')})) as part,
           ${[...keys, 'outcome', 'exclusion', 'variant'].join(', ')}${withPresses ? '' : `, '' as button`},
           count() as events, countIf(outcome_ != 'excluded') as counted,
           ${withPresses ? `countIf(exclusion_ = 'press')` : '0'} as presses
    from (
      select *, ${span} as span, outcome as outcome_, exclusion as exclusion_,
             if(outcome != 'excluded' and visitor_id != 0, ${VISITOR_OF_LINK}, 0) as visitor
      from ${events}
    )
    group by grouping sets (${sets.join(', ')})
  )
)
group by span, part
limit ${(spansMax + 1) * KEYS.length}`;
  const labelOf = (number: number): string => {
    const date = addDays(firstDay, isByHour ? Math.floor(number / 24) : number);
    return isByHour ? `${date}T${String(number % 24).padStart(2, '0')}:00` : date;
  };
  return { query, toRows: (found) => toRows(found, labelOf) };
}

type Writable = { -readonly [Name in keyof LabelledRow]: LabelledRow[Name] };

function toRows(parts: readonly PartRow[], labelOf: (span: number) => string): readonly LabelledRow[] {
  const rows = new Map<number, Writable>();
  for (const part of parts) {
    const row = rows.get(part.span) ?? { ...NO_FIGURES_ROW, label: labelOf(part.span) };
    rows.set(part.span, row);
    addPart(row, part);
  }
  return [...rows.values()];
}

function addPart(row: Writable, { part, visits, none, pairs }: PartRow): void {
  if (part === VISITORS) row.visitors = visits;
  if (part === KINDS) addKinds(row, pairs);
  if (part === PRESSES) row.presses = toCounts(pairs);
  const member = MEMBER_OF.get(part);
  if (member === undefined) return;
  if (member === 'routes') row.routes = toRoutes(pairs, visits - none);
  else if (member === 'domains') row.domains = toCounts(pairs.filter(([, host]) => host !== ''));
  else if (isWhole(member)) row[member] = toCounts(pairs);
  else {
    row[member] = pairs.slice(0, OWNER_VALUES_MAX);
    if (member !== 'referrers') row[`no_${member}`] = none;
  }
}

function addKinds(row: Writable, kinds: PartRow['pairs']): void {
  const excluded: Record<string, number> = {};
  for (const [count, kind] of kinds) {
    const [source, outcome, exclusion = ''] = kind.split(' ');
    if (outcome === 'excluded') {
      if (exclusion !== 'press') excluded[exclusion] = (excluded[exclusion] ?? 0) + count;
      continue;
    }
    row[source === 'scan' ? 'scans' : 'clicks'] += count;
    if (outcome === 'fallback') row.fallbacks += count;
  }
  row.excluded = excluded;
}

const isWhole = (member: Member): member is (typeof WHOLE)[number] =>
  (WHOLE as readonly Member[]).includes(member);

const toCounts = (pairs: PartRow['pairs']): Counts =>
  Object.fromEntries(pairs.map(([count, value]) => [value, count]));

/** The largest, and `other`, which no route is. */
function toRoutes(pairs: PartRow['pairs'], visits: number): Counts {
  const largest = pairs.filter(([, route]) => route !== '').slice(0, OWNER_VALUES_MAX);
  const other = largest.reduce((rest, [count]) => rest - count, visits);
  return other === 0 ? toCounts(largest) : { ...toCounts(largest), other };
}
