export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

const DAY_MS = 86_400_000;

/**
 * Whether `text` is a date of the calendar as YYYY-MM-DD, from 1970 to 2199: ClickHouse's range, far
 * enough from the years 0 and 9999, beyond which the text has another form and does not sort by time.
 */
export function isDate(text: string): boolean {
  if (!/^(?:19[7-9]\d|20\d\d|21\d\d)-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes 31 February for 3 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The date `days` after `date` (YYYY-MM-DD), or before it. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The date and hour it is in a zone, as the label of that hour: YYYY-MM-DDTHH:00. */
export function hourLabelOf(timeMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(timeMs);
  const part = (type: string) => parts.find((known) => known.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:00`;
}

/** The label of the interval that the day `date` lies in; no hours. */
export function labelOf(date: string, interval: Exclude<Interval, 'hour'>): string {
  if (interval === 'day') return date;
  if (interval === 'month') return `${date.slice(0, 7)}-01`;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

/** The labels of every interval from `first` to `last` (labels themselves), at most `max`, else null. */
export function labelsBetween(
  first: string,
  last: string,
  interval: Interval,
  max: number,
): readonly string[] | null {
  const labels: string[] = [];
  for (let date = first.slice(0, 10); date <= last.slice(0, 10); date = addDays(date, 1)) {
    for (const label of interval === 'hour' ? hoursOf(date) : [labelOf(date, interval)]) {
      if (label < first || label > last || label === labels.at(-1)) continue;
      if (labels.length === max) return null;
      labels.push(label);
    }
  }
  return labels;
}

// When clocks go forward one hour does not exist; it is listed with zeros.
function hoursOf(date: string): readonly string[] {
  return Array.from({ length: 24 }, (_, hour) => `${date}T${String(hour).padStart(2, '0')}:00`);
}
