const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BAR_COLUMNS_MIN = 10;

/**
 * Returns a chart for people: a line per row with its label, a bar and its number, no wider than `columns`; the largest
 * number fills the width.
 */
export function formatBarChart(
  rows: readonly { readonly label: string; readonly value: number }[],
  columns: number,
): string {
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  const labelColumns = Math.max(0, ...rows.map(({ label }) => label.length));
  const numberColumns = String(largest).length;
  const barColumns = Math.max(BAR_COLUMNS_MIN, columns - labelColumns - numberColumns - 4);
  return rows
    .map(({ label, value }) => {
      const eighths = Math.round((value / largest) * barColumns * 8);
      // What is there can be seen, however small.
      const shown = value > 0 ? Math.max(1, eighths) : 0;
      const bar = '█'.repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] ?? '');
      return (
        `${label.padEnd(labelColumns)}  ${String(value).padStart(numberColumns)}  ${bar}`.trimEnd() + '\n'
      );
    })
    .join('');
}
