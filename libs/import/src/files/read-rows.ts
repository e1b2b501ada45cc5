import { parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { toExactCsvRow } from '../text.js';
import { DamagedFile, peek, readContent } from './content.js';
import { isBlank, readCsvRecords } from './csv-records.js';
import {
  type ImportFormat,
  type ImportRow,
  type JsonObject,
  NOTHING_FOLLOWS,
  type ReadResult,
  refusal,
  ROW_BYTES_MAX,
  slugIn,
  TOO_LONG,
} from './import-row.js';
import { type JsonElement, readJsonElements } from './json-elements.js';
import { readLines } from './lines.js';
import { isFlatLink, ownCsvReader, readFlatLink, REASON } from './own-csv.js';
import { HEAD_BYTES, type Layout, recogniseFormat } from './recognise-format.js';
import { foreignCsvReader, type ForeignOptions, readForeign, SERVICES, SERVICE_NAMES } from './services.js';

export type RowReader = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<ImportRow>;

/** The reader of a file's rows, or the fault of its heading. */
export function rowReader(layout: Layout, options: ForeignOptions): RowReader | { readonly problem: string } {
  const name = SERVICE_NAMES.find((known) => layout.format.startsWith(known));
  const service = name === undefined ? null : SERVICES[name];
  if (layout.kind === 'json') {
    const read = (record: JsonObject) =>
      service === null ? readOwn(record, options) : readForeign(service, record, options);
    return (chunks) => readJsonRows(chunks, layout, read);
  }
  const { header, shape } = layout;
  const read =
    service === null ? ownCsvReader(header, options.dateOrder) : foreignCsvReader(header, service, options);
  if ('problem' in read) return read;
  return async function* readCsvRows(chunks) {
    // The heading is row 0.
    let rowNumber = -1;
    for await (const record of readCsvRecords(chunks, shape)) {
      rowNumber += 1;
      if (rowNumber === 0) continue;
      const result = 'reason' in record ? record : readCells(record, header.length, read);
      yield toRow(rowNumber, record.line, result);
    }
  };
}

/** A row has as many cells as the heading. */
function readCells(
  { cells, isEnded }: { readonly cells: readonly string[]; readonly isEnded: boolean },
  cellsExpected: number,
  read: (cells: readonly string[]) => ReadResult,
): ReadResult {
  const counts = `has ${cells.length} cell${cells.length === 1 ? '' : 's'} where the heading has ${cellsExpected}`;
  // Programs that save tables may leave delimiters behind.
  if (!isBlank(cells.slice(cellsExpected))) return { reason: counts };
  const result = read(cells);
  if (cells.length >= cellsExpected) return result;
  const slug = 'reason' in result ? result.slug : slugIn(result.body);
  if (isEnded) return refusal(counts, slug);
  return refusal(`${counts}: the file ends here, cut off`, slug);
}

/** Each row is parsed by itself, as strictly as the API parses a body. */
async function* readJsonRows(
  chunks: AsyncIterable<Buffer>,
  { isLinewise, rowsAt }: Layout & { kind: 'json' },
  read: (record: JsonObject) => ReadResult,
): AsyncGenerator<ImportRow> {
  let rowNumber = 0;
  for await (const element of isLinewise ? elementsOfLines(chunks) : readJsonElements(chunks, rowsAt)) {
    rowNumber += 1;
    yield toRow(rowNumber, element.line, readElement(element, read));
  }
}

/** A value on each line: garbage on one of them costs its own row only. Blank lines are no rows. */
async function* elementsOfLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonElement> {
  for await (const { number, bytes } of readLines(chunks, ROW_BYTES_MAX)) {
    if (bytes === null) yield { line: number, reason: TOO_LONG };
    else if (bytes.some((byte) => byte > 0x20)) yield { line: number, bytes };
  }
}

function readElement(element: JsonElement, read: (record: JsonObject) => ReadResult): ReadResult {
  if ('reason' in element) return element;
  const parsed = parseStrictJson(element.bytes);
  if (parsed.ok) return isObject(parsed.value) ? read(parsed.value) : { reason: 'is not a JSON object' };
  // Without the path, which has keys of the file.
  return { reason: `cannot be read: ${parsed.faults[0]?.message ?? 'it is not JSON'}` };
}

/** A create body, in an export with a member `export`. */
function readOwn(
  { export: more, [REASON]: _, ...body }: JsonObject,
  { dateOrder }: ForeignOptions,
): ReadResult {
  if (more === undefined) return isFlatLink(Object.keys(body)) ? readFlatLink(body, dateOrder) : { body };
  return isObject(more) ? { body, more } : refusal('has a member export that is not an object', slugIn(body));
}

const toRow = (rowNumber: number, line: number, result: ReadResult): ImportRow =>
  'reason' in result
    ? { outcome: 'refused', ...result, rowNumber, line }
    : { outcome: 'read', ...result, rowNumber, line };

/**
 * Yields the rows of a file's content in order, each read or refused by itself. Memory is bounded by a row of a mebibyte and a
 * chunk of the file. Where nothing more can be read the last row is a refusal.
 */
export async function* readRows(read: RowReader, content: AsyncIterable<Buffer>): AsyncGenerator<ImportRow> {
  let last = { rowNumber: 0, line: 0 };
  try {
    for await (const row of read(content)) {
      last = row;
      yield row;
    }
  } catch (err) {
    if (!(err instanceof DamagedFile)) throw err;
    const reason = `${err.message}: ${NOTHING_FOLLOWS}`;
    yield toRow(last.rowNumber + 1, last.line + 1, { reason });
  }
}

/**
 * The format and the rows of a file that can be read once. `problem` is the end of a sentence about the file. `onContent`
 * receives the bytes of each chunk of its unpacked content, and may throw.
 */
export async function openRows(
  file: AsyncIterable<Buffer>,
  {
    format: forced,
    onContent,
    ...options
  }: ForeignOptions & {
    readonly format?: ImportFormat | undefined;
    readonly onContent?: (bytes: number) => void;
  },
): Promise<
  { readonly format: ImportFormat; readonly rows: AsyncGenerator<ImportRow> } | { readonly problem: string }
> {
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of readContent(file)) {
      onContent?.(chunk.length);
      yield chunk;
    }
  }
  const content = measured();
  const head = await peek(content, HEAD_BYTES).catch((err: unknown) => {
    if (err instanceof DamagedFile) return { problem: `cannot be read: ${err.message}` };
    throw err;
  });
  if ('problem' in head) return head;
  const layout = await recogniseFormat(head.start.subarray(0, HEAD_BYTES), forced);
  const read = 'problem' in layout ? layout : rowReader(layout, options);
  if ('problem' in read || 'problem' in layout) {
    await content.return(undefined);
    return 'problem' in layout ? layout : (read as { readonly problem: string });
  }
  return { format: layout.format, rows: readRows(read, head.all) };
}

