import { isUtf8 } from 'node:buffer';
import { parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { toPrintable } from '../../cli/text.js';
import { type CsvShape, readCsvHeading } from './csv-records.js';
import { isLinkOf, membersOf } from './foreign-link.js';
import { type ImportFormat, ROW_BYTES_MAX } from './import-row.js';
import { ElementScanner, type JsonElement, type RowsAt } from './json-elements.js';
import { isFlatLink, isOwnColumn } from './own-csv.js';
import { SERVICES, SERVICE_NAMES } from './services.js';

export type Layout =
  | {
      readonly kind: 'csv';
      readonly format: ImportFormat;
      readonly shape: CsvShape;
      readonly header: readonly string[];
    }
  | {
      readonly kind: 'json';
      readonly format: ImportFormat;
      readonly rowsAt: RowsAt;
      /** Each line is a row. */
      readonly isLinewise: boolean;
    };

/** Bytes that are examined: the longest row, and what may stand before it. */
export const HEAD_BYTES = ROW_BYTES_MAX + 64 * 1024;

const HEADING_BYTES_MAX = 64 * 1024;
// Faulty rows may come first.
const ROWS_LOOKED_AT_MAX = 100;

/** Keys of services' lists of links; `result` is from plugins of YOURLS. */
const WAYS: readonly (readonly string[])[] = [['shortUrls', 'data'], ['data'], ['links'], ['result']];

/**
 * The layout of the file that begins with `head` (HEAD_BYTES of it, without a byte-order mark); `forced` is its format if it
 * was given. `problem` is the end of a sentence about the file.
 */
export function recogniseFormat(head: Buffer, forced?: ImportFormat): Layout | { readonly problem: string } {
  const known = knownOtherwise(head);
  if (known !== null) return { problem: known };
  const first = head.find((byte) => byte > 0x20);
  if (first === undefined) return { problem: 'is empty' };
  const isJson = forced?.endsWith('json') ?? (first === 0x7b || first === 0x5b);
  return isJson ? recogniseJson(head, forced) : recogniseCsv(head, forced);
}

const MAGIC: readonly (readonly [string, string])[] = [
  ['fffe', 'is UTF-16: save it as CSV UTF-8'],
  ['feff', 'is UTF-16: save it as CSV UTF-8'],
  ['504b0304', 'is a ZIP archive or a workbook: unpack it, or save the sheet as CSV'],
  ['d0cf11e0', 'is a workbook: save the sheet as CSV'],
  ['1f8b', 'is compressed twice'],
  ['53514c69746520666f726d6174', 'is an SQLite database: export the table of links as CSV'],
  ['25504446', 'is a PDF'],
];

function knownOtherwise(head: Buffer): string | null {
  const start = head.toString('hex', 0, 16);
  const magic = MAGIC.find(([bytes]) => start.startsWith(bytes));
  if (magic !== undefined) return magic[1];
  const text = head.toString('latin1', 0, 64).trimStart();
  if (/^(?:--|\/\*|insert\s|create\s|drop\s|set\s|begin;|pragma\s)/i.test(text))
    return 'is an SQL dump: export the table of links as CSV';
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) return 'is HTML or XML, and neither CSV nor JSON';
  return null;
}

