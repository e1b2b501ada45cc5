import { toCsvRow } from '@smartlink/import/text';
import type { Entry, Figures, VisitCounts } from '@smartlink/visits/analytics';
import type { Titles } from './buttons.js';
import type {
  AccountAnalytics,
  BreakdownAnswer,
  BreakdownAnswerRow,
  PressesAnswer,
} from './read-account-analytics.js';

// Figures as the API has them, and as CSV.

/** Whether a query asks for clicks, scans and fallbacks alone. */
type Fields = { readonly fields?: 'counts' | undefined };

/** The figures of a series. */
export function toSeries(
  {
    totals,
    entries,
    availableFrom,
    titles,
    previous = null,
  }: Omit<AccountAnalytics, 'previous'> & Partial<Pick<AccountAnalytics, 'previous'>>,
  query: Fields,
): object {
  return {
    ...toTotals(totals, query, titles),
    ...(previous === null
      ? {}
      : { previous: { from: previous.from, to: previous.to, ...toTotals(previous.totals, query, titles) } }),
    ...(availableFrom === null ? {} : { availableFrom }),
    analyticsData: entries.map((entry) => toEntry(entry, query, titles)),
  };
}

function toTotals(totals: Figures, { fields }: Fields, titles: Titles): object {
  return {
    totalClicks: totals.clicks,
    totalQrCodeScans: totals.scans,
    totalFallBack: totals.fallbacks,
    ...(fields === 'counts' ? {} : extrasOf(totals, titles)),
  };
}

function toEntry(entry: Entry, { fields }: Fields, titles: Titles): object {
  const { date, clicks, scans: qrScans, fallbacks, countries, devices, browsers } = entry;
  const counts = { date, clicks, qrScans, fallbacks };
  return fields === 'counts'
    ? counts
    : { ...counts, countries, devices, browsers, ...extrasOf(entry, titles) };
}

function extrasOf(figures: Figures, titles: Titles): object {
  const { uniqueVisitors, referrers, operatingSystems, excluded } = figures;
  const { languages, utmSources, utmMediums, utmCampaigns, domains, routes } = figures;
  const buttons = Object.fromEntries(
    Object.entries(figures.presses).map(([button, presses]) => [
      button,
      { title: titles.get(button) ?? null, presses },
    ]),
  );
  const optional = { languages, utmSources, utmMediums, utmCampaigns, domains, routes, buttons };
  const recorded = Object.entries(optional).filter(([, counts]) => Object.keys(counts).length > 0);
  return { uniqueVisitors, referrers, operatingSystems, excluded, ...Object.fromEntries(recorded) };
}

/** A breakdown. */
export function toBreakdown({ rows, other, total, availableFrom }: BreakdownAnswer): object {
  return {
    rows: rows.map(toRow),
    other: toCounts(other),
    total: toCounts(total),
    ...(availableFrom === null ? {} : { availableFrom }),
  };
}

/** A breakdown by button. */
export function toPresses({ rows, other, total, availableFrom }: PressesAnswer): object {
  return { rows, other, total, ...(availableFrom === null ? {} : { availableFrom }) };
}

function toRow({ value, name, relink, uniqueVisitors, ...counts }: BreakdownAnswerRow) {
  return {
    value,
    ...(name === undefined ? {} : { name }),
    ...(relink === undefined ? {} : { relink }),
    ...toCounts(counts),
    ...(uniqueVisitors === undefined ? {} : { uniqueVisitors }),
  };
}

const toCounts = ({ clicks, scans, fallbacks, visits }: VisitCounts) => ({
  ...{ clicks, qrScans: scans, fallbacks, visits },
});

/** Headers of an answer in CSV. */
export const toCsvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

const COUNT_COLUMNS = ['date', 'clicks', 'qrScans', 'fallbacks'];
const COLUMNS = [
  ...COUNT_COLUMNS,
  ...['uniqueVisitors', 'countries', 'devices', 'browsers', 'operatingSystems', 'referrers', 'excluded'],
];

/**
 * Entries as CSV with a header. A map is one cell: `US=3; DE=1`, largest first. Presses have a column where there are any.
 */
export function toCsv(entries: readonly Entry[], { fields }: Fields = {}): string {
  const isPressed = entries.some(({ presses }) => Object.keys(presses).length > 0);
  const columns = fields === 'counts' ? COUNT_COLUMNS : [...COLUMNS, ...(isPressed ? ['buttons'] : [])];
  return toTable(
    columns,
    entries.map(({ scans: qrScans, presses: buttons, ...entry }) => {
      const cells: Readonly<Record<string, Cell>> = { ...entry, qrScans, buttons };
      return columns.map((name) => cells[name] ?? '');
    }),
  );
}

const ROW_COLUMNS = ['value', 'clicks', 'qrScans', 'fallbacks', 'visits'] as const;
const LINK_COLUMNS = ['value', 'name', 'relink', ...ROW_COLUMNS.slice(1), 'uniqueVisitors'] as const;

/** A breakdown as CSV with a header: a line a value, empty for visits without one. */
export function toBreakdownCsv({ rows }: BreakdownAnswer, by: string): string {
  const columns =
    by === 'smartlink'
      ? LINK_COLUMNS
      : by === 'folder'
        ? (['value', 'name', ...ROW_COLUMNS.slice(1)] as const)
        : ROW_COLUMNS;
  return toTable(
    columns,
    rows.map((row) => {
      const cells: Readonly<Record<string, string | number | null>> = toRow(row);
      return columns.map((name) => cells[name] ?? '');
    }),
  );
}

/** A breakdown by button as CSV with a header; the title is empty for a button that the present version does not have. */
export const toPressesCsv = ({ rows }: PressesAnswer): string =>
  toTable(
    ['value', 'title', 'presses'],
    rows.map(({ value, title, presses }) => [value, title ?? '', presses]),
  );

type Cell = string | number | Readonly<Record<string, number>>;

const toTable = (columns: readonly string[], lines: readonly (readonly Cell[])[]): string =>
  [columns, ...lines.map((cells) => cells.map(toText))].map(toCsvRow).join('');

function formatMap(map: Readonly<Record<string, number>>): string {
  return Object.entries(map)
    .toSorted((a, b) => b[1] - a[1])
    .map(([key, count]) => `${key}=${count}`)
    .join('; ');
}

const toText = (value: Cell): string => (typeof value === 'object' ? formatMap(value) : String(value));
