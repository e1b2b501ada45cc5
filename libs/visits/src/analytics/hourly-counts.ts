import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { selectRows } from './clickhouse.js';
import { allOf, cellsOf, type Condition, type Days, isWithinDates } from './selection.js';

type Counts = { clicks: number; scans: number; fallbacks: number };

/** Counts of an hour, of a day, or of a day whose hours are unknown. */
export type HourlyCounts = Readonly<Counts> & {
  /** YYYY-MM-DDTHH:00, or YYYY-MM-DD, in the zone of the days. */
  readonly label: string;
};

type Hours = Readonly<Record<'clicks' | 'scans' | 'fallbacks', readonly number[]>>;

type DayRow = Readonly<Counts> & { readonly day: string; readonly hours: Hours };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SAMPLE_DAYS = 28;
// No visit is older, but for imported totals, which belong to a day in any zone.
const OLDEST_DAY = '2000-01-01';

/** Whether the clocks of a zone differ from UTC by whole hours, on all of the days. */
export function hasWholeHours({ timeZone, from, to }: Days, nowMs: number): boolean {
  if (timeZone === 'UTC') return true;
  const offsetOf = createOffsets(timeZone);
  const first = Date.parse(from !== null && from > OLDEST_DAY ? from : OLDEST_DAY) - DAY_MS;
  const last = (to === null ? nowMs : Date.parse(to)) + 2 * DAY_MS;
  for (let timeMs = first; timeMs < last; timeMs += SAMPLE_DAYS * DAY_MS) {
    if (offsetOf(timeMs) % HOUR_MS !== 0) return false;
  }
  return offsetOf(last) % HOUR_MS === 0;
}

/**
 * Counts of cells and events of a selection by hour or day of a zone of whole hours. `cells` and `open` choose no day twice. Rejects after `limitMs`.
 */
export async function findHourlyCounts(
  clickhouse: ClickHouseClient,
  sources: {
    readonly cells: readonly CellTable[];
    readonly open: Condition;
    readonly selected: Condition;
    readonly days: Days;
    readonly isByHour: boolean;
  },
  limitMs: number,
): Promise<readonly HourlyCounts[]> {
  const { selected, days, isByHour } = sources;
  // Days of the zone begin in the day before, and end in the day after.
  const wide = {
    from: days.from === null ? null : addDays(days.from, -1),
    to: days.to === null ? null : addDays(days.to, 1),
  };
  const dates = isWithinDates(wide);
  const parts = [
    ...sources.cells.map(({ table, which }) => {
      const { sql, params } = cellsOf(table, allOf(selected, dates), which);
      return {
        sql: `select date as day, clicks as c, scans as s, fallbacks as f, hours as h from ${sql}`,
        params,
      };
    }),
    {
      sql: `select toDate(ts) as day, ${COUNTED} from events final where ${selected.sql} and ${sources.open.sql} and toDate(ts) >= {fromDate:Date32} and toDate(ts) <= {toDate:Date32} group by day`,
      params: sources.open.params,
    },
  ];
  const query = `
select toString(day) as day, sum(c) as clicks, sum(s) as scans, sum(f) as fallbacks,
       map('clicks', sumForEach(h.clicks), 'scans', sumForEach(h.scans), 'fallbacks', sumForEach(h.fallbacks)) as hours
from (${parts.map(({ sql }) => sql).join('\n  union all\n')}) as days
group by days.day`;
  const params = Object.assign(
    {},
    selected.params,
    dates.params,
    ...parts.map((part) => part.params),
  ) as Record<string, unknown>;
  const rows = await selectRows<DayRow>(clickhouse, query, params, limitMs);
  const offsetOf = createOffsets(days.timeZone);
  const sums = new Map<string, Counts>();
  for (const row of rows) addHours(sums, row, { offsetOf, isByHour });
  return [...sums]
    .filter(([label]) => {
      const date = label.slice(0, 10);
      return (days.from === null || date >= days.from) && (days.to === null || date <= days.to);
    })
    .map(([label, counts]) => ({ label, ...counts }));
}

export type CellTable = {
  readonly table: 'visits_daily' | 'visits_daily_by_owner' | 'visits_daily_counts';
  readonly which: Condition;
};

const byHour = (condition: string) =>
  `CAST(countIfResample(0, 24, 1)(${condition}, toHour(ts)), 'Array(UInt32)')`;
const CLICK = `source = 'click' and outcome != 'excluded'`;
const SCAN = `source = 'scan' and outcome != 'excluded'`;
const FALLBACK = `outcome = 'fallback'`;
const COUNTED = `countIf(${CLICK}) as c, countIf(${SCAN}) as s, countIf(${FALLBACK}) as f,
  CAST((${byHour(CLICK)}, ${byHour(SCAN)}, ${byHour(FALLBACK)}), 'Tuple(clicks Array(UInt32), scans Array(UInt32), fallbacks Array(UInt32))') as h`;

/** Adds a day's hours, and what they leave of its counts: imported totals, and cells whose hours are unknown. */
function addHours(
  sums: Map<string, Counts>,
  row: DayRow,
  { offsetOf, isByHour }: { readonly offsetOf: (timeMs: number) => number; readonly isByHour: boolean },
): void {
  const startMs = Date.parse(row.day);
  const offsets = [offsetOf(startMs), offsetOf(startMs + DAY_MS)] as const;
  const rest = { clicks: row.clicks, scans: row.scans, fallbacks: row.fallbacks };
  const spanMs = isByHour ? HOUR_MS : DAY_MS;
  let known = { span: Number.NaN, sum: rest };
  for (let hour = 0; hour < 24; hour += 1) {
    const counts = {
      clicks: row.hours.clicks[hour] ?? 0,
      scans: row.hours.scans[hour] ?? 0,
      fallbacks: row.hours.fallbacks[hour] ?? 0,
    };
    if (counts.clicks + counts.scans === 0) continue;
    const timeMs = startMs + hour * HOUR_MS;
    // The clocks are changed on few days.
    const offsetMs = offsets[0] === offsets[1] ? offsets[0] : offsetOf(timeMs);
    const span = Math.floor((timeMs + offsetMs) / spanMs);
    if (known.span !== span) {
      // Labels are most of the cost of a year.
      const label = new Date(span * spanMs).toISOString();
      known = { span, sum: sumOf(sums, isByHour ? `${label.slice(0, 13)}:00` : label.slice(0, 10)) };
    }
    add(known.sum, counts, 1);
    add(rest, counts, -1);
  }
  if (rest.clicks + rest.scans !== 0) add(sumOf(sums, row.day), rest, 1);
}

function sumOf(sums: Map<string, Counts>, label: string): Counts {
  const sum = sums.get(label) ?? { clicks: 0, scans: 0, fallbacks: 0 };
  sums.set(label, sum);
  return sum;
}

function add(sum: Counts, { clicks, scans, fallbacks }: Readonly<Counts>, sign: 1 | -1): void {
  sum.clicks += sign * clicks;
  sum.scans += sign * scans;
  sum.fallbacks += sign * fallbacks;
}

/** The difference of a zone's clocks from UTC, in ms. */
function createOffsets(timeZone: string): (timeMs: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  // A day ends where the next one begins.
  const known = new Map<number, number>();
  const offsetAt = (timeMs: number): number => {
    // By its parts it would take four times as long.
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(timeMs)) ?? [];
    const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -ms : ms;
  };
  return (timeMs) => {
    const offsetMs = known.get(timeMs) ?? offsetAt(timeMs);
    known.set(timeMs, offsetMs);
    return offsetMs;
  };
}
