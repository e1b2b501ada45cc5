import { formatTable } from '../cli/table.js';
import { print, type Terminal } from '../cli/terminal.js';

/** Cells by heading. */
export type PageColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

type Page<Row> = {
  /** One more than the limit when there is another page. */
  readonly found: readonly Row[];
  readonly columns: PageColumns<Row>;
  /** Columns to leave out where the table is too wide, the first one first. */
  readonly spare?: readonly string[];
  readonly toJson?: (row: Row) => object;
  /** Printed instead of an empty table. */
  readonly none: string;
  readonly more: (last: Row | undefined) => string;
};

/** Prints at most `limit` rows as a table, and how to list the next page. */
export function printPage<Row extends object>(
  terminal: Terminal,
  { limit, json }: { readonly limit: number; readonly json?: true },
  { found, columns, spare, toJson = (row) => row, none, more }: Page<Row>,
): void {
  const rows = found.slice(0, limit);
  const cells = rows.map((row) => Object.values(columns).map((toCell) => toCell(row)));
  const table = formatTable(terminal, Object.keys(columns), cells, spare);
  const next = found.length > limit ? `${more(rows.at(-1))}\n` : '';
  print(terminal, json, rows.map(toJson), rows.length === 0 ? `${none}\n` : table + next);
}
