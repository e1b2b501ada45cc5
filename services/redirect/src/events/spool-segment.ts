import { crc32 } from 'node:zlib';
import { EVENT_COLUMNS } from '@smartlink/visits/event';

// A segment is a file of
//
//   header  magic "SLSPOOL1" · u32 length of the column list · u32 its crc32 · the column list as text
//   frame*  u32 magic · u32 crc32 · u32 payload length · u32 row count · payload
//
// with every integer little-endian. A payload is the rows in RowBinary, one after another, and then the length of
// each row as u16, so that a single row can be cut out of a frame that ClickHouse refuses. One frame is what one
// write put into the file.
//
// The column list stands in the header because a spool outlives releases: the rows are inserted under the columns
// they were written with. Its crc32, mixed with the segment's nonce, seeds the crc32 of each frame (which covers
// everything behind itself). The nonce stands in the file's name only: a visitor who hides a whole frame in a utm
// value cannot know it, so a reader that looks for the next frame behind damage is never led into such a forgery.
//
// Reading never fails. A frame whose crc32 does not fit is skipped by looking for the next place where a whole good
// frame stands, because a damaged length cannot be trusted. A damaged header costs nothing: the column list is then
// taken to be today's, and the frames' own crc32 says whether that was right.

const FILE_MAGIC = Buffer.from('SLSPOOL1', 'latin1');
const FILE_HEADER_BYTES = FILE_MAGIC.length + 8;
/** Written as the bytes f5 53 4c 46: f5 is in no UTF-8 text, so few places in a payload look like a frame. */
const FRAME_MAGIC = 0x464c53f5;
const FRAME_MAGIC_BYTES = Buffer.from([0xf5, 0x53, 0x4c, 0x46]);
const COLUMN_LIST_BYTES_MAX = 64 * 1024;

export const FRAME_HEADER_BYTES = 16;
export const ROW_LENGTH_BYTES = 2;

/** `name type` of each of today's columns, one a line. */
const COLUMN_LIST = EVENT_COLUMNS.map(({ name, type }) => `${name} ${type}`).join('\n');

export function fileHeader(): Buffer {
  const columns = Buffer.from(COLUMN_LIST, 'utf8');
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  FILE_MAGIC.copy(header);
  header.writeUInt32LE(columns.length, FILE_MAGIC.length);
  header.writeUInt32LE(crc32(columns), FILE_MAGIC.length + 4);
  return Buffer.concat([header, columns]);
}

/** Start value of the crc32 of a segment's frames. `nonce`: 32 bits. */
export function frameSeed(nonce: number, columnList: string = COLUMN_LIST): number {
  const salt = Buffer.alloc(4);
  salt.writeUInt32LE(nonce >>> 0);
  return crc32(salt, crc32(columnList));
}

/** Fills in the header of a complete frame: 16 free bytes, then the payload. */
export function sealFrame(frame: Buffer, rowCount: number, seed: number): void {
  frame.writeUInt32LE(FRAME_MAGIC, 0);
  frame.writeUInt32LE(frame.length - FRAME_HEADER_BYTES, 8);
  frame.writeUInt32LE(rowCount, 12);
  frame.writeUInt32LE(crc32(frame.subarray(8), seed), 4);
}

type SegmentFrame = {
  /** The rows in RowBinary. A view into the bytes that were read. */
  readonly rows: Buffer;
  /** Bytes of each row, in order, as u16; their sum is `rows.length`. A view too. */
  readonly rowLengths: Buffer;
  readonly rowCount: number;
};

/** The rows of a frame, each in RowBinary. */
export function splitRows(frame: SegmentFrame): readonly Buffer[] {
  const rows: Buffer[] = [];
  let start = 0;
  for (let index = 0; index < frame.rowCount; index++) {
    const end = start + frame.rowLengths.readUInt16LE(index * ROW_LENGTH_BYTES);
    rows.push(frame.rows.subarray(start, end));
    start = end;
  }
  return rows;
}

export type SegmentContent = ReturnType<typeof readSegment>;

/**
 * Every good frame of a segment. Never throws: damaged or cut bytes are counted in `tornBytes`. The name of a sealed
 * segment has the number of its rows; of others, `tornRows` counts the rows that are missing.
 */
