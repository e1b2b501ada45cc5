import { ROW_BYTES_MAX, TOO_LONG } from './import-row.js';
import type { JsonElement } from './json-elements.js';

/**
 * Returns a splitter of files with a JSON value on each line. Unlike the scanner it needs no brackets to know where a
 * row ends, so no garbage reaches into the next line. Blank lines are no rows.
 */
export function createLineSplitter() {
  let parts: Buffer[] = [];
  let bytes = 0;
  let line = 0;

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > ROW_BYTES_MAX) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function take(isEnded: boolean): JsonElement[] {
    const isTooLong = bytes > ROW_BYTES_MAX;
    const text = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts = [];
    bytes = 0;
    line += 1;
    if (isTooLong) return [{ line, bytes: null, problem: TOO_LONG }];
    return isBlank(text) ? [] : [{ line, bytes: text, isEnded }];
  }

  return {
    /** Returns the rows that end in `chunk`. */
    push(chunk: Buffer): JsonElement[] {
      const rows: JsonElement[] = [];
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end));
        rows.push(...take(true));
        start = end + 1;
      }
      add(chunk.subarray(start));
      return rows;
    },
    /** Returns the last row, if no line break follows it. */
    end: (): JsonElement[] => (bytes === 0 ? [] : take(false)),
  };
}

const isBlank = (text: Buffer): boolean =>
  text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
