/** `1 event`, `2 events`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Replaces what could steer a terminal: control characters, line separators, marks of writing direction. */
export const toPrintable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** One row of CSV (RFC 4180). */
export const toCsvRow = (values: readonly string[]): string => `${values.map(toCell).join(',')}\r\n`;

/** A row for a program that reads it back, not for a spreadsheet: formulas stay as they are. */
export const toExactCsvRow = (values: readonly string[]): string => `${values.map(quoted).join(',')}\r\n`;

// At the start of a cell, and behind a semicolon: where commas are decimal points, spreadsheets split cells there, quotes or not.
// Excel takes the full-width signs for formulas too, in Chinese, Japanese and Korean.
const FORMULA_START = /(^|; *)(?=[=+\-@＝＋－＠\t\r\n])/g;

/** Visitors choose their utm values and referrer: a spreadsheet must take no cell for a formula (OWASP, CSV Injection). */
const toCell = (value: string): string => quoted(value.replace(FORMULA_START, "$1'"));

function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