function recogniseCsv(head: Buffer, forced: ImportFormat | undefined): Layout | { problem: string } {
  const newline = newlineOf(head);
  const readings = ([',', ';', '\t'] as const).map((delimiter) => readHeading(head, { delimiter, newline }));
  // The delimiter with most known names, else with most names.
  const best = readings.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.problem !== null) return { problem: best.problem };
  const { shape, header } = best;
  if (forced !== undefined) return { kind: 'csv', format: forced, shape, header };
  const service = SERVICE_NAMES.find((name) => isLinkOf(SERVICES[name], membersOf(header, SERVICES[name])));
  if (service !== undefined) return { kind: 'csv', format: `${service}-csv`, shape, header };
  if (header.some(isOwnColumn)) return { kind: 'csv', format: 'csv', shape, header };
  if (header.some((cell) => /^\s*https?:\/\//i.test(cell)))
    return { problem: 'needs a first line that names the columns, such as url' };
  const shown = toPrintable(header.join(', ').slice(0, 100));
  return { problem: `has no heading that is known. Its first line is: ${shown}` };
}

function newlineOf(head: Buffer): '\n' | '\r' {
  const [lineFeed, carriageReturn] = [head.indexOf('\n'), head.indexOf('\r')];
  if (carriageReturn === -1) return '\n';
  // The last byte may be half of a CRLF.
  if (lineFeed === -1) return carriageReturn === head.length - 1 ? '\n' : '\r';
  return carriageReturn + 1 < lineFeed ? '\r' : '\n';
}

type Heading = { shape: CsvShape; header: readonly string[]; score: number; problem: string | null };

function readHeading(head: Buffer, shape: CsvShape): Heading {
  const record = readCsvHeading(head.subarray(0, HEADING_BYTES_MAX), shape, head.length < HEADING_BYTES_MAX);
  const bad = (problem: string): Heading => ({ shape, header: [], score: -1, problem });
  if (record === null)
    return bad(`has no heading: its first line has no end within ${HEADING_BYTES_MAX} bytes`);
  if ('reason' in record) return bad(`has no heading: line ${record.line} ${record.reason}`);
  // eslint-disable-next-line no-control-regex -- what no text has is what tells other files
  if (record.cells.some((cell) => /[\0-\x08\x0e-\x1f]/.test(cell))) return bad('is no text');
  const known = record.cells.filter(
    (name) =>
      isOwnColumn(name) ||
      SERVICE_NAMES.some((service) => membersOf([name], SERVICES[service])[0] !== undefined),
  );
  return {
    shape,
    header: record.cells,
    score: known.length * 1000 + Math.min(record.cells.length, 999),
    problem: null,
  };
}

function recogniseJson(head: Buffer, forced: ImportFormat | undefined): Layout | { problem: string } {
  if (head.find((byte) => byte > 0x20) === 0x5b) {
    const format = forced ?? formatOf(rowsIn(head, [])) ?? (hasRows(head) ? null : 'json');
    return format === null ? noLinks() : { kind: 'json', format, rowsAt: [], isLinewise: false };
  }
  for (const rowsAt of WAYS) {
    const format = formatOf(rowsIn(head, rowsAt));
    if (format !== null) return { kind: 'json', format: forced ?? format, rowsAt, isLinewise: false };
  }
  const format = forced ?? formatOf(rowsIn(head, null));
  if (format === null) return noLinks();
  return { kind: 'json', format, rowsAt: null, isLinewise: isFirstLineWhole(head) };
}

const noLinks = () => ({
  problem:
    'is JSON, but holds no links of a kind that is known. Expected are create bodies like {"configuration": …}, or objects with name, slug and url: see docs/import.md',
});

const rowsIn = (head: Buffer, rowsAt: RowsAt): JsonElement[] => new ElementScanner(rowsAt).push(head);

/** An array without readable rows is taken for create bodies. */
const hasRows = (head: Buffer): boolean => rowsIn(head, []).some((row) => toObject(row) !== null);

function formatOf(elements: readonly JsonElement[]): ImportFormat | null {
  for (const element of elements.slice(0, ROWS_LOOKED_AT_MAX)) {
    const row = toObject(element);
    if (row === null) continue;
    const members = Object.keys(row);
    if (members.includes('configuration')) return 'json';
    const service = SERVICE_NAMES.find((name) => isLinkOf(SERVICES[name], members));
    if (service !== undefined) return `${service}-json`;
    if (isFlatLink(members)) return 'json';
  }
  return null;
}

function toObject(element: JsonElement) {
  const parsed = 'bytes' in element ? parseStrictJson(element.bytes) : null;
  return parsed?.ok === true && isObject(parsed.value) ? parsed.value : null;
}

function isFirstLineWhole(head: Buffer): boolean {
  const text = head.subarray(head.findIndex((byte) => byte > 0x20));
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.subarray(0, end);
  return isUtf8(line) && parseStrictJson(line).ok;
}
