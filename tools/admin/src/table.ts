import { toPrintable } from './printable.js';

/** Returns rows as a table for people: columns as wide as their longest cell, two spaces between them. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(toPrintable));
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...clean.map((row) => (row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(headings), ...clean.map(line)].join('\n') + '\n';
}

/** Returns a time for people, in UTC to the minute; `-` for none. */
export function formatTime(time: Date | null): string {
  return time === null ? '-' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
