import { toCsvRow, toPrintable } from '../text.js';
import type { Remark } from './queries.js';

export const REPORT_HEADING = toCsvRow(['row', 'line', 'slug', 'reason', 'created as']);

/** A line of the report, without formulas of spreadsheets or commands of terminals. */
export const toReportRow = ({ rowNumber, line, slug, reason, createdAs }: Remark): string =>
  toCsvRow([`${rowNumber}`, line > 0 ? `${line}` : '', slug ?? '', reason, createdAs ?? ''].map(toPrintable));
