import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { EVENT_COLUMNS } from '@smartlink/visits/event';
import {
  FRAME_HEADER_BYTES,
  fileHeader,
  frameSeed,
  readSegment,
  sealFrame,
  splitRows,
} from './spool-segment.js';

const NONCE = 0xdead_beef;

function makeFrame(rows: readonly Buffer[], nonce = NONCE): Buffer {
  const lengths = Buffer.alloc(rows.length * 2);
  rows.forEach((row, index) => lengths.writeUInt16LE(row.length, index * 2));
  const frame = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), ...rows, lengths]);
  sealFrame(frame, rows.length, frameSeed(nonce));
  return frame;
}

/** A segment whose rows say which frame they stand in. */
function makeSegment(frameCount: number, random: (below: number) => number) {
  const frames = Array.from({ length: frameCount }, (_, frame) =>
    makeFrame(
      Array.from({ length: 1 + random(20) }, (_, row) =>
        Buffer.from(`frame ${frame} row ${row} `.repeat(1 + random(5))),
      ),
    ),
  );
  const header = fileHeader();
  let at = header.length;
  const ranges = frames.map((frame) => {
    const range = { start: at, end: at + frame.length };
    at = range.end;
    return range;
  });
  return { bytes: Buffer.concat([header, ...frames]), ranges };
}

const framesRead = (bytes: Buffer) =>
  readSegment(bytes, NONCE).frames.map((frame) => Number(/frame (\d+)/.exec(frame.rows.toString())?.[1]));

test('gives back rows, their lengths and the columns they were written with', () => {
  const rows = [Buffer.from('one'), Buffer.from([0x0a, 0x0a]), Buffer.alloc(4_000, 7)];
  const content = readSegment(
    Buffer.concat([fileHeader(), makeFrame(rows), makeFrame(rows.slice(0, 1))]),
    NONCE,
  );
  expect(content).toMatchObject({ rowCount: 4, tornBytes: 0 });
  expect(content.columns).toEqual(EVENT_COLUMNS.map((column) => column.name));
  expect(content.frames.map(splitRows)).toEqual([rows, rows.slice(0, 1)]);
});

test('1,000 random flips and truncations lose the damaged frames alone, and every lost byte is counted', () => {
  const random = createRandom(20_261_121);
  let lost = 0;
  let read = 0;
  for (let round = 0; round < 1_000; round++) {
    const { bytes, ranges } = makeSegment(1 + random(12), random);
    let damaged = bytes;
    const hit = new Set<number>();
    const hitAt = (at: number) => {
      ranges.forEach(({ start, end }, index) => at >= start && at < end && hit.add(index));
    };
    for (let flip = random(4); flip > 0; flip--) {
      const at = random(bytes.length);
      damaged[at] = (damaged[at] ?? 0) ^ (1 + random(255));
      hitAt(at);
    }
    if (random(3) === 0) {
      const length = random(bytes.length + 1);
      damaged = bytes.subarray(0, length);
      ranges.forEach(({ end }, index) => end > length && hit.add(index));
    }
    const good = ranges.map((_, index) => index).filter((index) => !hit.has(index));
    // Two flips of one byte may undo each other.
    const found = framesRead(damaged);
    expect(found.filter((index) => !hit.has(index))).toEqual(good);
    const foundBytes = found.reduce(
      (sum, index) => sum + (ranges[index]?.end ?? 0) - (ranges[index]?.start ?? 0),
      0,
    );
    const frameBytes = Math.max(0, damaged.length - (ranges[0]?.start ?? 0));
    const { tornBytes } = readSegment(damaged, NONCE);
    expect(tornBytes).toBe(frameBytes - foundBytes);
    lost += ranges.length - found.length;
    read += found.length;
  }
  process.stdout.write(
    `E8: 1,000 damaged segments, ${lost} frames damaged and lost, ${read} undamaged and read\n`,
  );
});

test('counts the rows of damaged and cut frames by their headers, unless the header or the row lengths are damaged', () => {
  const rows = (frame: number, count: number) =>
    Array.from({ length: count }, (_, row) => Buffer.from(`frame ${frame} row ${row}`));
  const hidden = makeFrame(rows(8, 50), 0);
  const frames = [rows(0, 3), [...rows(1, 4), hidden], rows(2, 7), rows(3, 9)].map((frame) =>
    makeFrame(frame),
  );
  const start = fileHeader().length;
  const starts = frames.map(
    (_, i) => start + frames.slice(0, i).reduce((sum, { length }) => sum + length, 0),
  );
  const tornRows = (places: readonly number[], length = Infinity) => {
    const bytes = Buffer.concat([fileHeader(), ...frames]);
    for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return readSegment(bytes.subarray(0, Math.min(length, bytes.length)), NONCE).tornRows;
  };
  const [, second = 0, third = 0, last = 0] = starts;
  expect(tornRows([])).toBe(0);
  expect(tornRows([start + FRAME_HEADER_BYTES])).toBe(3);
  // Its crc32, and a frame that a visitor has hidden in a row.
  expect(tornRows([start + 4, second + FRAME_HEADER_BYTES])).toBe(3 + 5);
  expect(tornRows([third + FRAME_HEADER_BYTES], last + FRAME_HEADER_BYTES)).toBe(7 + 9);
  expect(tornRows([], last + FRAME_HEADER_BYTES - 1)).toBe(0);
  // The magic, the number of rows, and the length of the last row.
  for (const at of [last, last + 12, last + (frames[3]?.length ?? 0) - 2]) {
    expect(tornRows([at])).toBe(0);
  }
});

test('random bytes are no segment and no crash', () => {
  const random = createRandom(7);
  for (let round = 0; round < 200; round++) {
    const bytes = Buffer.from(Array.from({ length: random(3_000) }, () => random(256)));
    expect(readSegment(bytes, NONCE).rowCount).toBe(0);
  }
});

test('a half-written frame does not damage the next one', () => {
  const half = makeFrame([Buffer.from('frame 0 lost')]).subarray(0, 20);
  const whole = makeFrame([Buffer.from('frame 1 kept')]);
  expect(framesRead(Buffer.concat([fileHeader(), half, whole]))).toEqual([1]);
});

test('a frame that a visitor hides in a text is never read, not even from a damaged frame', () => {
  const forged = makeFrame([Buffer.from('frame 9 forged')], 0);
  const carrier = makeFrame([Buffer.concat([Buffer.from('frame 0 '), forged])]);
  const bytes = Buffer.concat([fileHeader(), carrier, makeFrame([Buffer.from('frame 1')])]);
  bytes[fileHeader().length + 8] = 0xff;
  expect(framesRead(bytes)).toEqual([1]);
});

test('a damaged header costs no frame', () => {
  const bytes = Buffer.concat([fileHeader(), makeFrame([Buffer.from('frame 0')])]);
  bytes.fill(0xaa, 0, fileHeader().length);
  expect(framesRead(bytes)).toEqual([0]);
});
