import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import { selectRows } from './clickhouse.js';
import { allOf, type Condition, type Days, isWithinDates } from './selection.js';

/** Counts of an hour, or of a day whose hours are unknown. */
export type HourlyCounts = {
  /** YYYY-MM-DDTHH:00, or YYYY-MM-DD, in the zone of the days. */
  readonly label: string;
  readonly clicks: number;
  readonly scans: number;
  readonly fallbacks: number;
};

type Hours = Readonly<Record<'clicks' | 'scans' | 'fallbacks', readonly number[]>>;

type DayRow = Omit<HourlyCounts, 'label'> & { readonly day: string; readonly hours: Hours };

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
 * Counts of cells and events by hour of a zone of whole hours. `cells` are conditions by table; those and `open` choose no
 * day twice. Rejects after `limitMs`.
 */
export async function findHourlyCounts(
  clickhouse: ClickHouseClient,
  sources: { readonly cells: readonly CellTable[]; readonly open: Condition; readonly days: Days },
  limitMs: number,
): Promise<readonly HourlyCounts[]> {
  const { days } = sources;
  // Days of the zone begin in the day before, and end in the day after.
  const wide = {
    from: days.from === null ? null : addDays(days.from, -1),
    to: days.to === null ? null : addDays(days.to, 1),
  };
  const dates = isWithinDates(wide);
  const parts = [
    ...sources.cells.map(({ table, condition }) => ({
      sql: `select date as day, clicks as c, scans as s, fallbacks as f, hours as h from ${table} final where ${
        allOf(condition, dates).sql
      }`,
      params: condition.params,
    })),
    {
      sql: `select toDate(ts) as day, ${COUNTED} from events final where ${sources.open.sql}
        and toDate(ts) >= {fromDate:Date32} and toDate(ts) <= {toDate:Date32} group by day`,
      params: sources.open.params,
    },
  ];
  const query = `
select toString(day) as day, sum(c) as clicks, sum(s) as scans, sum(f) as fallbacks,
       map('clicks', sumForEach(h.clicks), 'scans', sumForEach(h.scans), 'fallbacks', sumForEach(h.fallbacks)) as hours
from (${parts.map(({ sql }) => sql).join('\n  union all\n')}) as days
group by days.day`;
  const params = Object.assign({}, dates.params, ...parts.map((part) => part.params)) as Record<
    string,
    unknown
  >;
  const rows = await selectRows<DayRow>(clickhouse, query, params, limitMs);
  const offsetOf = createOffsets(days.timeZone);
  return rows
    .flatMap((row) => toHours(row, offsetOf))
    .filter(({ label }) => {
      const date = label.slice(0, 10);
      return (days.from === null || date >= days.from) && (days.to === null || date <= days.to);
    });
}

export type CellTable = {
  readonly table: 'visits_daily' | 'visits_daily_by_owner';
  readonly condition: Condition;
};

const byHour = (condition: string) =>
  `CAST(countIfResample(0, 24, 1)(${condition}, toHour(ts)), 'Array(UInt32)')`;
const CLICK = `source = 'click' and outcome != 'excluded'`;
const SCAN = `source = 'scan' and outcome != 'excluded'`;
const FALLBACK = `outcome = 'fallback'`;
const COUNTED = `countIf(${CLICK}) as c, countIf(${SCAN}) as s, countIf(${FALLBACK}) as f,
  CAST((${byHour(CLICK)}, ${byHour(SCAN)}, ${byHour(FALLBACK)}), 'Tuple(clicks Array(UInt32), scans Array(UInt32), fallbacks Array(UInt32))') as h`;

/** A day's hours, and what they leave of its counts: imported totals, and cells whose hours are unknown. */
function toHours(row: DayRow, offsetOf: (timeMs: number) => number): readonly HourlyCounts[] {
  const startMs = Date.parse(row.day);
  const offsets = [offsetOf(startMs), offsetOf(startMs + DAY_MS)] as const;
  const rest = { clicks: row.clicks, scans: row.scans, fallbacks: row.fallbacks };
  const counts: HourlyCounts[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    const clicks = row.hours.clicks[hour] ?? 0;
    const scans = row.hours.scans[hour] ?? 0;
    const fallbacks = row.hours.fallbacks[hour] ?? 0;
    if (clicks + scans === 0) continue;
    const timeMs = startMs + hour * HOUR_MS;
    // The clocks are changed on few days.
    const offsetMs = offsets[0] === offsets[1] ? offsets[0] : offsetOf(timeMs);
    const label = `${new Date(timeMs + offsetMs).toISOString().slice(0, 13)}:00`;
    counts.push({ label, clicks, scans, fallbacks });
    rest.clicks -= clicks;
    rest.scans -= scans;
    rest.fallbacks -= fallbacks;
  }
  return rest.clicks + rest.scans === 0 ? counts : [...counts, { label: row.day, ...rest }];
}

/** The difference of a zone's clocks from UTC, in ms. */
function createOffsets(timeZone: string): (timeMs: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (timeMs) => {
    const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
      /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? [];
    const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -ms : ms;
  };
}
