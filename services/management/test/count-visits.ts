import { expect } from 'vitest';
import type { EventRow } from '@smartlink/test-support/event-row';
import { hourLabelOf } from '@smartlink/visits/analytics';

// The right figures of visits, counted one by one.

export type Counts = { clicks: number; qrScans: number; fallbacks: number; visits: number };

export type Breakdown = {
  rows: (Counts & { value: string | null; uniqueVisitors?: number; name?: string })[];
  other: Counts;
  total: Counts;
};
export type Series = {
  totalClicks: number;
  totalQrCodeScans: number;
  totalFallBack: number;
  uniqueVisitors: number;
  analyticsData: { date: string; clicks: number; qrScans: number; fallbacks: number }[];
};

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

type CountedSpans = {
  readonly totalClicks: number;
  readonly totalQrCodeScans: number;
  readonly totalFallBack: number;
  readonly analyticsData: unknown;
};

/** Holds the counts of GET /analytics by day and hour of several zones against the visits. */
export async function expectCountsInZones(
  get: (path: string) => Promise<CountedSpans>,
  visits: readonly EventRow[],
  days: { readonly from: string; readonly to: string } | null,
): Promise<void> {
  for (const tz of ['UTC', 'Asia/Baku', 'America/New_York', 'Asia/Kathmandu']) {
    const hourOf = ({ ts = '' }: EventRow) => hourLabelOf(Date.parse(`${ts.replace(' ', 'T')}Z`), tz);
    const rows = visits.filter((row) => {
      const day = hourOf(row).slice(0, 10);
      return days === null || (day >= days.from && day <= days.to);
    });
    for (const interval of ['day', 'hour']) {
      const found = await get(`/analytics?fields=counts&tz=${tz}&interval=${interval}`);
      const { clicks, qrScans, fallbacks } = countOf(rows);
      const spans = groupBy(rows, (row) => hourOf(row).slice(0, interval === 'hour' ? 16 : 10));
      expect([tz, interval, found]).toEqual([
        ...[tz, interval],
        {
          ...{ totalClicks: clicks, totalQrCodeScans: qrScans, totalFallBack: fallbacks },
          analyticsData: spans
            .toSorted((a, b) => ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
            .map(({ value, visits: _, ...counts }) => ({ date: value, ...counts })),
        },
      ]);
    }
  }
}
