import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { NOTHING_FOLLOWS, type Refusal, ROW_BYTES_MAX, TOO_LONG } from './import-row.js';

/**
 * Where the rows of a JSON file are: the elements of the array at the top (`[]`), the elements of the array or the
 * members of the object under these keys (`['shortUrls', 'data']`), or the values at the top themselves (null). In all
 * three the file may hold several such values one after the other: pages of an API, appended.
 */
export type RowsAt = readonly string[] | null;

/** One row. `line`: where it begins, from 1. */
export type JsonElement = { readonly line: number } & ({ readonly bytes: Buffer } | Refusal);

/** The bytes of a stream that are still needed, by their offsets in the stream. */
class Window {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #counted = 0;
  /** The line of the offset given to `countLines`. */
  line = 1;

  get end(): number {
    return this.#start + this.#bytes.length;
  }

  append(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
  }

  slice(from: number, to: number): Buffer {
    return this.#bytes.subarray(from - this.#start, to - this.#start);
  }

  countLines(offset: number): void {
    // A token that was cut by the end of a chunk, and holds no line break.
    if (offset < this.#counted) return;
    const passed = this.slice(this.#counted, offset);
    for (let at = passed.indexOf('\n'); at !== -1; at = passed.indexOf('\n', at + 1)) this.line += 1;
    this.#counted = offset;
  }

  dropBefore(offset: number): void {
    this.#bytes = this.slice(offset, this.end);
    this.#start = offset;
  }
}

/**
 * Yields the rows of a JSON file, each for a strict parser. Memory is bounded by a row of ROW_BYTES_MAX and a chunk. Where the
 * file is not JSON, or a row is longer, the last element is a refusal.
 */
export async function* readJsonElements(
  chunks: AsyncIterable<Buffer>,
  rowsAt: RowsAt,
): AsyncGenerator<JsonElement> {
  const rowDepth = rowsAt === null ? 0 : rowsAt.length + 1;
  const window = new Window();
  let found: JsonElement[] = [];
  const tokens = openTokenizer(rowsAt, rowDepth, window, (element) => found.push(element));
  for await (const chunk of chunks) {
    window.append(chunk);
    tokens.tokenizer.write(chunk);
    yield* found;
    found = [];
    const row = tokens.open[rowDepth];
    const isTooLong = window.end - Math.min(row?.offset ?? window.end, tokens.offset) > ROW_BYTES_MAX;
    if (tokens.hasFailed || isTooLong) {
      const fault = tokens.hasFailed ? 'is not valid JSON' : TOO_LONG;
      yield { line: row?.line ?? window.line, reason: `${fault}: ${NOTHING_FOLLOWS}` };
      return;
    }
    window.countLines(window.end);
    window.dropBefore(row?.offset ?? window.end);
  }
  tokens.tokenizer.end();
  yield* found;
  if (tokens.open.length === 0 && !tokens.hasFailed) return;
  const line = tokens.open[rowDepth]?.line ?? window.line;
  yield { line, reason: 'is cut off: the file ends here' };
}

type Bracket = { readonly offset: number; readonly line: number };

/** A tokenizer that reports each row it completes, the open brackets and the offset of the last token. */
function openTokenizer(
  rowsAt: RowsAt,
  rowDepth: number,
  window: Window,
  report: (element: JsonElement) => void,
) {
  const paths = [['$', ...(rowsAt === null ? [] : [...rowsAt, '*'])].join('.')];
  const parser = new TokenParser({ paths, keepStack: false, separator: '' });
  const open: Bracket[] = [];
  const tokens = { tokenizer: new Tokenizer(), open, offset: 0, hasFailed: false };
  let hasList = false;
  tokens.tokenizer.onError = () => (tokens.hasFailed = true);
  tokens.tokenizer.onToken = (parsed) => {
    const { token, value, offset } = parsed;
    const depth = open.length;
    if (depth <= rowDepth) window.countLines(offset);
    const { line } = window;
    tokens.offset = offset;
    const isClosing = token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) open.push({ offset, line });
    else if (depth === rowDepth - 1) hasList ||= value === rowsAt?.at(-1);
    // What a row holds is left to the strict parser.
    if (depth <= rowDepth || (isClosing && depth === rowDepth + 1)) parser.write(parsed);
    if (!isClosing) return;
    open.pop();
    if (open.length > 0) return;
    if (rowDepth > 1 && !hasList) report({ line, reason: 'has no list of links, unlike the page before it' });
    hasList = false;
  };
  parser.onValue = ({ value }) => {
    const row = open.at(-1);
    if (row === undefined || typeof value !== 'object' || value === null) {
      report({ line: window.line, reason: 'is not a JSON object' });
      return;
    }
    const bytes = window.slice(row.offset, tokens.offset + 1);
    if (bytes.length > ROW_BYTES_MAX) report({ line: row.line, reason: TOO_LONG });
    else report({ line: row.line, bytes });
  };
  return tokens;
}
