import { choiceParam, dateParam, textParam } from '../../app/search-params.js';

export const PERIODS = ['24h', '7d', '30d', '12m', 'all'] as const;
export type Period = (typeof PERIODS)[number];
export const COMPARISONS = ['previous', 'year', 'link'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** The API's filter parameters by the dimension they filter. */
export const FILTERS = {
  countries: 'country',
  referrers: 'referrer',
  devices: 'device',
  browsers: 'browser',
  operatingSystems: 'os',
  languages: 'language',
  utmCampaigns: 'utmCampaign',
  /** Visits have the host that was visited; the filter chooses links by their present address. */
  domains: 'domain',
} as const;
export type Dimension = keyof typeof FILTERS;
export const DIMENSIONS = Object.keys(FILTERS) as readonly Dimension[];

/** Search parameters of figures. */
export type FiguresQuery = {
  readonly period?: Period | undefined;
  /** Set without a period. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly tz?: string | undefined;
  readonly compare?: Comparison | undefined;
  /** Id of the smartlink to compare with. */
  readonly with?: string | undefined;
} & Readonly<Partial<Record<(typeof FILTERS)[Dimension], string | undefined>>>;

export function figuresQuery(search: Readonly<Record<string, unknown>>): FiguresQuery {
  return {
    period: choiceParam(search.period, PERIODS),
    from: dateParam(search.from),
    to: dateParam(search.to),
    tz: choiceParam(search.tz, timeZones()),
    compare: choiceParam(search.compare, COMPARISONS),
    with: textParam(search.with),
    country: textParam(search.country),
    referrer: textParam(search.referrer),
    device: textParam(search.device),
    browser: textParam(search.browser),
    os: textParam(search.os),
    language: textParam(search.language),
    utmCampaign: textParam(search.utmCampaign),
    domain: textParam(search.domain),
  };
}

export function timeZones(): readonly string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.includes('UTC') ? zones : ['UTC', ...zones];
}

/** Filters of a query, for the API. */
export function filtersOf(query: FiguresQuery): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(FILTERS).flatMap((name) => {
      const value = query[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A range of days. `hours`: limits it to these hours, by their labels. */
export type Span = {
  readonly from?: string;
  readonly to?: string;
  readonly interval: 'hour' | 'day' | 'week' | 'month';
  readonly hours?: { readonly first: string; readonly last: string };
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '12m': 365 };

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** `2026-03-10T14:00` in a time zone. */
export function hourLabel(timeMs: number, timeZone: string): string {
  const options = { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...options, hour: '2-digit' });
  const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:00`;
}

/** The period of a query; null: a custom range. */
export function periodOf({ period, from, to }: FiguresQuery): Period | null {
  return period ?? (from === undefined && to === undefined ? '30d' : null);
}

export function spanOf(query: FiguresQuery, timeZone: string, nowMs: number): Span {
  const period = periodOf(query);
  if (period === '24h') return lastHours(nowMs, timeZone);
  if (period === 'all') return { interval: 'month' };
  const today = hourLabel(nowMs, timeZone).slice(0, 10);
  if (period === null) {
    const { from, to = today } = query;
    const days = from === undefined ? Infinity : daysBetween(from, to);
    return { ...(from === undefined ? {} : { from }), to, interval: intervalOf(days) };
  }
  const days = DAYS[period] ?? 1;
  return { from: addDays(today, 1 - days), to: today, interval: intervalOf(days) };
}

/** The span to compare with; null if the span is open. */
export function spanBefore(
  span: Span,
  compare: Exclude<Comparison, 'link'>,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): Span | null {
  const { from, to, interval } = span;
  if (from === undefined || to === undefined) return null;
  if (interval === 'hour') {
    return lastHours(nowMs - (compare === 'year' ? 365 * DAY_MS : HOURS * HOUR_MS), timeZone);
  }
  const days = compare === 'year' ? 365 : daysBetween(from, to);
  return { from: addDays(from, -days), to: addDays(to, -days), interval };
}

/** The 24 hours that end with the hour of a time. */
function lastHours(timeMs: number, timeZone: string): Span {
  const last = hourLabel(timeMs, timeZone);
  const first = hourLabel(timeMs - (HOURS - 1) * HOUR_MS, timeZone);
  return { from: first.slice(0, 10), to: last.slice(0, 10), interval: 'hour', hours: { first, last } };
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

// At most about a hundred bars.
function intervalOf(days: number): Span['interval'] {
  if (days <= 92) return 'day';
  return days <= 730 ? 'week' : 'month';
}
