import { TokenType, Tokenizer } from '@streamparser/json';
import { type Refusal, ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

/**
 * Where the rows of a JSON file are: the elements of the array at the top (`[]`), the elements of the array or the
 * members of the object under these keys (`['shortUrls', 'data']`), or the values at the top themselves (null). In all
 * three the file may hold several such values one after the other: pages of an API, appended.
 */
export type RowsAt = readonly string[] | null;

/** One row. `line`: where it begins, from 1. */
export type JsonElement = { readonly line: number } & (
  | { readonly bytes: Buffer; readonly isEnded: boolean }
  | Refusal
);

const NEWLINE = 0x0a;
const NOTHING_FOLLOWS = 'it and whatever follows it cannot be read';

/**
 * Cuts the rows out of a JSON file, each for a strict parser. Keeps one row of ROW_BYTES_MAX at most. Where the file is not
 * JSON, or a row is longer, reading ends with a problem.
 */
export class ElementScanner {
  readonly #rowsAt: RowsAt;
  readonly #tokenizer = new Tokenizer();
  #failure: Error | null = null;

  // Brackets that are open.
  #depth = 0;
  // Keys of the way to the rows that lead into the innermost bracket outside a row.
  #matched = 0;
  #hasMatched = false;
  #isListArray = false;
  #key: unknown = null;
  #isAfterColon = false;

  // The row that has begun: its place in the chunk, the brackets around it, and its bytes of earlier chunks.
  #row: { start: number; readonly depth: number; readonly line: number; bytes: number } | null = null;
  #parts: Buffer[] = [];

  #chunk: Buffer = Buffer.alloc(0);
  #chunkOffset = 0;
  #tokenOffset = 0;
  #line = 1;
  // The next uncounted line break in the chunk, or -1.
  #newline = -1;
  #found: JsonElement[] = [];

  constructor(rowsAt: RowsAt) {
    this.#rowsAt = rowsAt;
    this.#tokenizer.onToken = ({ token, value, offset }) => {
      this.#tokenOffset = offset;
      this.#step(token, value, offset - this.#chunkOffset);
    };
    this.#tokenizer.onError = (err) => (this.#failure = err);
  }

  /** The rows that end in `chunk`; none after a problem with `endsHere`. */
  push(chunk: Buffer): JsonElement[] {
    if (this.#failure !== null) return [];
    this.#chunk = chunk;
    this.#newline = chunk.indexOf(NEWLINE);
    this.#tokenizer.write(chunk);
    if (this.#row !== null) {
      this.#keep(this.#row, chunk.length);
      this.#row.start = 0;
    }
    this.#checkFailure();
    this.#countLines(chunk.length);
    this.#chunkOffset += chunk.length;
    return this.#takeFound();
  }

  /** The row that the end of the file completes or cuts off. */
  end(): JsonElement[] {
    if (this.#failure !== null) return [];
    this.#chunk = Buffer.alloc(0);
    this.#tokenizer.end();
    if (this.#row !== null) this.#report(this.#row.line, 'is cut off: the file ends before it does', true);
    else if (this.#depth > 0 || this.#failure !== null)
      this.#report(this.#line, 'is missing: the file ends here, cut off', true);
    return this.#takeFound();
  }

  #checkFailure(): void {
    const line = this.#row?.line ?? this.#line;
    const isRowTooLong = this.#row !== null && this.#row.bytes > ROW_BYTES_MAX;
    const isTokenTooLong = this.#chunkOffset + this.#chunk.length - this.#tokenOffset > ROW_BYTES_MAX;
    if (this.#failure !== null) this.#report(line, `is not valid JSON: ${NOTHING_FOLLOWS}`, true);
    else if (isRowTooLong || isTokenTooLong) {
      this.#failure = new Error(TOO_LONG);
      this.#report(line, `${TOO_LONG}: ${NOTHING_FOLLOWS}`, true);
    }
  }

  #step(token: TokenType, value: unknown, at: number): void {
    this.#countLines(at);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#open(token, at);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#close(at);
    else if (this.#row === null) this.#word(token, value);
  }

  #open(token: TokenType, at: number): void {
    if (this.#row === null) {
      const isRow = this.#isRowPlace() || (this.#depth === 0 && this.#isObjectForArray(token));
      if (isRow) this.#row = { start: at, depth: this.#depth, line: this.#line, bytes: 0 };
      else this.#match(token);
    }
    this.#isAfterColon = false;
    this.#depth += 1;
  }

  #match(token: TokenType): void {
    const way = this.#rowsAt ?? [];
    const isNext = this.#depth === this.#matched + 1 && this.#matched < way.length;
    if (isNext && this.#isAfterColon && this.#key === way[this.#matched]) {
      this.#matched += 1;
      this.#hasMatched ||= this.#matched === way.length;
    }
    if (this.#matched === way.length && this.#depth === way.length)
      this.#isListArray = token === TokenType.LEFT_BRACKET;
  }

  /** Whether a value that begins here is a row. */
  #isRowPlace(): boolean {
    const way = this.#rowsAt;
    if (way === null) return this.#depth === 0;
    if (this.#matched !== way.length || this.#depth !== way.length + 1) return false;
    return this.#isListArray || this.#isAfterColon;
  }

  #isObjectForArray(token: TokenType): boolean {
    return this.#rowsAt?.length === 0 && token === TokenType.LEFT_BRACE;
  }

  #close(at: number): void {
    if (this.#depth === 0) {
      this.#report(this.#line, 'is no JSON object');
      return;
    }
    this.#depth -= 1;
    if (this.#row === null) this.#closeList();
    else if (this.#depth === this.#row.depth) this.#finish(this.#row, at + 1);
  }

  #closeList(): void {
    this.#isAfterColon = false;
    this.#matched = Math.min(this.#matched, Math.max(0, this.#depth - 1));
    if (this.#depth > 0) return;
    if ((this.#rowsAt?.length ?? 0) > 0 && !this.#hasMatched)
      this.#report(this.#line, 'is no list of links, as what stands before it in the file is');
    this.#hasMatched = false;
  }

  #word(token: TokenType, value: unknown): void {
    if (token === TokenType.COLON) this.#isAfterColon = true;
    else if (token === TokenType.COMMA) this.#isAfterColon = false;
    else if (this.#depth === 0 || this.#isRowPlace()) this.#report(this.#line, 'is no JSON object');
    else if (!this.#isAfterColon) this.#key = value;
  }

  #finish(row: { readonly line: number; start: number; bytes: number }, end: number): void {
    this.#keep(row, end);
    if (row.bytes > ROW_BYTES_MAX) this.#report(row.line, TOO_LONG);
    else this.#found.push({ line: row.line, bytes: Buffer.concat(this.#parts), isEnded: true });
    this.#parts = [];
    this.#row = null;
  }

  #keep(row: { start: number; bytes: number }, end: number): void {
    row.bytes += end - row.start;
    if (row.bytes > ROW_BYTES_MAX) this.#parts = [];
    else this.#parts.push(this.#chunk.subarray(row.start, end));
  }

  #countLines(to: number): void {
    while (this.#newline !== -1 && this.#newline < to) {
      this.#line += 1;
      this.#newline = this.#chunk.indexOf(NEWLINE, this.#newline + 1);
    }
  }

  #report(line: number, reason: string, endsHere = false): void {
    this.#found.push({ line, reason, ...(endsHere && { endsHere }) });
  }

  #takeFound(): JsonElement[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

export const isBlankJson = (text: Buffer): boolean =>
  text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