export function readSegment(bytes: Buffer, nonce: number) {
  const header = readFileHeader(bytes);
  const seed = frameSeed(nonce, header.columnList);
  const frames: SegmentFrame[] = [];
  let rowCount = 0;
  let tornBytes = 0;
  let tornRows = 0;
  let tornEnd = 0;
  let at = header.bytes;
  while (at < bytes.length) {
    const frame = readFrame(bytes, at, seed);
    if (frame) {
      frames.push(frame.content);
      rowCount += frame.content.rowCount;
      at += frame.bytes;
    } else {
      // The payload of a torn frame may contain the magic too.
      const torn = at < tornEnd ? null : readTornFrame(bytes, at);
      if (torn) {
        tornRows += torn.rowCount;
        tornEnd = at + torn.bytes;
      }
      const next = bytes.indexOf(FRAME_MAGIC_BYTES, at + 1);
      const end = next === -1 ? bytes.length : next;
      tornBytes += end - at;
      at = end;
    }
  }
  // A damaged header is skipped like any damage, but costs no row.
  if (header.bytes === 0) tornBytes = Math.max(0, tornBytes - FILE_HEADER_BYTES - COLUMN_LIST.length);
  const columns = header.columnList.split('\n').map((line) => line.slice(0, line.indexOf(' ')));
  return {
    /** Columns of the rows, in order. */
    columns,
    frames,
    rowCount,
    /** Bytes outside of good frames; 0 in an undamaged segment. */
    tornBytes,
    /** Rows of damaged and cut frames, except for those whose header or row lengths are damaged too. */
    tornRows,
  };
}

function readFileHeader(bytes: Buffer): { columnList: string; bytes: number } {
  const unknown = { columnList: COLUMN_LIST, bytes: 0 };
  if (bytes.length < FILE_HEADER_BYTES || !bytes.subarray(0, FILE_MAGIC.length).equals(FILE_MAGIC)) {
    return unknown;
  }
  const length = bytes.readUInt32LE(FILE_MAGIC.length);
  const end = FILE_HEADER_BYTES + length;
  if (length > COLUMN_LIST_BYTES_MAX || end > bytes.length) return unknown;
  const text = bytes.subarray(FILE_HEADER_BYTES, end);
  if (crc32(text) !== bytes.readUInt32LE(FILE_MAGIC.length + 4)) return unknown;
  const columnList = text.toString('utf8');
  // The names become part of an insert, so only plain names are accepted.
  if (!columnList.split('\n').every((line) => /^[a-z][a-z0-9_]* \S/.test(line))) return unknown;
  return { columnList, bytes: end };
}

function readFrame(bytes: Buffer, at: number, seed: number): { content: SegmentFrame; bytes: number } | null {
  if (at + FRAME_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== FRAME_MAGIC) return null;
  const payloadBytes = bytes.readUInt32LE(at + 8);
  const rowCount = bytes.readUInt32LE(at + 12);
  const start = at + FRAME_HEADER_BYTES;
  const end = start + payloadBytes;
  const rowsEnd = end - rowCount * ROW_LENGTH_BYTES;
  if (end > bytes.length || rowsEnd < start) return null;
  if (crc32(bytes.subarray(at + 8, end), seed) !== bytes.readUInt32LE(at + 4)) return null;
  const content = {
    rows: bytes.subarray(start, rowsEnd),
    rowLengths: bytes.subarray(rowsEnd, end),
    rowCount,
  };
  return { content, bytes: end - at };
}

/**
 * The rows of a frame whose crc32 does not fit, by its header: if it is cut by the end of the file, or if the lengths of
 * its rows add up. Else null, because the header may be what is damaged.
 */
function readTornFrame(bytes: Buffer, at: number): { rowCount: number; bytes: number } | null {
  if (at + FRAME_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== FRAME_MAGIC) return null;
  const rowCount = bytes.readUInt32LE(at + 12);
  const start = at + FRAME_HEADER_BYTES;
  const end = start + bytes.readUInt32LE(at + 8);
  const rowsEnd = end - rowCount * ROW_LENGTH_BYTES;
  if (rowsEnd < start) return null;
  const torn = { rowCount, bytes: end - at };
  if (end > bytes.length) return torn;
  let rowBytes = 0;
  for (let i = rowsEnd; i < end; i += ROW_LENGTH_BYTES) rowBytes += bytes.readUInt16LE(i);
  return rowBytes === rowsEnd - start ? torn : null;
}
