import { plural } from '../plural.js';
import { CsvSplitter, isBlank } from './csv-records.js';
import type { CsvRecord } from './csv-records.js';
import { foreignCsvReader } from './csv-table.js';
import type { ForeignOptions } from './foreign-link.js';
import { refusal, refusedRow, slugIn } from './import-row.js';
import type { CellReader, ImportRow, ReadLink, Refusal } from './import-row.js';
import { ownCsvReader } from './own-csv.js';
import type { Layout } from './recognise-format.js';
import { SERVICES, SERVICE_NAMES } from './services.js';

/** Given a file's bytes piece by piece, gives back the rows that end in them. */
export type RowReader = { push: (chunk: Buffer) => ImportRow[]; end: () => ImportRow[] };

/**
 * Returns the reader of a table's rows, or what is wrong with its heading. Lines of nothing but delimiters are no rows;
 * a row has as many cells as the heading.
 */
export function csvRowReader(
  { format, shape, header }: Layout & { kind: 'csv' },
  options: ForeignOptions,
): RowReader | { readonly problem: string } {
  const service = SERVICE_NAMES.find((name) => `${name}-csv` === format);
  const read =
    service === undefined ? ownCsvReader(header) : foreignCsvReader(header, SERVICES[service], options);
  if (typeof read !== 'function') return read;
  const splitter = new CsvSplitter(shape);
  let isHeadingRead = false;
  let rowNumber = 0;

  const toRows = (records: readonly CsvRecord[]): ImportRow[] => {
    const rows: ImportRow[] = [];
    for (const record of records) {
      if (record.cells !== null && isBlank(record.cells)) continue;
      if (!isHeadingRead) {
        isHeadingRead = true;
        continue;
      }
      rowNumber += 1;
      rows.push(toRow(record, rowNumber, header.length, read));
    }
    return rows;
  };

  return { push: (chunk) => toRows(splitter.push(chunk)), end: () => toRows(splitter.end()) };
}

function toRow(record: CsvRecord, rowNumber: number, cellsExpected: number, read: CellReader): ImportRow {
  const place = { rowNumber, line: record.line };
  if (record.cells === null) return refusedRow(place, record.problem, record.endsHere);
  const { cells, isEnded } = record;
  // A program that saves a table may leave delimiters behind, which say nothing.
  const isWider = cells.length > cellsExpected && !isBlank(cells.slice(cellsExpected));
  if (cells.length < cellsExpected || isWider) {
    const isCut = !isEnded && cells.length < cellsExpected;
    const counts = `has ${plural(cells.length, 'cell')} where the heading has ${cellsExpected}`;
    const reason = isCut ? `${counts}: the file ends here, cut off` : counts;
    return refusedRow(place, isWider ? reason : refusal(reason, slugOf(read(cells))), isCut);
  }
  const result = read(cells);
  return 'reason' in result ? refusedRow(place, result) : { ...place, outcome: 'read', ...result };
}

const slugOf = (result: ReadLink | Refusal): unknown =>
  'reason' in result ? result.slug : slugIn(result.body);
