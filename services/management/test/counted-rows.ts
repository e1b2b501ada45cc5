import type { EventRow } from '@smartlink/test-support/event-row';
import { hourLabelOf, labelOf } from '@smartlink/visit-analytics/calendar';
import { NO_FIGURES } from '@smartlink/visit-analytics/figures';
import type { Figures } from '@smartlink/visit-analytics/figures';
import type { Series, SeriesRequest } from '@smartlink/visit-analytics/series';
import type { Totals } from '@smartlink/visit-analytics/totals';

/** Returns what analytics must answer about these rows, counted one by one; fewer than 100 referrers. */
export function countVisits(
  rows: readonly EventRow[],
  { interval, timeZone, from, to }: Pick<SeriesRequest, 'interval' | 'timeZone' | 'from' | 'to'>,
): Series {
  const groups = new Map<string, EventRow[]>();
  for (const row of rows) {
    const hour = hourLabelOf(Date.parse(`${row.ts?.replace(' ', 'T')}Z`), timeZone);
    const day = hour.slice(0, 10);
    if ((from !== null && day < from) || (to !== null && day > to)) continue;
    const label = interval === 'hour' ? hour : labelOf(day, interval);
    groups.set(label, [...(groups.get(label) ?? []), row]);
  }
  return {
    entries: [...groups]
      .map(([date, members]) => ({ date, ...count(members, timeZone) }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    totals: rows.length === 0 ? NO_FIGURES : count(rows, 'UTC'),
  };
}

/** Returns the totals of these rows. */
export function sumTotals(rows: readonly EventRow[]): Totals {
  const { clicks, scans, fallbacks } = count(rows, 'UTC');
  return { clicks, scans, fallbacks };
}

function count(rows: readonly EventRow[], timeZone: string): Figures {
  const counted = rows.filter((row) => row.outcome !== 'excluded');
  const tally = (members: readonly EventRow[], name: keyof EventRow, empty = ''): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const row of members) {
      const value = row[name] === undefined || row[name] === '' ? empty : row[name];
      counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };
  const visitors = counted
    .filter((row) => row.visitor_id !== '0')
    .map((row) => {
      const day = hourLabelOf(Date.parse(`${row.ts?.replace(' ', 'T')}Z`), timeZone).slice(0, 10);
      return `${day} ${row.visitor_id}`;
    });
  return {
    clicks: counted.filter((row) => row.source === 'click').length,
    scans: counted.filter((row) => row.source === 'scan').length,
    fallbacks: counted.filter((row) => row.outcome === 'fallback').length,
    uniqueVisitors: new Set(visitors).size,
    countries: tally(counted, 'country'),
    devices: tally(counted, 'device'),
    browsers: tally(counted, 'browser'),
    operatingSystems: tally(counted, 'os'),
    referrers: tally(counted, 'referrer_host', 'direct'),
    excluded: tally(
      rows.filter((row) => row.outcome === 'excluded'),
      'exclusion',
    ),
  };
}
