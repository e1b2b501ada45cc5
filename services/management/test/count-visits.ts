import { expect } from 'vitest';
import type { EventRow } from '@smartlink/test-support/event-row';
import { hourLabelOf } from '@smartlink/visits/analytics';
import type { Caller } from './start-service.js';

// The right figures of visits, counted one by one.

export type Counts = { clicks: number; qrScans: number; fallbacks: number; visits: number };

export type Breakdown = {
  rows: (Counts & { value: string | null; uniqueVisitors?: number; name?: string })[];
  other: Counts;
  total: Counts;
};
type Counted = Record<string, number>;
type Extras = {
  uniqueVisitors: number;
  referrers: Counted;
  operatingSystems: Counted;
  excluded: Counted;
  buttons?: Record<string, { title: string | null; presses: number }>;
};
export type Series = Extras & {
  totalClicks: number;
  totalQrCodeScans: number;
  totalFallBack: number;
  previous?: object;
  availableFrom?: string;
  analyticsData: (Extras & { date: string; clicks: number; qrScans: number; fallbacks: number })[];
};

export const DAY_MS = 86_400_000;
export const toTs = (timeMs: number) => new Date(timeMs).toISOString().replace('T', ' ').slice(0, -1);
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The data of an answer, which must be a success. */
export async function readData<T>(api: Caller, path: string): Promise<T> {
  const { status, body } = await api.get(path);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return body.data as T;
}

export const orNull = (text: string | undefined = '') => (text === '' ? null : text);

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

export const sumOf = (all: readonly Counts[]): Counts => ({
  clicks: all.reduce((sum, { clicks }) => sum + clicks, 0),
  qrScans: all.reduce((sum, { qrScans }) => sum + qrScans, 0),
  fallbacks: all.reduce((sum, { fallbacks }) => sum + fallbacks, 0),
  visits: all.reduce((sum, { visits }) => sum + visits, 0),
});

export function groupBy(rows: readonly EventRow[], valueOf: (row: EventRow) => string | null) {
  const groups = new Map<string | null, EventRow[]>();
  for (const row of rows) groups.set(valueOf(row), [...(groups.get(valueOf(row)) ?? []), row]);
  return [...groups]
    .map(([value, members]) => ({ value, ...countOf(members) }))
    .toSorted((a, b) => b.visits - a.visits || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
}

function tally(rows: readonly EventRow[], column: keyof EventRow, empty: string | null = null): Counted {
  const counts: Counted = {};
  for (const row of rows) {
    const value = orNull(row[column]) ?? empty;
    if (value !== null) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** The presses of rows by button, as `buttons` has them for a type without buttons. */
export function buttonsOf(rows: readonly EventRow[]): Record<string, { title: null; presses: number }> {
  const presses = tally(
    rows.filter(({ exclusion }) => exclusion === 'press'),
    'button',
  );
  return Object.fromEntries(
    Object.entries(presses).map(([button, count]) => [button, { title: null, presses: count }]),
  );
}

/** Empty if no visit was led by a rule or variant. */
export function routesOf(visits: readonly EventRow[]): Counted {
  const counts: Counted = {};
  for (const { rule = '', variant = '' } of visits) {
    const parts = [
      ...(rule === '' ? [] : [`rule:${rule}`]),
      ...(variant === '' ? [] : [`variant:${variant}`]),
    ];
    const route = parts.length === 0 ? 'default' : parts.join('/');
    counts[route] = (counts[route] ?? 0) + 1;
  }
  return Object.keys(counts).every((route) => route === 'default') ? {} : counts;
}

/** All figures of an entry, or of all its entries, but the counts and the visitors. `rows` are also those that do not count. */
export function mapsOf(rows: readonly EventRow[]) {
  const visits = counted(rows);
  const optional = {
    languages: tally(visits, 'language'),
    utmSources: tally(visits, 'utm_source'),
    utmMediums: tally(visits, 'utm_medium'),
    utmCampaigns: tally(visits, 'utm_campaign'),
    domains: visits.some(({ domain }) => orNull(domain) !== null) ? tally(visits, 'domain', 'default') : {},
    routes: routesOf(visits),
  };
  return {
    countries: tally(visits, 'country'),
    devices: tally(visits, 'device'),
    browsers: tally(visits, 'browser'),
    operatingSystems: tally(visits, 'os'),
    referrers: tally(visits, 'referrer_host', 'direct'),
    excluded: tally(
      rows.filter(({ outcome, exclusion }) => outcome === 'excluded' && exclusion !== 'press'),
      'exclusion',
    ),
    ...Object.fromEntries(Object.entries(optional).filter(([, counts]) => Object.keys(counts).length > 0)),
  };
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
