import { readFile, stat } from 'node:fs/promises';
import { parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { cannotRead, readLines } from '../../cli/files.js';
import { readChoice } from '../../cli/options.js';
import { Problem, sayWhenSlow, type Terminal, withProgress } from '../../cli/terminal.js';
import { plural, toExactCsvRow } from '../../cli/text.js';
import { isBlank, readCsvRecords } from './csv-records.js';
import { DamagedFile, fingerprintFile, readFileBytes } from './file-bytes.js';
import {
  IMPORT_FORMATS,
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
import { isFlatLink, ownCsvReader, readFlatLink, REASON } from './own-csv.js';
import { HEAD_BYTES, type Layout, recogniseFormat } from './recognise-format.js';
import { foreignCsvReader, type ForeignOptions, readForeign, SERVICES, SERVICE_NAMES } from './services.js';
import { DATE_ORDERS } from './values.js';

type RowReader = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<ImportRow>;

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
  const counts = `has ${plural(cells.length, 'cell')} where the heading has ${cellsExpected}`;
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

export type ReadOptions = Partial<ForeignOptions> & {
  /** Receives the bytes of the file on disk read so far. */
  readonly onBytes?: (bytesRead: number) => void;
};

/**
 * Yields the rows of an import file in order, each read or refused by itself. Memory is bounded by a row of a mebibyte and a
 * chunk of the file. Where nothing more can be read the last row is a refusal. Throws Problem, before the
 * first row, for a faulty heading; later only when the disk fails.
 */
export async function* readImportFile(
  file: string,
  layout: Layout,
  { onBytes, now = new Date(), ...options }: ReadOptions = {},
): AsyncGenerator<ImportRow> {
  const read = rowReader(layout, { ...options, now });
  if ('problem' in read) throw new Problem(`${file} ${read.problem.replace(/[^?]$/, '$&.')}`);
  let last = { rowNumber: 0, line: 0 };
  try {
    for await (const row of read(readFileBytes(file, onBytes))) {
      last = row;
      yield row;
    }
  } catch (err) {
    if (!(err instanceof DamagedFile)) throw err;
    const reason = `${err.message}: ${NOTHING_FOLLOWS}`;
    yield toRow(last.rowNumber + 1, last.line + 1, { reason });
  }
}

/** The rows with a reason, in the columns or members of the file and with it, as a file of the same format. */
export async function* originalRows(
  file: string,
  layout: Layout,
  reasons: ReadonlyMap<number, string>,
): AsyncGenerator<string> {
  let rowNumber = 0;
  if (layout.kind === 'json') {
    let before = '[\n';
    const chunks = readFileBytes(file);
    for await (const element of layout.isLinewise
      ? elementsOfLines(chunks)
      : readJsonElements(chunks, layout.rowsAt)) {
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
  for await (const record of readCsvRecords(readFileBytes(file), layout.shape)) {
    // The heading is row 0.
    const reason = reasons.get(rowNumber);
    rowNumber += 1;
    if (reason !== undefined && 'cells' in record) yield toRowText(record.cells, reason);
  }
}

/** The format and layout of a file. Throws Problem when it cannot be read or recognised. */
export async function recogniseImportFile(file: string, forced?: ImportFormat): Promise<Layout> {
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of readFileBytes(file)) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= HEAD_BYTES) break;
    }
  } catch (err) {
    throw err instanceof DamagedFile ? new Problem(`${file} cannot be read: ${err.message}.`) : err;
  }
  const layout = await recogniseFormat(head, forced);
  if ('problem' in layout) throw new Problem(`${file} ${layout.problem}.`);
  return layout;
}

/** A file to import. */
export type InputFile = {
  readonly name: string;
  readonly format: ImportFormat;
  readonly sha256: Buffer;
  /** Passes its rows to `work`, with progress. */
  readonly read: (doing: string, work: (rows: AsyncGenerator<ImportRow>) => Promise<void>) => Promise<void>;
  /** The rows with a reason, as a file of the same format that can be imported. */
  readonly originalRows: (reasons: ReadonlyMap<number, string>) => AsyncIterable<string>;
  readonly kind: Layout['kind'];
  /** Throws Problem when the file has changed since its fingerprint. */
  readonly requireUnchanged: () => Promise<void>;
};

const MEGABYTE = 1_000_000;

/** Opens a file to import and reads it once for its fingerprint. Throws Problem when it cannot be imported. */
export async function openInputFile(
  terminal: Terminal,
  name: string,
  options: Readonly<Record<'format' | 'newPasswordFile' | 'dateFormat', string | undefined>>,
): Promise<InputFile> {
  const forced =
    options.format === undefined ? undefined : readChoice('--format', options.format, IMPORT_FORMATS);
  const dateOrder =
    options.dateFormat === undefined
      ? undefined
      : readChoice('--date-format', options.dateFormat, DATE_ORDERS);
  const newPassword = options.newPasswordFile && (await readPassword(options.newPasswordFile));
  const before = await identify(name);
  const { bytes, sha256 } = await sayWhenSlow(terminal, `Reading ${name}.`, fingerprintFile(name));
  const layout = await recogniseImportFile(name, forced);
  const requireUnchanged = async (): Promise<void> => {
    if ((await identify(name)) === before) return;
    throw new Problem(`${name} has changed while it was read. Import it again once nothing writes to it.`);
  };
  await requireUnchanged();
  return {
    name,
    format: layout.format,
    sha256,
    requireUnchanged,
    kind: layout.kind,
    originalRows: (reasons) => originalRows(name, layout, reasons),
    read: (doing, work) =>
      withProgress(terminal, { doing, total: bytes / MEGABYTE, unit: 'MB' }, (add) => {
        let seen = 0;
        const onBytes = (read: number): void => {
          add((read - seen) / MEGABYTE);
          seen = read;
        };
        return work(readImportFile(name, layout, { onBytes, newPassword, dateOrder }));
      }),
  };
}

/** Differs after a change, which moves the time at least. */
async function identify(name: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(name, { bigint: true });
    return [dev, ino, size, mtimeNs].join(' ');
  } catch (err) {
    throw cannotRead(name, err);
  }
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (err) {
    throw cannotRead(file, err);
  }
}
