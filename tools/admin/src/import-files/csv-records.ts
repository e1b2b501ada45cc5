import { isUtf8 } from 'node:buffer';
import { ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

/** What stands between cells, and what ends a line. */
export type CsvShape = { readonly delimiter: ',' | ';' | '\t'; readonly newline: '\n' | '\r' };

/**
 * A record and the line it begins on, from 1. `problem`: why it has no cells. `endsHere`: its quote is not closed
 * before the file ends. `isEnded`: a line break follows it, so that it is surely whole.
 */
export type CsvRecord = {
  readonly line: number;
  readonly isEnded: boolean;
} & (
  | { readonly cells: readonly string[] }
  | { readonly cells: null; readonly problem: string; readonly endsHere?: true }
);

const QUOTE = 0x22;
const RETURN = 0x0d;

/**
 * Splits CSV (RFC 4180) that comes piece by piece. It keeps one record of ROW_BYTES_MAX at most; a longer one comes
 * without its cells, and the next as it should.
 *
 * Our own, because csv-parse cannot go on after a bad row: at a record beyond `max_record_size` it drops what is left of
 * the chunk, good rows among it, and after a wrong quote it takes the following lines as part of the cell. Tests hold the
 * two together over files that are well-formed.
 *
 * A quote opens where a cell begins and closes at a quote that is not doubled. Elsewhere it is a character like any
 * other, except after a closing one: then the record is refused, and it ends with its line.
 */
export class CsvSplitter {
  readonly #delimiter: string;
  readonly #delimiterByte: number;
  readonly #newlineByte: number;

  #state: 'cell start' | 'plain' | 'quoted' | 'after quote' | 'after return' = 'cell start';
  #isQuotingWrong = false;
  #hasQuotes = false;
  #line = 1;
  #recordLine = 1;
  // The record's bytes of earlier chunks.
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor({ delimiter, newline }: CsvShape) {
    this.#delimiter = delimiter;
    this.#delimiterByte = delimiter.charCodeAt(0);
    this.#newlineByte = newline.charCodeAt(0);
  }

  /** Returns the records that end in `chunk`. */
  push(chunk: Buffer): CsvRecord[] {
    const records: CsvRecord[] = [];
    let start = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i] ?? 0;
      if (byte !== this.#newlineByte) {
        this.#step(byte);
        continue;
      }
      this.#line += 1;
      if (this.#state === 'quoted') continue;
      this.#add(chunk.subarray(start, i));
      records.push(this.#take(true));
      start = i + 1;
    }
    this.#add(chunk.subarray(start));
    return records;
  }

  /** Returns the last record, if the file does not end with a line break. */
  end(): CsvRecord[] {
    if (this.#bytes === 0) return [];
    if (this.#state !== 'quoted') return [this.#take(false)];
    const problem = 'opens a quote that nothing closes: it and whatever follows it cannot be read';
    return [{ line: this.#recordLine, isEnded: false, cells: null, problem, endsHere: true }];
  }

  /** Moves the state over one byte within a record. */
  #step(byte: number): void {
    const state = this.#state;
    if (state === 'quoted') {
      if (byte === QUOTE) this.#state = 'after quote';
    } else if (byte === QUOTE && (state === 'cell start' || state === 'after quote')) {
      // It opens, or makes one quote of the text with the closing one before it.
      this.#state = 'quoted';
      this.#hasQuotes = true;
    } else if (state === 'after quote' && byte === RETURN) {
      // Of the CRLF that ends the record.
      this.#state = 'after return';
    } else {
      if (state === 'after return' || (state === 'after quote' && byte !== this.#delimiterByte))
        this.#isQuotingWrong = true;
      this.#state = byte === this.#delimiterByte ? 'cell start' : 'plain';
    }
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > ROW_BYTES_MAX) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(isEnded: boolean): CsvRecord {
    const record = { line: this.#recordLine, isEnded, ...this.#read() };
    this.#parts = [];
    this.#bytes = 0;
    this.#state = 'cell start';
    this.#isQuotingWrong = this.#hasQuotes = false;
    this.#recordLine = this.#line;
    return record;
  }

  #read(): { cells: readonly string[] } | { cells: null; problem: string } {
    if (this.#bytes > ROW_BYTES_MAX) return { cells: null, problem: TOO_LONG };
    if (this.#isQuotingWrong) return { cells: null, problem: 'has text behind a closing quote' };
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) return { cells: null, problem: 'is not UTF-8: save it as CSV UTF-8' };
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    const text = bytes.toString('utf8', 0, end);
    return { cells: this.#hasQuotes ? splitQuoted(text, this.#delimiter) : text.split(this.#delimiter) };
  }
}

/** Returns whether cells are nothing but space, as spreadsheets leave records of them at the end. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function splitQuoted(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  for (;;) {
    let end: number;
    if (text.startsWith('"', start)) {
      const close = closingQuote(text, start + 1);
      cells.push(text.slice(start + 1, close).replaceAll('""', '"'));
      end = close + 1;
    } else {
      end = text.indexOf(delimiter, start);
      if (end === -1) end = text.length;
      cells.push(text.slice(start, end));
    }
    if (end >= text.length) return cells;
    start = end + 1;
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
