import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { NOTHING_FOLLOWS, type Refusal, ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

export type CsvShape = { readonly delimiter: ',' | ';' | '\t'; readonly newline: '\n' | '\r' };

/** A record and the line it begins on, from 1. `isEnded`: a line break follows it, so it is complete. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: readonly string[]; readonly isEnded: boolean }
  | Refusal
);

// A blank record has a byte or two and takes some ten microseconds.
const BLANKS_MAX = 20_000;

/**
 * Yields the records of a table, without blank ones, of which there may be 20,000 more than others. Memory is bounded by one
 * record of ROW_BYTES_MAX and one chunk.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Buffer>,
  { delimiter, newline }: CsvShape,
): AsyncGenerator<CsvRecord, undefined> {
  let found: CsvRecord[] = [];
  let line = 1;
  let lastByte = 0;
  let blanks = 0;
  let failure: Error | null = null;
  const parser = parse({
    delimiter,
    record_delimiter: newline === '\n' ? ['\r\n', '\n'] : ['\r'],
    // A character for each byte: bytes that are not UTF-8 spoil only their own record.
    encoding: 'latin1',
    max_record_size: ROW_BYTES_MAX,
    relax_column_count: true,
    // A quote within an unquoted cell is an ordinary character.
    relax_quotes: true,
    raw: true,
    // Called within write(): only the records of one chunk are kept.
    on_record: (record, { lines }) => {
      found.push({ line, ...decode(record) });
      line = lines + 1;
      return null;
    },
  });
  parser.on('error', (err: Error) => (failure = err));
  for await (const chunk of chunks) {
    lastByte = chunk.at(-1) ?? lastByte;
    await new Promise((resolve) => parser.write(chunk, resolve));
    const rows = found.filter(isRow);
    blanks += found.length - 2 * rows.length;
    yield* rows;
    found = [];
    if (failure !== null) break;
    if (blanks > BLANKS_MAX) {
      yield { line, reason: `is behind ${BLANKS_MAX} blank rows: ${NOTHING_FOLLOWS}` };
      return;
    }
  }
  if (failure === null) await new Promise((resolve) => parser.once('error', resolve).end(resolve));
  const isEnded = lastByte === newline.charCodeAt(0);
  const last = found.pop();
  if (last !== undefined) found.push('cells' in last ? { ...last, isEnded } : last);
  yield* found.filter(isRow);
  if (failure !== null) yield { line, reason: reasonOf(failure) };
}

function reasonOf(failure: Error): string {
  const code = failure instanceof CsvError ? failure.code : '';
  if (code === 'CSV_MAX_RECORD_SIZE') return `${TOO_LONG}: ${NOTHING_FOLLOWS}`;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `opens a quote that is never closed: ${NOTHING_FOLLOWS}`;
  return `cannot be read (${failure.message}): ${NOTHING_FOLLOWS}`;
}

function decode(found: unknown): { readonly cells: readonly string[]; readonly isEnded: true } | Refusal {
  // With `raw` the parser passes both, which its types do not say.
  const { record, raw } = found as { readonly record: readonly string[]; readonly raw: string };
  // For text after a closing quote the parser makes a cell that includes the quotes.
  if (record.some((cell) => cell.startsWith('"') && !raw.includes(quoted(cell))))
    return { reason: 'has text after a closing quote' };
  const cells = record.map((cell) => Buffer.from(cell, 'latin1'));
  if (!cells.every((cell) => isUtf8(cell))) return { reason: 'is not UTF-8: save it as CSV UTF-8' };
  return { cells: cells.map((cell) => cell.toString()), isEnded: true };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** Spreadsheets leave blank records at the end. */
const isRow = (record: CsvRecord): boolean => 'reason' in record || !isBlank(record.cells);
