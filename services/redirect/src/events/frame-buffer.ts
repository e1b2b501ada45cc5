import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { encodeRow, ROW_BYTES_MAX, ROW_BYTES_MIN } from './encode-row.js';
import { FRAME_HEADER_BYTES, ROW_LENGTH_BYTES } from './spool-segment.js';
import type { WriteUuidV7 } from './uuid-v7.js';

/** The rows of one coming frame, in memory of a fixed size, and those who wait for them to be written. */
export type FrameBuffer = {
  readonly rowCount: number;
  /** Encodes one event behind the others. Returns false, and does nothing, when there might not be room for it. */
  readonly add: (event: VisitEvent, writeId: WriteUuidV7, linkPart?: string) => boolean;
  /** Returns a view of the whole frame, its header still free. Valid until `clear`. */
  readonly frame: () => Buffer;
  readonly clear: () => void;
  /** Resolves with what `settle` is told, or with false after `waitMs`. */
  readonly settled: (waitMs: number) => Promise<boolean>;
  readonly settle: (isWritten: boolean) => void;
};

/** Returns an empty buffer of `sizeBytes`, which must hold at least one row of ROW_BYTES_MAX. */
export function createFrameBuffer(sizeBytes: number): FrameBuffer {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const rowLengths = new Uint16Array(Math.ceil(sizeBytes / ROW_BYTES_MIN));
  let usedBytes = FRAME_HEADER_BYTES;
  let rowCount = 0;
  let waiters: ((isWritten: boolean) => void)[] = [];
  let waitTimer: NodeJS.Timeout | undefined;

  const settle = (isWritten: boolean) => {
    clearTimeout(waitTimer);
    const settled = waiters;
    waiters = [];
    for (const resolve of settled) resolve(isWritten);
  };

  return {
    get rowCount() {
      return rowCount;
    },
    add: (event, writeId, linkPart) => {
      // Room for the longest row, and for the lengths of all rows behind it.
      const lengthsBytes = (rowCount + 1) * ROW_LENGTH_BYTES;
      if (usedBytes + ROW_BYTES_MAX + lengthsBytes > sizeBytes) return false;
      const rowBytes = encodeRow(bytes, usedBytes, event, writeId, linkPart);
      rowLengths[rowCount++] = rowBytes;
      usedBytes += rowBytes;
      return true;
    },
    frame: () => {
      let at = usedBytes;
      for (let row = 0; row < rowCount; row++) at = bytes.writeUInt16LE(rowLengths[row] ?? 0, at);
      return bytes.subarray(0, at);
    },
    clear: () => {
      usedBytes = FRAME_HEADER_BYTES;
      rowCount = 0;
    },
    settled: (waitMs) => {
      if (waiters.length === 0) waitTimer = setTimeout(settle, waitMs, false).unref();
      return new Promise((resolve) => waiters.push(resolve));
    },
    settle,
  };
}
