import { isUtf8 } from 'node:buffer';
import { parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { toPrintable } from '../text.js';
import { type CsvRecord, type CsvShape, readCsvRecords } from './csv-records.js';
import { type ImportFormat, ROW_BYTES_MAX } from './import-row.js';
import { readJsonElements, type RowsAt } from './json-elements.js';
import { isFlatLink, isOwnColumn } from './own-csv.js';
import { isLinkOf, membersOf, SERVICES, SERVICE_NAMES } from './services.js';

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
const ROWS_EXAMINED_MAX = 100;

/** Keys of services' lists of links (`result` is from plugins of YOURLS), or the values at the top. */
const PLACES: readonly RowsAt[] = [['shortUrls', 'data'], ['data'], ['links'], ['result'], null];

type Recognised = Layout | { readonly problem: string };

/**
 * The layout of the file that begins with `head` (HEAD_BYTES of it, without a byte-order mark); `forced` is its format if it
 * was given. `problem` is the end of a sentence about the file.
 */
export async function recogniseFormat(head: Buffer, forced?: ImportFormat): Promise<Recognised> {
  const known = knownOtherwise(head);
  if (known !== null) return { problem: known };
  const first = head.find((byte) => byte > 0x20);
  if (first === undefined) return { problem: 'is empty' };
  const isArray = first === 0x5b;
  const isJson = forced?.endsWith('json') ?? (isArray || first === 0x7b);
  return isJson ? recogniseJson(head, isArray, forced) : recogniseCsv(head, forced);
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
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) return 'is HTML or XML, not CSV or JSON';
  return null;
}

async function recogniseCsv(head: Buffer, forced: ImportFormat | undefined): Promise<Recognised> {
  const { shape, record } = await readHeading(head);
  if (record === undefined || ('cells' in record && !record.isEnded && head.length >= HEADING_BYTES_MAX))
    return { problem: `has no heading: its first line has no end within ${HEADING_BYTES_MAX} bytes` };
  if ('reason' in record) return { problem: `has no heading: line ${record.line} ${record.reason}` };
  const header = record.cells;
  // eslint-disable-next-line no-control-regex -- what no text has is what tells other files
  if (header.some((cell) => /[\0-\x08\x0e-\x1f]/.test(cell))) return { problem: 'is not text' };
  if (header.join() === EXPORT_CSV_COLUMNS.join()) return { problem: FOR_SPREADSHEETS };
  const service = SERVICE_NAMES.find((name) => isLinkOf(SERVICES[name], membersOf(header, SERVICES[name])));
  const found = service === undefined ? header.some(isOwnColumn) && 'csv' : (`${service}-csv` as const);
  const format = forced ?? found;
  if (format !== false) return { kind: 'csv', format, shape, header };
  if (header.some((cell) => /^\s*https?:\/\//i.test(cell)))
    return { problem: 'needs a first line that names the columns, such as url' };
  const shown = toPrintable(header.join(', ').slice(0, 100));
  return {
    problem: `has no known column names. Its first line is: ${shown}. Name the columns name, slug, url, createdAt and clicks, or keep the heading of a service: see docs/import.md`,
  };
}

/** The heading of an export as CSV. */
export const EXPORT_CSV_COLUMNS = 'name,address,type,destination,status,created,clicks,scans,fallbacks'.split(
  ',',
);

const FOR_SPREADSHEETS =
  'is an export as CSV, which is for spreadsheets and lacks most of a link: import an export as JSON';

type Heading = { readonly shape: CsvShape; readonly record: CsvRecord | undefined };

/** The first record, by the delimiter that makes most columns of it. */
async function readHeading(head: Buffer): Promise<Heading> {
  const newline = newlineOf(head);
  const start = head.subarray(0, HEADING_BYTES_MAX);
  const readings = [',', ';', '\t'] as const;
  const headings = await Promise.all(
    readings.map(async (delimiter): Promise<Heading> => {
      const shape = { delimiter, newline };
      return { shape, record: (await readCsvRecords(asChunks(start), shape).next()).value };
    }),
  );
  const columnsOf = ({ record }: Heading) => (record && 'cells' in record ? record.cells.length : 0);
  return headings.reduce((a, b) => (columnsOf(b) > columnsOf(a) ? b : a));
}

function newlineOf(head: Buffer): '\n' | '\r' {
  const [lineFeed, carriageReturn] = [head.indexOf('\n'), head.indexOf('\r')];
  if (carriageReturn === -1) return '\n';
  // The last byte may be half of a CRLF.
  if (lineFeed === -1) return carriageReturn === head.length - 1 ? '\n' : '\r';
  return carriageReturn + 1 < lineFeed ? '\r' : '\n';
}

async function* asChunks(head: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(head);
}

async function recogniseJson(
  head: Buffer,
  isArray: boolean,
  forced: ImportFormat | undefined,
): Promise<Recognised> {
  for (const rowsAt of isArray ? [[]] : PLACES) {
    const rows = await firstRows(head, rowsAt);
    // An array without readable rows is taken for create bodies.
    const found = formatOf(rows) ?? (isArray && rows.length === 0 ? 'json' : null);
    const isLast = isArray || rowsAt === null;
    const format = found === null && !isLast ? null : (forced ?? found);
    const isLinewise = rowsAt === null && isFirstLineWhole(head);
    if (format !== null) return { kind: 'json', format, rowsAt, isLinewise };
  }
  return {
    problem:
      'is JSON, but holds no known kind of links. Expected are create bodies like {"configuration": …}, or objects with name, slug and url: see docs/import.md',
  };
}

/** The members of the first readable rows. */
async function firstRows(head: Buffer, rowsAt: RowsAt): Promise<readonly string[][]> {
  const rows: string[][] = [];
  let count = 0;
  for await (const element of readJsonElements(asChunks(head), rowsAt)) {
    count += 1;
    const parsed = 'bytes' in element ? parseStrictJson(element.bytes) : null;
    if (parsed?.ok === true && isObject(parsed.value)) rows.push(Object.keys(parsed.value));
    if (count === ROWS_EXAMINED_MAX) break;
  }
  return rows;
}

function formatOf(rows: readonly string[][]): ImportFormat | null {
  for (const members of rows) {
    if (members.includes('configuration')) return 'json';
    const service = SERVICE_NAMES.find((name) => isLinkOf(SERVICES[name], members));
    if (service !== undefined) return `${service}-json`;
    if (isFlatLink(members)) return 'json';
  }
  return null;
}

function isFirstLineWhole(head: Buffer): boolean {
  const text = head.subarray(head.findIndex((byte) => byte > 0x20));
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.subarray(0, end);
  return isUtf8(line) && parseStrictJson(line).ok;
}
