import { isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { type Refusal, ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

export type CsvShape = { readonly delimiter: ',' | ';' | '\t'; readonly newline: '\n' | '\r' };

/** A record and the line it begins on, from 1. `isEnded`: a line break follows it, so it is complete. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: readonly string[]; readonly isEnded: boolean }
  | Refusal
);

const optionsOf = ({ delimiter, newline }: CsvShape) =>
  ({
    delimiter,
    record_delimiter: newline === '\n' ? ['\r\n', '\n'] : ['\r'],
    // A character for each byte: bytes that are not UTF-8 spoil only their own record.
    encoding: 'latin1',
    max_record_size: ROW_BYTES_MAX,
    relax_column_count: true,
    // A quote within an unquoted cell is an ordinary character.
    relax_quotes: true,
    raw: true,
  }) satisfies Options;

/** The records of a table. Memory is bounded by one record of ROW_BYTES_MAX and one chunk. */
export async function* readCsvRecords(
  chunks: AsyncIterable<Buffer>,
  shape: CsvShape,
): AsyncGenerator<CsvRecord> {
  let found: CsvRecord[] = [];
  let line = 1;
  let lastByte = 0;
  const parser = parse({
    ...optionsOf(shape),
    // Called within write(): only the records of one chunk are kept.
    on_record: (record, { lines }) => {
      found.push({ line, ...decode(record, true) });
      line = lines + 1;
      return null;
    },
  });
  let failure: Error | null = null;
  parser.on('error', (err: Error) => (failure = err));
  for await (const chunk of chunks) {
    lastByte = chunk.at(-1) ?? lastByte;
    await new Promise((resolve) => parser.write(chunk, resolve));
    yield* found;
    found = [];
    if (failure !== null) break;
  }
  if (failure === null) await new Promise((resolve) => parser.once('error', resolve).end(resolve));
  const isEnded = lastByte === shape.newline.charCodeAt(0);
  yield* found.map((record, i) =>
    'cells' in record && i === found.length - 1 ? { ...record, isEnded } : record,
  );
  if (failure !== null) yield { line, reason: reasonOf(failure), endsHere: true };
}

function reasonOf(failure: Error): string {
  const code = failure instanceof CsvError ? failure.code : '';
  if (code === 'CSV_MAX_RECORD_SIZE') return `${TOO_LONG}: it and whatever follows it cannot be read`;
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'opens a quote that nothing closes: it and whatever follows it cannot be read';
  return `cannot be read, nor whatever follows it: ${failure.message}`;
}

/** The first record of a table that is not blank; null where `head` has none, or ends within it. */
export function readCsvHeading(head: Buffer, shape: CsvShape, isWhole: boolean): CsvRecord | null {
  const found: (CsvRecord & { readonly isWhole: boolean })[] = [];
  let line = 1;
  try {
    parseSync(head, {
      ...optionsOf(shape),
      on_record: (record, { lines, bytes }) => {
        found.push({ line, ...decode(record, bytes < head.length), isWhole: bytes < head.length });
        line = lines + 1;
        return null;
      },
    });
  } catch (err) {
    if (!(err instanceof CsvError)) throw err;
    if (isWhole) found.push({ line, reason: reasonOf(err), isWhole });
  }
  const heading = found.find((record) => !('cells' in record) || !isBlank(record.cells));
  return heading !== undefined && (heading.isWhole || isWhole) ? heading : null;
}

function decode(found: unknown, isEnded: boolean): { cells: readonly string[]; isEnded: boolean } | Refusal {
  // With `raw` the parser passes both, which its types do not say.
  const { record, raw } = found as { readonly record: readonly string[]; readonly raw: string };
  // For text after a closing quote the parser makes a cell that includes the quotes.
  if (record.some((cell) => cell.startsWith('"') && !raw.includes(quoted(cell))))
    return { reason: 'has text behind a closing quote' };
  const cells = record.map((cell) => Buffer.from(cell, 'latin1'));
  if (!cells.every((cell) => isUtf8(cell))) return { reason: 'is not UTF-8: save it as CSV UTF-8' };
  return { cells: cells.map((cell) => cell.toString()), isEnded };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Spreadsheets leave blank records at the end. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
