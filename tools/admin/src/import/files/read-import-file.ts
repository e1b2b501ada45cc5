import { readFile, stat } from 'node:fs/promises';
import { parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { cannotRead, readLines } from '../../cli/files.js';
import { readChoice } from '../../cli/options.js';
import { MEGABYTES, Problem, sayWhenSlow, type Terminal, withProgress } from '../../cli/terminal.js';
import { plural } from '../../cli/text.js';
import { type CsvRecord, isBlank, readCsvRecords } from './csv-records.js';
import { DamagedFile, fingerprintFile, readFileBytes } from './file-bytes.js';
import { foreignCsvReader, type ForeignOptions, readForeign } from './foreign-link.js';
import {
  type CellReader,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportRow,
  type JsonObject,
  type ReadLink,
  refusal,
  type Refusal,
  ROW_BYTES_MAX,
  slugIn,
  TOO_LONG,
} from './import-row.js';
import { ElementScanner, isBlankJson, type JsonElement } from './json-elements.js';
import { isFlatLink, ownCsvReader, readFlatLink } from './own-csv.js';
import { HEAD_BYTES, type Layout, recogniseFormat } from './recognise-format.js';
import { SERVICES, SERVICE_NAMES } from './services.js';

type RowReader = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<ImportRow>;

/** The reader of a file's rows, or the fault of its heading. */
export function rowReader(layout: Layout, options: ForeignOptions): RowReader | { readonly problem: string } {
  const name = SERVICE_NAMES.find((known) => layout.format.startsWith(known));
  const service = name === undefined ? null : SERVICES[name];
  if (layout.kind === 'json') {
    const read = (record: JsonObject) =>
      service === null ? readOwn(record) : readForeign(service, record, options);
    return (chunks) => readJsonRows(chunks, layout, read);
  }
  const { header } = layout;
  const read = service === null ? ownCsvReader(header) : foreignCsvReader(header, service, options);
  return 'problem' in read ? read : (chunks) => readCsvRows(chunks, layout, read);
}

/** Lines of nothing but delimiters are no rows. */
async function* readCsvRows(
  chunks: AsyncIterable<Buffer>,
  { shape, header }: Layout & { kind: 'csv' },
  read: CellReader,
): AsyncGenerator<ImportRow> {
  // The heading is row 0.
  let rowNumber = -1;
  for await (const record of readCsvRecords(chunks, shape)) {
    if ('cells' in record && isBlank(record.cells)) continue;
    rowNumber += 1;
    if (rowNumber > 0) yield toRow(rowNumber, record, fromCsv(record, header.length, read));
  }
}

/** A row has as many cells as the heading. */
function fromCsv(record: CsvRecord, cellsExpected: number, read: CellReader): ReadLink | Refusal {
  if ('reason' in record) return record;
  const { cells, isEnded } = record;
  const counts = `has ${plural(cells.length, 'cell')} where the heading has ${cellsExpected}`;
  // Programs that save tables may leave delimiters behind.
  if (!isBlank(cells.slice(cellsExpected))) return { reason: counts };
  const result = read(cells);
  if (cells.length >= cellsExpected) return result;
  const slug = 'reason' in result ? result.slug : slugIn(result.body);
  if (isEnded) return refusal(counts, slug);
  return { ...refusal(`${counts}: the file ends here, cut off`, slug), endsHere: true };
}

/** Each row is parsed by itself, as strictly as the API parses a body. */
async function* readJsonRows(
  chunks: AsyncIterable<Buffer>,
  layout: Layout & { kind: 'json' },
  read: (record: JsonObject) => ReadLink | Refusal,
): AsyncGenerator<ImportRow> {
  let rowNumber = 0;
  for await (const element of layout.isLinewise ? elementsOfLines(chunks) : elementsOf(chunks, layout)) {
    rowNumber += 1;
    yield toRow(rowNumber, element, fromJson(element, read));
  }
}

async function* elementsOf(
  chunks: AsyncIterable<Buffer>,
  { rowsAt }: Layout & { kind: 'json' },
): AsyncGenerator<JsonElement> {
  const scanner = new ElementScanner(rowsAt);
  for await (const chunk of chunks) yield* scanner.push(chunk);
  yield* scanner.end();
}

/** A value on each line: garbage on one of them costs its own row only. Blank lines are no rows. */
async function* elementsOfLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonElement> {
  for await (const { number, bytes, isEnded } of readLines(chunks, ROW_BYTES_MAX)) {
    if (bytes === null) yield { line: number, reason: TOO_LONG };
    else if (!isBlankJson(bytes)) yield { line: number, bytes, isEnded };
  }
}

function fromJson(
  element: JsonElement,
  read: (record: JsonObject) => ReadLink | Refusal,
): ReadLink | Refusal {
  if ('reason' in element) return element;
  const parsed = parseStrictJson(element.bytes);
  if (parsed.ok) return isObject(parsed.value) ? read(parsed.value) : { reason: 'is no JSON object' };
  // Without the path, which has keys of the file.
  const reason = `cannot be read: ${parsed.faults[0]?.message ?? 'it is no JSON'}`;
  return element.isEnded ? { reason } : { reason, endsHere: true };
}

/** A create body, in an export with a member `export`. */
function readOwn({ export: more, ...body }: JsonObject): ReadLink | Refusal {
  if (more === undefined) return isFlatLink(Object.keys(body)) ? readFlatLink(body) : { body };
  return isObject(more) ? { body, more } : refusal('has a member export that is no object', slugIn(body));
}

const toRow = (rowNumber: number, { line }: { line: number }, result: ReadLink | Refusal): ImportRow =>
  'reason' in result
    ? { outcome: 'refused', ...result, rowNumber, line }
    : { outcome: 'read', ...result, rowNumber, line };

export type ReadOptions = Partial<ForeignOptions> & {
  /** Receives the bytes of the file on disk read so far. */
  readonly onBytes?: (bytesRead: number) => void;
};

/**
 * Yields the rows of an import file in order, each read or refused by itself. Memory is bounded by a row of a mebibyte and a
 * chunk of the file. Where nothing more can be read the last row is a refusal with `endsHere`. Throws Problem, before the
 * first row, for a faulty heading; later only when the disk fails.
 */
export async function* readImportFile(
  file: string,
  layout: Layout,
  { onBytes, newPassword, now = new Date() }: ReadOptions = {},
): AsyncGenerator<ImportRow> {
  const read = rowReader(layout, { newPassword, now });
  if ('problem' in read) throw new Problem(`${file} ${read.problem.replace(/[^?]$/, '$&.')}`);
  let last = { rowNumber: 0, line: 1 };
  try {
    for await (const row of read(readFileBytes(file, onBytes))) {
      last = row;
      yield row;
    }
  } catch (err) {
    if (!(err instanceof DamagedFile)) throw err;
    const reason = `and whatever follows it cannot be read: ${err.message}`;
    yield toRow(last.rowNumber + 1, { line: last.line + 1 }, { reason, endsHere: true });
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
  const layout = recogniseFormat(head, forced);
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
  /** Throws Problem when the file has changed since its fingerprint. */
  readonly requireUnchanged: () => Promise<void>;
};

/** Opens a file to import and reads it once for its fingerprint. Throws Problem when it cannot be imported. */
export async function openInputFile(
  terminal: Terminal,
  name: string,
  options: { readonly format: string | undefined; readonly newPasswordFile: string | undefined },
): Promise<InputFile> {
  const forced =
    options.format === undefined ? undefined : readChoice('--format', options.format, IMPORT_FORMATS);
  const newPassword =
    options.newPasswordFile === undefined ? undefined : await readPassword(options.newPasswordFile);
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
    sha256: Buffer.from(sha256, 'hex'),
    requireUnchanged,
    read: (doing, work) =>
      withProgress(terminal, { doing, total: bytes, unit: MEGABYTES }, (add) => {
        let seen = 0;
        const onBytes = (read: number): void => {
          add(read - seen);
          seen = read;
        };
        return work(readImportFile(name, layout, { onBytes, newPassword }));
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
