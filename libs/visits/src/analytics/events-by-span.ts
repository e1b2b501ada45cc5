import { addDays } from './calendar.js';
import {
  type Counts,
  type FiguresRow,
  IS_PRESS,
  NO_FIGURES_ROW,
  OWNER_NUMBERS,
  OWNER_VALUES_MAX,
  ROUTE,
} from './figures.js';
import type { Days } from './selection.js';

// A map for each dimension, as cells are computed, takes three times as long: ClickHouse groups by one column of few values in
// 15 ns an event. So visits are grouped by each dimension alone, and the few thousand counts are sorted and cut.

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
const KEYS = Object.values(COLUMNS);
const SETS = KEYS.map((key) => (key === 'rule' ? 'rule, variant' : key));
/** Members of which all values are kept; of the others, the largest. */
const WHOLE = ['countries', 'devices', 'browsers', 'operating_systems', 'domains'] as const;

/** The value of a group. The keys of other groups are empty in it. */
const VALUE = `concat(${KEYS.map((key) => {
  if (key === 'rule') return `if(rule = '' and variant = '', '', ${ROUTE})`;
  return key === 'referrer_host' ? `if(grouping(${key}) = 0 and ${key} = '', 'direct', ${key})` : key;
}).join(', ')})`;

/** What `grouping` of all keys is in the groups of a member: a bit for each key, 0 for its own. */
const partOf = (member: Member): number =>
  2 ** KEYS.length - 1 - 2 ** (KEYS.length - 1 - MEMBERS.indexOf(member));
const PARTS = new Map(MEMBERS.map((member) => [partOf(member), member]));
/** Further parts of a span. */
const NUMBERS = -1;
const PRESSES = -2;

/**
 * `numbers`: clicks, scans, fallbacks and visitors of a span, or the visits that a member counts and those without a value. `pairs`:
 * counts by value, the largest first; of NUMBERS those of excluded visits.
 */
export type PartRow = {
  readonly span: number;
  readonly part: number;
  readonly numbers: readonly number[];
  readonly pairs: readonly (readonly [count: number, value: string])[];
};

// A group has an array with a count for each of these; of more, there is a group for each value and span, which takes twice as long.
const ARRAY_SPANS_MAX = 800;
const DAY_MS = 86_400_000;

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
  const dayCount = from === null || to === null ? Infinity : (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const spanCount = isByHour ? dayCount * 24 : dayCount;
  const isInArrays = spanCount <= ARRAY_SPANS_MAX;
  const firstDay = isInArrays && from !== null ? from : '1970-01-01';
  const day = `toInt32(toDate(ts, {timeZone:String})) - ${Date.parse(firstDay) / DAY_MS}`;
  const span = isByHour ? `(${day}) * 24 + toHour(ts, {timeZone:String})` : day;
  const visits = `${events} and outcome != 'excluded'`;
  const part = `grouping(${KEYS.join(', ')}) as part, ${VALUE} as value`;
  const groups = isInArrays
    ? `
  select part, value, one.1 as span, one.2 as visits
  from (
    select ${part}, arrayJoin(arrayZip(range(${spanCount}), countResample(0, ${spanCount}, 1)(${span}))) as one
    from ${visits}
    group by grouping sets (${SETS.map((set) => `(${set})`).join(', ')})
  )
  where visits > 0`
    : `
  select ${part}, span, count() as visits
  from (select *, ${span} as span from ${visits})
  group by grouping sets (${SETS.map((set) => `(span, ${set})`).join(', ')})`;
  const parts = [
    `
select toInt32(span) as span, toInt32(part) as part, [toUInt64(sum(visits)), sumIf(visits, value = '')] as numbers,
       arraySlice(arrayReverseSort(groupArray((toUInt64(visits), toString(value)))), 1,
                  if(part in (${WHOLE.map(partOf).join(', ')}), 1000000, ${OWNER_VALUES_MAX + 1})) as pairs
from (${groups}
)
group by span, part
limit ${(spansMax + 1) * MEMBERS.length}`,
    `
select toInt32(span), ${NUMBERS}, [clicks, scans, fallbacks, visitors], arrayZip(mapValues(excluded), mapKeys(excluded))
from (
  select ${span} as span, ${OWNER_NUMBERS}
  from ${events}
  group by span
  limit ${spansMax + 1}
)`,
  ];
  if (withPresses) {
    parts.push(`
select toInt32(span), ${PRESSES}, [], groupArray((presses, value))
from (
  select ${span} as span, toString(button) as value, count() as presses
  from ${events} and ${IS_PRESS}
  group by span, value
)
group by span`);
  }
  const labelOf = (number: number): string => {
    const date = addDays(firstDay, isByHour ? Math.floor(number / 24) : number);
    return isByHour ? `${date}T${String(number % 24).padStart(2, '0')}:00` : date;
  };
  return {
    query: parts.map((each) => `(${each}\n)`).join('\nunion all\n'),
    toRows: (found) => toRows(found, labelOf),
  };
}

function toRows(parts: readonly PartRow[], labelOf: (span: number) => string): readonly LabelledRow[] {
  const rows = new Map<number, Writable>();
  for (const { span, part, numbers, pairs } of parts) {
    if (part !== NUMBERS) continue;
    const [clicks = 0, scans = 0, fallbacks = 0, visitors = 0] = numbers;
    rows.set(span, {
      ...NO_FIGURES_ROW,
      ...{ label: labelOf(span), clicks, scans, fallbacks, visitors, excluded: toCounts(pairs) },
    });
  }
  for (const part of parts) {
    const row = rows.get(part.span);
    if (row !== undefined) addPart(row, part);
  }
  return [...rows.values()];
}

type Writable = { -readonly [Name in keyof LabelledRow]: LabelledRow[Name] };

function addPart(row: Writable, { part, numbers, pairs }: PartRow): void {
  if (part === PRESSES) row.presses = toCounts(pairs);
  const member = PARTS.get(part);
  if (member === undefined) return;
  const [visits = 0, none = 0] = numbers;
  if (member === 'routes') row.routes = toRoutes(pairs, visits - none);
  else if (member === 'domains') row.domains = toCounts(pairs.filter(([, host]) => host !== ''));
  else if (isWhole(member)) row[member] = toCounts(pairs);
  else {
    row[member] = pairs.slice(0, OWNER_VALUES_MAX);
    if (member !== 'referrers') row[`no_${member}`] = none;
  }
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
