import { useQuery } from '@tanstack/react-query';
import type { Analytics } from '@smartlink/client';
import { api } from '../../app/api.js';
import { type Dimension, DIMENSIONS, type Span } from './query.js';

export type Counts = Readonly<Record<string, number>>;
export type Entry = {
  readonly date: string;
  readonly clicks: number;
  readonly scans: number;
};
export type Pressed = { readonly title: string | null; readonly presses: number };
/** Figures of a span. */
export type Figures = {
  readonly clicks: number;
  readonly scans: number;
  readonly fallbacks: number;
  readonly visitors: number;
  readonly by: Readonly<Record<Dimension, Counts>>;
  readonly excluded: Counts;
  /** By rule and variant; empty if no visit was led by one. */
  readonly routes: Counts;
  /** Presses of the buttons of a smartlink's page; those that it no longer has are without title. */
  readonly buttons: Readonly<Record<string, Pressed>>;
  readonly entries: readonly Entry[];
  /** First day with individual visits, if the span starts earlier. */
  readonly availableFrom: string | null;
};

/** A smartlink or the whole account, with filters and time zone. */
export type Choice = {
  readonly smartlinkId?: string | undefined;
  readonly tz: string;
  readonly filters: Readonly<Record<string, string>>;
};

// Visits appear in figures within five seconds.
const REFRESH_MS = 4_000;

/** Figures, polled if live. Null without a span. */
export function useFigures(choice: Choice, span: Span | null, isLive: boolean) {
  return useQuery({
    queryKey: ['figures', choice, span],
    queryFn: async ({ signal }) => {
      if (span === null) return null;
      const { data } = await api.analytics.ofAccount(toParameters(choice, span), { signal });
      return toFigures(data, span);
    },
    // Figures stay while others of the same smartlink load.
    placeholderData: (old, query) =>
      (query?.queryKey[1] as Choice | undefined)?.smartlinkId === choice.smartlinkId ? old : undefined,
    ...(isLive ? { refetchInterval: REFRESH_MS } : {}),
  });
}

export function toParameters({ smartlinkId, tz, filters }: Choice, { from, to, interval }: Span) {
  return {
    ...(smartlinkId === undefined ? {} : { id: smartlinkId }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...{ tz, interval, fill: 'zero' as const },
    ...filters,
  };
}

export function toFigures(data: Analytics, { hours }: Span): Figures {
  const entries =
    hours === undefined
      ? data.analyticsData
      : data.analyticsData.filter(({ date }) => date >= hours.first && date <= hours.last);
  const sum = (key: 'clicks' | 'qrScans' | 'fallbacks' | 'uniqueVisitors'): number =>
    entries.reduce((total, entry) => total + entry[key], 0);
  const sumOf = (key: Dimension | 'excluded' | 'routes'): Counts =>
    addCounts(entries.map((entry) => entry[key] ?? {}));
  const isWhole = hours === undefined;
  return {
    clicks: isWhole ? data.totalClicks : sum('clicks'),
    scans: isWhole ? data.totalQrCodeScans : sum('qrScans'),
    fallbacks: isWhole ? data.totalFallBack : sum('fallbacks'),
    visitors: isWhole ? data.uniqueVisitors : sum('uniqueVisitors'),
    by: Object.fromEntries(DIMENSIONS.map((name) => [name, sumOf(name)])) as Record<Dimension, Counts>,
    excluded: isWhole ? data.excluded : sumOf('excluded'),
    routes: sumOf('routes'),
    buttons: addPresses(entries.map((entry) => entry.buttons ?? {})),
    entries: entries.map(({ date, clicks, qrScans }) => ({ date, clicks, scans: qrScans })),
    availableFrom: data.availableFrom ?? null,
  };
}

function addCounts(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [value, count] of Object.entries(counts)) sums.set(value, (sums.get(value) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

function addPresses(all: readonly Figures['buttons'][]): Figures['buttons'] {
  const sums = new Map<string, Pressed>();
  for (const [button, { title, presses }] of all.flatMap((buttons) => Object.entries(buttons))) {
    sums.set(button, { title, presses: (sums.get(button)?.presses ?? 0) + presses });
  }
  return Object.fromEntries(sums);
}

/** Entries of the span as CSV. */
export async function readCsv(choice: Choice, span: Span): Promise<string> {
  const { data } = await api.analytics.csvOfAccount(toParameters(choice, span));
  const { hours } = span;
  if (hours === undefined) return data;
  const [header = '', ...lines] = data.split('\r\n');
  // No value of these columns has a line break.
  const kept = lines.filter((line) => {
    const date = line.slice(0, hours.first.length);
    return date >= hours.first && date <= hours.last;
  });
  return [header, ...kept, ''].join('\r\n');
}
