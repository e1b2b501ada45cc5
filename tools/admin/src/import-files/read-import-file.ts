import { Problem } from '../problem.js';
import { csvRowReader } from './csv-rows.js';
import type { RowReader } from './csv-rows.js';
import { DamagedFile, readFileBytes } from './file-bytes.js';
import type { ForeignOptions } from './foreign-link.js';
import { refusedRow } from './import-row.js';
import type { ImportFormat, ImportRow, Place } from './import-row.js';
import { jsonRowReader } from './json-rows.js';
import { HEAD_BYTES, recogniseFormat } from './recognise-format.js';
import type { Layout } from './recognise-format.js';

const PIECE_BYTES = 64 * 1024;

export type ReadOptions = {
  /** What the file is, if its shape is not to decide. */
  readonly format?: ImportFormat;
  /** Told how many bytes of the file have been read: of a compressed one, as it lies on disk. */
  readonly onBytes?: (bytesRead: number) => void;
  /** The password for links that had one in another service; without it they are refused. */
  readonly newPassword?: string;
  /** When links have run out in another service. The clock's time if not given. */
  readonly now?: Date;
};

/**
 * Yields every row of an import file in its order, each one read or refused by itself. Whatever the file holds, no more
 * of it is kept than a row of a mebibyte and the piece being read. At a place from where nothing more can be read the
 * last row is a refusal with `endsHere`.
 *
 * Throws Problem, before the first row, for a file that cannot be read, is none of the formats or has a heading that is
 * wrong; later only when the disk fails. Whoever stops early leaves no file open.
 */
export async function* readImportFile(file: string, options: ReadOptions = {}): AsyncGenerator<ImportRow> {
  let reader: RowReader | null = null;
  let place: Place = { rowNumber: 0, line: 1 };
  try {
    for await (const bytes of withWholeHead(readFileBytes(file, options.onBytes))) {
      reader ??= openReader(file, bytes, options);
      for (const piece of piecesOf(bytes)) {
        for (const row of reader.push(piece)) {
          place = row;
          yield row;
        }
      }
    }
    yield* reader?.end() ?? [];
  } catch (err) {
    if (!(err instanceof DamagedFile)) throw err;
    if (reader === null) throw unreadable(file, err);
    const next = { rowNumber: place.rowNumber + 1, line: place.line + 1 };
    yield refusedRow(next, `and whatever follows it cannot be read: ${err.message}`, true);
  }
}

/**
 * Yields chunks, those at the start as one of HEAD_BYTES or more. Where the file ends before, or is damaged after its
 * first bytes, that one is all there is.
 */
async function* withWholeHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer[] | null = [];
  let headBytes = 0;
  try {
    for await (const chunk of chunks) {
      if (head === null) {
        yield chunk;
        continue;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (headBytes < HEAD_BYTES) continue;
      yield Buffer.concat(head);
      head = null;
    }
  } catch (err) {
    if (head !== null && headBytes > 0) yield Buffer.concat(head);
    throw err;
  }
  if (head !== null) yield Buffer.concat(head);
}

/** Rows may be of two bytes, and those of a piece are all made at once. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let i = 0; i < bytes.length; i += PIECE_BYTES) yield bytes.subarray(i, i + PIECE_BYTES);
}

/** Returns what a file is and how it is laid out. Throws Problem as readImportFile does. */
export async function recogniseImportFile(file: string, forced?: ImportFormat): Promise<Layout> {
  const head: Buffer[] = [];
  let headBytes = 0;
  try {
    for await (const chunk of readFileBytes(file)) {
      head.push(chunk);
      headBytes += chunk.length;
      if (headBytes >= HEAD_BYTES) break;
    }
  } catch (err) {
    throw err instanceof DamagedFile ? unreadable(file, err) : err;
  }
  return layoutOf(file, Buffer.concat(head), forced);
}

function openReader(file: string, head: Buffer, options: ReadOptions): RowReader {
  const layout = layoutOf(file, head, options.format);
  const { newPassword, now = new Date() } = options;
  const foreign: ForeignOptions = { now, ...(newPassword !== undefined && { newPassword }) };
  const reader = layout.kind === 'csv' ? csvRowReader(layout, foreign) : jsonRowReader(layout, foreign);
  if ('problem' in reader) throw new Problem(`${file} ${reader.problem.replace(/[^?]$/, '$&.')}`);
  return reader;
}

function layoutOf(file: string, head: Buffer, forced: ImportFormat | undefined): Layout {
  const layout = recogniseFormat(head, forced);
  if ('problem' in layout) throw new Problem(`${file} ${layout.problem}.`);
  return layout;
}

function unreadable(file: string, { message }: DamagedFile): Problem {
  return new Problem(`${file} cannot be read: ${message}.`);
}
