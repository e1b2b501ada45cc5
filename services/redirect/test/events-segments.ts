import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROW_BYTES_MAX, createUuidV7Writer, encodeRow } from '../src/events/encode-row.js';
import { segmentStem } from '../src/events/spool-files.js';
import {
  fileHeader,
  FRAME_HEADER_BYTES,
  frameSeed,
  ROW_LENGTH_BYTES,
  sealFrame,
} from '../src/events/spool-segment.js';
import { makeEvent } from './events-fixtures.js';

export type WrittenFrame = {
  /** Of its events, as `makeEvent` takes them. */
  readonly numbers: readonly number[];
  /** Where it stands in its file. */
  readonly start: number;
  readonly end: number;
};

const writeId = createUuidV7Writer();
let sequence = 0;

/**
 * Writes a sealed segment, as a process that is gone has left it, and returns its frames. `damage` may change its
 * bytes before they are written, and returns what is to stand in the file.
 */
export function writeSegment(
  folder: string,
  frames: readonly (readonly number[])[],
  damage: (bytes: Buffer, written: readonly WrittenFrame[]) => Buffer = (bytes) => bytes,
): void {
  const nonce = randomInt(2 ** 32);
  sequence += 1;
  const parts = { openedMs: Date.now(), sequence, writerId: 'w1', pid: 1, processToken: '00000000', nonce };
  const pieces = [fileHeader()];
  const written: WrittenFrame[] = [];
  let end = pieces[0]?.length ?? 0;
  for (const numbers of frames) {
    const frame = makeFrame(numbers, nonce);
    pieces.push(frame);
    written.push({ numbers, start: end, end: end + frame.length });
    end += frame.length;
  }
  const rows = frames.reduce((sum, numbers) => sum + numbers.length, 0);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${segmentStem(parts)}.${rows}.seg`), damage(Buffer.concat(pieces), written));
}

function makeFrame(numbers: readonly number[], nonce: number): Buffer {
  const rows = Buffer.alloc(numbers.length * ROW_BYTES_MAX);
  const lengths = Buffer.alloc(numbers.length * ROW_LENGTH_BYTES);
  let used = 0;
  for (const [index, number] of numbers.entries()) {
    const bytes = encodeRow(rows, used, makeEvent(number), writeId);
    lengths.writeUInt16LE(bytes, index * ROW_LENGTH_BYTES);
    used += bytes;
  }
  const frame = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), rows.subarray(0, used), lengths]);
  sealFrame(frame, numbers.length, frameSeed(nonce));
  return frame;
}
