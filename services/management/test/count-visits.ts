import type { EventRow } from '@smartlink/test-support/event-row';

// The right figures of visits, counted one by one.

export type Counts = { clicks: number; qrScans: number; fallbacks: number; visits: number };

export const orNull = (text = '') => (text === '' ? null : text);

export const counted = (rows: readonly EventRow[]) => rows.filter(({ outcome }) => outcome !== 'excluded');

export function countOf(rows: readonly EventRow[]): Counts {
  const scans = rows.filter(({ source }) => source === 'scan').length;
  return {
    clicks: rows.length - scans,
    qrScans: scans,
    fallbacks: rows.filter(({ outcome }) => outcome === 'fallback').length,
    visits: rows.length,
  };
}

export function groupBy(rows: readonly EventRow[], valueOf: (row: EventRow) => string | null) {
  const groups = new Map<string | null, EventRow[]>();
  for (const row of rows) groups.set(valueOf(row), [...(groups.get(valueOf(row)) ?? []), row]);
  return [...groups]
    .map(([value, members]) => ({ value, ...countOf(members) }))
    .toSorted((a, b) => b.visits - a.visits || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function hourOfWeek({ ts = '' }: EventRow): string {
  return `${WEEKDAYS[new Date(`${ts.slice(0, 10)}T00:00:00Z`).getUTCDay()]}-${ts.slice(11, 13)}`;
}
