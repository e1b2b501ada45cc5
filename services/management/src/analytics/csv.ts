import type { Entry } from '@smartlink/visit-analytics/figures';

const COLUMNS = [
  'date',
  'clicks',
  'qrScans',
  'fallbacks',
  'uniqueVisitors',
  'countries',
  'devices',
  'browsers',
  'operatingSystems',
  'referrers',
  'excluded',
] as const;

/** Returns entries as CSV (RFC 4180), a heading first. A map is one cell: `US=3; DE=1`, largest first. */
export function toCsv(entries: readonly Entry[]): string {
  const lines = entries.map((entry) =>
    [
      entry.date,
      entry.clicks,
      entry.scans,
      entry.fallbacks,
      entry.uniqueVisitors,
      formatMap(entry.countries),
      formatMap(entry.devices),
      formatMap(entry.browsers),
      formatMap(entry.operatingSystems),
      formatMap(entry.referrers),
      formatMap(entry.excluded),
    ]
      .map(toCell)
      .join(','),
  );
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

function formatMap(map: Readonly<Record<string, number>>): string {
  return Object.entries(map)
    .toSorted((a, b) => b[1] - a[1])
    .map(([key, count]) => `${key}=${count}`)
    .join('; ');
}

/**
 * Returns a cell that a spreadsheet takes for text: visitors choose their referrer, and a cell that begins like a
 * formula would be one (OWASP, CSV Injection).
 */
function toCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
