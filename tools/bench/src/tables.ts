import type { Spread } from './figures.js';

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Returns a table for a terminal, columns aligned. */
export function renderText({ head, rows }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  return [line(head), ...rows.map(line)].join('\n');
}

/** Returns a table in Markdown. */
export function renderMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_title, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

/** Returns a figure with the three digits that count. */
export function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

/** Returns a ratio as it is written in a table: `×1.25`. */
export const times = (ratio: number) =>
  `×${ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toPrecision(3)}`;

/** Returns a ratio with the least and the most of its pairs: `×1.25 (×1.20–×1.31)`. */
export const timesText = ({ median, least, most }: Spread): string =>
  `${times(median)} (${times(least)}–${times(most)})`;
