import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventTable, InsertOutcome } from './insert-rows.js';
import { errorCode } from './spool-files.js';
import type { ListedSegment } from './spool-listing.js';
import { readSegment } from './spool-segment.js';
import type { SegmentContent } from './spool-segment.js';

/** One segment as it was sent. */
export type SentSegment = {
  readonly file: ListedSegment;
  readonly rowCount: number;
  readonly tornBytes: number;
};

export type BatchResult = {
  readonly outcome: InsertOutcome;
  readonly segments: readonly SentSegment[];
  /** Segments whose bytes the disk does not give back. */
  readonly unreadable: readonly ListedSegment[];
};

/** The disk has lost the file's bytes; other errors, such as too many open files, pass. */
const LOST_ON_DISK: ReadonlySet<string | undefined> = new Set([
  'EIO',
  'EBADMSG',
  'EUCLEAN',
  'ENXIO',
  'EISDIR',
]);

/**
 * Returns the first of the waiting segments that make one batch within the bounds, at least one, and whether more
 * are waiting than fit.
 */
export function pickBatch(
  waiting: readonly ListedSegment[],
  bounds: { rowsMax: number; bytesMax: number },
): { files: readonly ListedSegment[]; isFull: boolean } {
  let rows = 0;
  let bytes = 0;
  let count = 0;
  for (const file of waiting) {
    rows += file.rowCount;
    bytes += file.bytes;
    if (count > 0 && (rows > bounds.rowsMax || bytes > bounds.bytesMax))
      return { files: waiting.slice(0, count), isFull: true };
    count++;
  }
  return { files: waiting, isFull: false };
}

/**
 * Sends the segments as one insert, read one at a time while they are sent, and tells what was in it: segments that
 * were written with other columns than the first end the batch early, those that have vanished are left out. Rejects
 * like EventTable.insert, and when a file cannot be read for a passing reason.
 */
export async function sendBatch(
  deps: { spoolDir: string; table: EventTable; signal: AbortSignal },
  files: readonly ListedSegment[],
): Promise<BatchResult> {
  const segments: SentSegment[] = [];
  const unreadable: ListedSegment[] = [];
  let readError: unknown;
  const sent = { isComplete: false };

  const load = async (file: ListedSegment) => {
    const content = await loadSegment(deps.spoolDir, file);
    if (content === 'unreadable') unreadable.push(file);
    return typeof content === 'object' ? content : null;
  };

  let next = 0;
  const loadNext = async () => {
    for (; next < files.length; next++) {
      const file = files[next];
      const content = file ? await load(file) : null;
      if (file && content) return { file, content };
    }
    return null;
  };

  const first = await loadNext();
  if (!first) return { outcome: { kind: 'acknowledged' }, segments, unreadable };
  const columns = first.content.columns;

  async function* rows(): AsyncGenerator<Buffer> {
    try {
      for (let current = first; current; next++, current = await loadNext()) {
        const { file, content } = current;
        if (content.columns.join() !== columns.join()) break;
        for (const frame of content.frames) yield frame.rows;
        segments.push({ file, rowCount: content.rowCount, tornBytes: content.tornBytes });
      }
      sent.isComplete = true;
    } catch (err) {
      readError = err;
      throw err;
    }
  }

  const outcome = await deps.table.insert(columns, rows(), deps.signal);
  if (readError !== undefined) throw new Error('a segment could not be read', { cause: readError });
  if (outcome.kind === 'acknowledged' && !sent.isComplete)
    throw new Error('ClickHouse answered before it had all rows');
  return { outcome, segments, unreadable };
}

/** Returns a segment's content, or why there is none. Rejects for a passing reason. */
export async function loadSegment(
  spoolDir: string,
  file: ListedSegment,
): Promise<SegmentContent | 'missing' | 'unreadable'> {
  try {
    return readSegment(await readFile(join(spoolDir, file.name)), file.nonce);
  } catch (err) {
    const code = errorCode(err);
    if (code === 'ENOENT') return 'missing';
    if (LOST_ON_DISK.has(code)) return 'unreadable';
    throw err;
  }
}
