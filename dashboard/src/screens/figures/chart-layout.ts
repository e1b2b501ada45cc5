import { scaleBand, scaleLinear } from '@visx/scale';
import { usePreferences } from '../../app/preferences.js';
import { formatOf, type Format } from '../../words/format.js';
import type { Span } from './query.js';
import type { Entry } from './read-figures.js';

export type Interval = Span['interval'];
export type Layout = ReturnType<typeof layOut>;

const TICK_WIDTH = 72;
const BAR_WIDTH_MAX = 48;

/** Clicks and scans together. */
export const visitsOf = ({ clicks, scans }: Entry): number => clicks + scans;

/** Positions of bars, of the line of `compared` entries, of levels and labels. */
export function layOut(
  entries: readonly Entry[],
  compared: readonly Entry[],
  { width, height }: { readonly width: number; readonly height: number },
) {
  const dates = entries.map(({ date }) => date);
  const x = scaleBand<string>({ domain: dates, range: [0, width], padding: 0.25 });
  // The compared span may have an extra hour or month.
  const others = compared.slice(0, entries.length).map(visitsOf);
  const most = Math.max(4, ...entries.map(visitsOf), ...others);
  const y = scaleLinear<number>({ domain: [0, most], range: [height, 0], nice: true });
  const step = Math.max(1, Math.ceil(dates.length / Math.max(1, Math.floor(width / TICK_WIDTH))));
  const barWidth = Math.min(x.bandwidth(), BAR_WIDTH_MAX);
  return {
    ...{ x, y, width, height, barWidth },
    barLeft: (x.bandwidth() - barWidth) / 2,
    line: others.map(
      (visits, index) => [(x(dates[index] ?? '') ?? 0) + x.bandwidth() / 2, y(visits)] as const,
    ),
    heightOf: (count: number) => height - y(count),
    levels: y.ticks(4).filter((level) => Number.isInteger(level)),
    ticks: dates.filter((_, index) => index % step === 0),
  };
}

/** Format of entry labels, which have no time zone. */
export function useLabelFormat(): Format {
  const { language } = usePreferences();
  return formatOf(language, 'UTC');
}

export function labelOf(date: string, interval: Interval, format: Format): string {
  if (interval === 'hour') return format.dateTime(`${date}:00Z`);
  return interval === 'month'
    ? format.time(date, { month: 'long', year: 'numeric' })
    : format.shortDate(date);
}

export function tickOf(date: string, interval: Interval, format: Format): string {
  if (interval === 'hour') return date.slice(11);
  return interval === 'month'
    ? format.time(date, { month: 'short', year: 'numeric' })
    : format.time(date, { day: 'numeric', month: 'short' });
}
