import { relink } from '@smartlink/smartlink/relink';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { toCsvRow } from './event-csv.js';
import { toExportItem } from './export-item.js';
import type { ExportedRow } from './export-queries.js';
import { Problem } from './problem.js';

export const EXPORT_FORMATS = ['json', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How smartlinks are put into words. */
export type ExportText = {
  readonly start: string;
  readonly item: (row: ExportedRow, totals: Totals, isFirst: boolean) => string;
  readonly end: (count: number) => string;
};

/** Returns the words of a format. Throws Problem when it shows whole addresses and nobody knows how they begin. */
export function exportTextOf(format: ExportFormat, publicBaseUrl: string | undefined): ExportText {
  if (format === 'json') return JSON_TEXT;
  if (publicBaseUrl === undefined) {
    throw new Problem('PUBLIC_BASE_URL is not set: it is what every address begins with.');
  }
  return csvText(publicBaseUrl);
}

/** An array with an item a line, so that it can be read and written piece by piece. */
const JSON_TEXT: ExportText = {
  start: '[',
  item: (row, totals, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(toExportItem(row, totals))}`,
  end: (count) => (count === 0 ? ']\n' : '\n]\n'),
};

const COLUMNS = [
  'name',
  'address',
  'type',
  'destination',
  'status',
  'created',
  'clicks',
  'scans',
  'fallbacks',
];

const csvText = (publicBaseUrl: string): ExportText => ({
  start: toCsvRow(COLUMNS),
  item: (row, { clicks, scans, fallbacks }) =>
    toCsvRow([
      row.name,
      relink(publicBaseUrl, row.slug),
      row.type,
      destinationOf(row),
      row.status,
      row.created_at.toISOString(),
      ...[clicks, scans, fallbacks].map(String),
    ]),
  end: () => '',
});

/** Only a Url link has one. */
function destinationOf({ type, content }: ExportedRow): string {
  if (type !== 'Url') return '';
  return (content.Url?.['shortener'] as { readonly url: string } | undefined)?.url ?? '';
}
