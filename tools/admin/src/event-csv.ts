/** Returns one row of CSV (RFC 4180). */
export function toCsvRow(values: readonly string[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

/**
 * Returns a cell that a spreadsheet takes for text: visitors choose their utm values and referrer, and a cell that
 * begins like a formula would be one (OWASP, CSV Injection).
 */
function toCell(value: string): string {
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
