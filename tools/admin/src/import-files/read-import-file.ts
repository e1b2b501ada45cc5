import { Problem } from '../problem.js';
import { csvRowReader } from './csv-rows.js';
import type { RowReader } from './csv-rows.js';
import { DamagedFile, readFileBytes } from './file-bytes.js';
import type { ForeignOptions } from './foreign-link.js';
import type { ImportFormat, ImportRow } from './import-row.js';
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
  let place = { rowNumber: 0, line: 1 };
  let damage: DamagedFile | null = null;
  const head: Buffer[] = [];
  let headBytes = 0;
  try {
    for await (const chunk of readFileBytes(file, options.onBytes)) {
      if (reader === null) {
        head.push(chunk);
        headBytes += chunk.length;
        if (headBytes < HEAD_BYTES) continue;
      }
      const bytes: Buffer = reader === null ? Buffer.concat(head.splice(0)) : chunk;
      reader ??= openReader(file, bytes, options);
      for (const piece of piecesOf(bytes)) {
        for (const row of reader.push(piece)) {
          place = row;
          yield row;
        }
      }
    }
  } catch (err) {
    if (!(err instanceof DamagedFile)) throw err;
    damage = err;
  }
  if (damage !== null && headBytes === 0) throw new Problem(`${file} cannot be read: ${damage.message}.`);
  const rest = Buffer.concat(head);
  reader ??= openReader(file, rest, options);
  for (const piece of piecesOf(rest)) {
    for (const row of reader.push(piece)) {
      place = row;
      yield row;
    }
  }
  if (damage === null) yield* reader.end();
  else yield damagedRow(place, damage);
}

/** Rows may be of two bytes, and those of a piece are all made at once. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let i = 0; i < bytes.length; i += PIECE_BYTES) yield bytes.subarray(i, i + PIECE_BYTES);
}

function damagedRow({ rowNumber, line }: { rowNumber: number; line: number }, { message }: Error): ImportRow {
  const reason = `and whatever follows it cannot be read: ${message}`;
  return { rowNumber: rowNumber + 1, line: line + 1, outcome: 'refused', reason, endsHere: true };
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
    throw err instanceof DamagedFile ? new Problem(`${file} cannot be read: ${err.message}.`) : err;
  }
  return layoutOf(file, Buffer.concat(head), forced);
}

function openReader(file: string, head: Buffer, options: ReadOptions): RowReader {
  const layout = layoutOf(file, head, options.format);
  const { newPassword, now = new Date() } = options;
  const foreign: ForeignOptions = { now, ...(newPassword !== undefined && { newPassword }) };
  const reader = layout.kind === 'csv' ? csvRowReader(layout, foreign) : jsonRowReader(layout, foreign);
  if ('problem' in reader) throw new Problem(`${file} ${reader.problem}.`);
  return reader;
}

function layoutOf(file: string, head: Buffer, forced: ImportFormat | undefined): Layout {
  const layout = recogniseFormat(head, forced);
  if ('problem' in layout) throw new Problem(`${file} ${layout.problem}.`);
  return layout;
}
