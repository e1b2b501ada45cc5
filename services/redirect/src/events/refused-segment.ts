import type { EventTable } from './insert-rows.js';
import type { Quarantine, Refusal } from './quarantine.js';
import { loadSegment } from './shipping-batch.js';
import type { ListedSegment } from './spool-listing.js';
import { splitRows } from './spool-segment.js';

/**
 * One row in a hundred thousand is an accident; more than this many in one segment are a table that no longer fits
 * the rows. Such a segment is put aside whole, so that nothing is lost and the search ends.
 */
const REFUSED_ROWS_MAX = 100;

export type RefusedSegmentResult = {
  readonly deliveredRows: number;
  readonly quarantinedRows: number;
  /** Refused rows that the quarantine had no room for. */
  readonly discardedRows: number;
  readonly tornBytes: number;
  /** The file is no longer in the spool folder. */
  readonly isGone: boolean;
};

type Deps = {
  readonly spoolDir: string;
  /** Retries by itself; rejects only when the shipper is to stop. */
  readonly insert: EventTable['insert'];
  readonly quarantine: Quarantine;
  readonly signal: AbortSignal;
};

/**
 * Sends a segment out of a batch that ClickHouse refused: halves its rows until the refused ones stand alone, puts
 * those into quarantine and sends all others. Each half that goes in stays in; sent again after an interruption, it
 * changes nothing. About 2 · log2(rows) inserts for each refused row. Returns null when the file has vanished.
 */
export async function sendRefusedSegment(
  deps: Deps,
  file: ListedSegment,
): Promise<RefusedSegmentResult | null> {
  const content = await loadSegment(deps.spoolDir, file);
  if (content === 'missing') return null;
  if (content === 'unreadable') {
    await deps.quarantine.keepSegment(file, { code: 'EIO', reason: 'the file cannot be read' });
    return { deliveredRows: 0, quarantinedRows: 0, discardedRows: 0, tornBytes: file.bytes, isGone: true };
  }
  const rows = content.frames.flatMap(splitRows);
  const { columns, tornBytes } = content;
  const refused: { rowIndex: number; refusal: Refusal }[] = [];
  let deliveredRows = 0;

  const send = async (start: number, end: number): Promise<void> => {
    if (refused.length > REFUSED_ROWS_MAX) return;
    const outcome = await deps.insert(columns, rows.slice(start, end), deps.signal);
    if (outcome.kind === 'acknowledged') {
      deliveredRows += end - start;
    } else if (end - start === 1) {
      refused.push({ rowIndex: start, refusal: { code: outcome.code, reason: outcome.reason } });
    } else {
      const middle = Math.floor((start + end) / 2);
      await send(start, middle);
      await send(middle, end);
    }
  };

  if (rows.length > 0) await send(0, rows.length);
  const [firstRefused] = refused;
  if (firstRefused && refused.length > REFUSED_ROWS_MAX) {
    await deps.quarantine.keepSegment(file, firstRefused.refusal);
    const quarantinedRows = rows.length - deliveredRows;
    return { deliveredRows, quarantinedRows, discardedRows: 0, tornBytes, isGone: true };
  }
  let discardedRows = 0;
  for (const { rowIndex, refusal } of refused) {
    const row = rows[rowIndex] ?? Buffer.alloc(0);
    if (!(await deps.quarantine.keepRow({ file, rowIndex, columns }, row, refusal))) discardedRows += 1;
  }
  const quarantinedRows = refused.length - discardedRows;
  return { deliveredRows, quarantinedRows, discardedRows, tornBytes, isGone: false };
}
