import { ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

/**
 * Where the rows of a JSON file are: the elements of the array at the top (`[]`), the elements of the array or the
 * members of the object under these keys (`['shortUrls', 'data']`), or the values at the top themselves (null). In all
 * three the file may hold several such values one after the other: pages of an API, appended.
 */
export type RowsAt = readonly string[] | null;

/** One row. `line`: where it begins, from 1. `problem`: why it has no bytes; `endsHere`: nothing after it can be read. */
export type JsonElement = { readonly line: number } & (
  | { readonly bytes: Buffer; readonly isEnded: boolean }
  | { readonly bytes: null; readonly problem: string; readonly endsHere?: true }
);

// Far beyond what the strict parser takes; brackets that lie deeper are counted, but not told apart.
const STACK_MAX = 256;
const KEY_BYTES_MAX = 64;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Cuts the rows out of a JSON file that comes piece by piece. It keeps one row of ROW_BYTES_MAX at most.
 *
 * It knows strings and brackets and nothing else of JSON: what a row holds is for its parser to judge. So a row of
 * garbage ends where its brackets say, and the next is read. A bracket closes the innermost one of its kind that the
 * row has, or the innermost of all. A string cannot have a line break, so one that meets it ends there; the row is
 * broken then, and ends as well where a line begins with `{` no further to the right than the row did. Commas are not
 * asked for.
 */
export class ElementScanner {
  readonly #rowsAt: RowsAt;

  // Brackets that are open, outermost first, and how many there are beyond those.
  readonly #stack: number[] = [];
  #beyond = 0;
  // How many keys of the way to the rows lead into the innermost bracket outside a row.
  #matched = 0;
  #hasMatched = false;
  #key = '';
  #isAfterColon = false;

  #isInString = false;
  #isEscaped = false;

  #line = 1;
  // Where the line began, relative to the chunk.
  #lineStart = 0;
  #isLineBlank = true;

  // The row that has begun: where in the chunk, how many brackets were open, and its bytes of earlier chunks.
  #start = -1;
  #base = 0;
  #isScalar = false;
  #isBroken = false;
  #startLine = 0;
  #startColumn = 0;
  #parts: Buffer[] = [];
  #bytes = 0;

  #chunk: Buffer = Buffer.alloc(0);
  #found: JsonElement[] = [];

  constructor(rowsAt: RowsAt) {
    this.#rowsAt = rowsAt;
  }

  /** Returns the rows that end in `chunk`. */
  push(chunk: Buffer): JsonElement[] {
    this.#chunk = chunk;
    for (let i = 0; i < chunk.length; i += 1) {
      if (this.#isInString) i = this.#skipString(i);
      else this.#step(i, chunk[i] ?? 0);
    }
    if (this.#start !== -1) {
      this.#keep(chunk.length);
      this.#start = 0;
    }
    this.#lineStart -= chunk.length;
    return this.#takeFound();
  }

  /** Returns the last row, or that the file ends within one or within the list of them. */
  end(): JsonElement[] {
    this.#chunk = Buffer.alloc(0);
    const isWhole = this.#start !== -1 && this.#isScalar && this.#base === 0 && this.#stack.length === 0;
    if (isWhole) this.#finish(0, false);
    else if (this.#start !== -1)
      this.#report(this.#startLine, 'is cut off: the file ends before it does', true);
    else if (this.#stack.length > 0)
      this.#report(this.#line, 'is missing: the file ends here, cut off', true);
    return this.#takeFound();
  }

  /** Goes on in a string from `from` and returns where it ends, or the chunk's last place. */
  #skipString(from: number): number {
    const chunk = this.#chunk;
    for (let i = from; i < chunk.length; i += 1) {
      const byte = chunk[i] ?? 0;
      if (byte === NEWLINE) {
        this.#isInString = this.#isEscaped = false;
        this.#isBroken = this.#start !== -1;
        this.#newline(i);
        return i;
      }
      if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (byte === BACKSLASH) {
        this.#isEscaped = true;
      } else if (byte === QUOTE) {
        this.#isInString = false;
        return i;
      }
      if (this.#start === -1 && this.#key.length < KEY_BYTES_MAX) this.#key += String.fromCharCode(byte);
    }
    return chunk.length - 1;
  }

  #step(i: number, byte: number): void {
    if (byte === NEWLINE) this.#newline(i);
    if (byte === NEWLINE || byte === 0x20 || byte === 0x09 || byte === 0x0d) return;
    const isFirstOfLine = this.#isLineBlank;
    this.#isLineBlank = false;
    if (byte === OBJECT && isFirstOfLine && this.#isBroken && i - this.#lineStart <= this.#startColumn) {
      this.#stack.length = this.#base;
      this.#finish(i);
    }
    if (byte === OBJECT || byte === ARRAY) this.#open(i, byte);
    else if (byte === OBJECT_END || byte === ARRAY_END) this.#close(i, byte);
    else if (byte === COMMA && (this.#start === -1 || this.#depth() === this.#base)) this.#comma(i);
    else if (byte === COLON && this.#start === -1) this.#isAfterColon = true;
    else this.#text(i, byte);
  }

  #newline(i: number): void {
    this.#line += 1;
    this.#lineStart = i + 1;
    this.#isLineBlank = true;
    // At the top a line is all that ends a word.
    if (this.#start !== -1 && this.#isScalar && this.#depth() === 0) this.#finish(i);
  }

  #comma(i: number): void {
    if (this.#start !== -1 && this.#isScalar) this.#finish(i);
    this.#isAfterColon = false;
  }

  #text(i: number, byte: number): void {
    if (this.#start === -1 && this.#isRowStart(byte)) this.#begin(i, true);
    if (byte === QUOTE) {
      this.#isInString = true;
      if (this.#start === -1) this.#key = '';
    }
  }

  #open(i: number, byte: number): void {
    if (this.#start !== -1 && this.#isScalar && this.#depth() === 0) this.#finish(i);
    if (this.#start === -1) {
      if (this.#isRowStart(byte)) this.#begin(i, false);
      else this.#match();
    }
    this.#isAfterColon = false;
    if (this.#stack.length < STACK_MAX) this.#stack.push(byte);
    else this.#beyond += 1;
  }

  /** Whether the bracket that opens here is on the way to the rows. */
  #match(): void {
    const way = this.#rowsAt ?? [];
    const isNext = this.#stack.length === this.#matched + 1 && this.#matched < way.length;
    if (!isNext || !this.#isAfterColon || this.#key !== way[this.#matched]) return;
    this.#matched += 1;
    this.#hasMatched ||= this.#matched === way.length;
  }

  #isRowStart(byte: number): boolean {
    const way = this.#rowsAt;
    if (this.#stack.length === 0) {
      if (way === null) return true;
      return byte !== ARRAY && (byte !== OBJECT || way.length === 0);
    }
    // No object has another without a key: it is a row behind a bracket that closed the list too early.
    const hasNoKey = byte === OBJECT && this.#stack.at(-1) === OBJECT && !this.#isAfterColon;
    if (hasNoKey && this.#hasMatched) return true;
    if (this.#matched !== way?.length || this.#depth() !== way.length + 1) return false;
    return this.#stack.at(-1) === ARRAY || this.#isAfterColon;
  }

  /** Closes a bracket of the row, or the list around it; with nothing to close it is a word like any other. */
  #close(i: number, byte: number): void {
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      return;
    }
    const place = this.#stack.lastIndexOf(byte === OBJECT_END ? OBJECT : ARRAY);
    const isWithinRow = this.#start !== -1 && (this.#stack.length > this.#base || !this.#isScalar);
    if (isWithinRow) {
      this.#stack.length = place >= this.#base ? place : this.#stack.length - 1;
      if (this.#stack.length === this.#base && !this.#isScalar) this.#finish(i + 1);
    } else if (place === -1) {
      this.#text(i, byte);
    } else {
      if (this.#start !== -1) this.#finish(i);
      this.#closeList(place);
    }
  }

  /** Closes the bracket at `place`, which is outside the rows. */
  #closeList(place: number): void {
    this.#stack.length = place;
    this.#isAfterColon = false;
    this.#matched = Math.min(this.#matched, Math.max(0, place - 1));
    if (place > 0) return;
    if ((this.#rowsAt?.length ?? 0) > 0 && !this.#hasMatched)
      this.#report(this.#line, 'is no list of links, as what stands before it in the file is');
    this.#hasMatched = false;
  }

  #depth(): number {
    return this.#stack.length + this.#beyond;
  }

  #begin(i: number, isScalar: boolean): void {
    this.#start = i;
    this.#base = this.#stack.length;
    this.#isScalar = isScalar;
    this.#startLine = this.#line;
    this.#startColumn = i - this.#lineStart;
  }

  #keep(end: number): void {
    this.#bytes += end - this.#start;
    if (this.#bytes > ROW_BYTES_MAX) this.#parts = [];
    else this.#parts.push(this.#chunk.subarray(this.#start, end));
  }

  #finish(end: number, isEnded = true): void {
    this.#keep(end);
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    if (this.#bytes > ROW_BYTES_MAX) this.#report(this.#startLine, TOO_LONG);
    else this.#found.push({ line: this.#startLine, bytes, isEnded });
    this.#parts = [];
    this.#bytes = this.#beyond = 0;
    this.#start = -1;
    this.#isBroken = this.#isAfterColon = false;
  }

  #report(line: number, problem: string, endsHere = false): void {
    this.#found.push({ line, bytes: null, problem, ...(endsHere && { endsHere }) });
  }

  #takeFound(): JsonElement[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