/** The rows with a reason, in the columns or members of the file and with it, as a file of the same format. */
export async function* originalRows(
  content: AsyncIterable<Buffer>,
  layout: Layout,
  reasons: ReadonlyMap<number, string>,
): AsyncGenerator<string> {
  let rowNumber = 0;
  if (layout.kind === 'json') {
    let before = '[\n';
    for await (const element of layout.isLinewise
      ? elementsOfLines(content)
      : readJsonElements(content, layout.rowsAt)) {
      rowNumber += 1;
      const reason = reasons.get(rowNumber);
      const parsed = reason === undefined || 'reason' in element ? null : parseStrictJson(element.bytes);
      if (parsed?.ok !== true || !isObject(parsed.value)) continue;
      yield `${before}${JSON.stringify({ ...parsed.value, [REASON]: reason })}`;
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
    return;
  }
  const columns = [...layout.header.keys()].filter((index) => layout.header[index]?.trim() !== REASON);
  const toRowText = (cells: readonly string[], reason: string) =>
    toExactCsvRow([...columns.map((index) => cells[index] ?? ''), reason]);
  yield toRowText(layout.header, REASON);
  for await (const record of readCsvRecords(content, layout.shape)) {
    // The heading is row 0.
    const reason = reasons.get(rowNumber);
    rowNumber += 1;
    if (reason !== undefined && 'cells' in record) yield toRowText(record.cells, reason);
  }
}
