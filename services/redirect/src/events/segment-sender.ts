import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@smartlink/process/lifecycle';
import type { ShipperCounters } from '../metrics/event-counters.js';
import type { EventTable, InsertOutcome } from './event-table.js';
import {
  type ListedSegment,
  loadSegment,
  markSent,
  SEGMENT_FILE_MODE,
  SPOOL_FOLDER_MODE,
} from './spool-files.js';
import { splitRows } from './spool-segment.js';

type Deps = {
  readonly spoolDir: string;
  readonly table: EventTable;
  readonly log: Logger;
  readonly now: () => number;
  readonly counters: ShipperCounters;
  readonly signal: AbortSignal;
  readonly quarantine: Quarantine;
};

/**
 * Sends one batch of segments. Each ends up acknowledged, split if ClickHouse rejects it, or quarantined if the disk lost
 * it. Rejects, with nothing marked, when the batch must be retried.
 */
export function createSegmentSender(deps: Deps): (files: readonly ListedSegment[]) => Promise<void> {
  const table = countingTable(deps);
  return async (files) => {
    const { outcome, segments, unreadable } = await sendBatch({ ...deps, table }, files);
    for (const file of unreadable) {
      await deps.quarantine.keepUnreadable(file);
      // The rows of a segment that is sent again have been delivered.
      if (file.state !== 'again') deps.counters.tornEvents += file.rowCount;
    }
    if (outcome.kind === 'acknowledged') {
      for (const { file, rowCount, tornBytes } of segments) {
        await markAndCount(deps, file, {
          deliveredRows: rowCount,
          quarantinedRows: 0,
          discardedRows: 0,
          tornBytes,
        });
      }
      return;
    }
    deps.log.error(
      { code: outcome.code, reason: outcome.reason },
      'ClickHouse rejected a batch; bisecting to isolate invalid rows',
    );
    for (const file of files) {
      if (!unreadable.includes(file)) await takeApart({ ...deps, table }, file);
    }
  };
}

async function takeApart(deps: Deps, file: ListedSegment): Promise<void> {
  const result = await sendRefusedSegment({ ...deps, insert: retrying(deps) }, file);
  if (!result) return;
  if (result.quarantinedRows > 0) {
    deps.log.error({ segment: file.name, rows: result.quarantinedRows }, 'rejected rows quarantined');
  }
  if (result.discardedRows > 0) {
    deps.log.error(
      { segment: file.name, rows: result.discardedRows },
      'quarantine is full: rejected rows are lost',
    );
  }
  await markAndCount(deps, file, result);
}

/** Marks a segment acknowledged and counts its rows. */
async function markAndCount(
  { spoolDir, counters, now }: Deps,
  file: ListedSegment,
  result: Omit<RefusedSegmentResult, 'isGone'> & { isGone?: boolean },
): Promise<void> {
  // Rename first: if it fails, the segment is sent again and counted then.
  if (!result.isGone) await markSent(spoolDir, file, now());
  if (file.state === 'again') {
    counters.resentEvents += result.deliveredRows;
  } else {
    counters.deliveredEvents += result.deliveredRows;
    counters.quarantinedEvents += result.quarantinedRows;
    counters.discardedEvents += result.discardedRows;
    const known = result.deliveredRows + result.quarantinedRows + result.discardedRows;
    counters.tornEvents += Math.max(0, file.rowCount - known);
    counters.tornBytes += result.tornBytes;
  }
}

function countingTable({ table, counters }: Deps): EventTable {
  return {
    ...table,
    insert: async (columns, rows, signal) => {
      counters.inserts++;
      try {
        return await table.insert(columns, rows, signal);
      } catch (err) {
        counters.failedInserts++;
        throw err;
      }
    },
  };
}

/** A short outage must not restart the bisection, so each of its inserts is retried in place. */
function retrying({ table, log, signal }: Deps): EventTable['insert'] {
  return async (columns, rows) => {
    const backoff = createBackoff();
    for (;;) {
      try {
        return await table.insert(columns, rows, signal);
      } catch (err) {
        signal.throwIfAborted();
        const pauseMs = backoff.nextMs();
        log.warn({ err, pauseMs }, 'events cannot be sent');
        await sleep(pauseMs, undefined, { signal });
      }
    }
  };
}

type SentSegment = {
  readonly file: ListedSegment;
  readonly rowCount: number;
  readonly tornBytes: number;
};

type BatchResult = {
  readonly outcome: InsertOutcome;
  readonly segments: readonly SentSegment[];
  /** Segments that the disk cannot read back. */
  readonly unreadable: readonly ListedSegment[];
};

/** The first of the waiting segments that fit one batch, at least one; `isFull` when more are waiting. */
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
 * Sends the segments as one insert, reading one at a time. A segment with other columns than the first ends the batch
 * early; files that no longer exist are skipped and not counted. Rejects like EventTable.insert, and when a file cannot be
 * read for now.
 */
async function sendBatch(
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

/**
 * More rejections per segment indicate a schema mismatch; the whole segment is quarantined.
 */
const REFUSED_ROWS_MAX = 100;

type RefusedSegmentResult = {
  readonly deliveredRows: number;
  readonly quarantinedRows: number;
  /** Refused rows for which the quarantine had no room. */
  readonly discardedRows: number;
  readonly tornBytes: number;
  /** The file is no longer in the spool folder. */
  readonly isGone: boolean;
};

type RefusedDeps = {
  readonly spoolDir: string;
  /** Retries; rejects only when the shipper stops. */
  readonly insert: EventTable['insert'];
  readonly quarantine: Quarantine;
  readonly signal: AbortSignal;
};

/**
 * Halves a rejected segment until each invalid row is alone, quarantines those and sends all others. Sending an accepted
 * half again changes nothing. About 2 · log2(rows) inserts per refused row. Returns null when the
 * file is missing.
 */
async function sendRefusedSegment(
  deps: RefusedDeps,
  file: ListedSegment,
): Promise<RefusedSegmentResult | null> {
  const content = await loadSegment(deps.spoolDir, file);
  if (content === 'missing') return null;
  if (content === 'unreadable') {
    await deps.quarantine.keepUnreadable(file);
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

type Refusal = { readonly code: string; readonly reason: string };

export type Quarantine = ReturnType<typeof createQuarantine>;

/** The folder of refused data: `<spool>/quarantine`, at most `bytesMax` of single rows. */
export function createQuarantine({
  spoolDir,
  bytesMax,
  log,
}: {
  spoolDir: string;
  bytesMax: number;
  log: Logger;
}) {
  const folder = join(spoolDir, 'quarantine');

  const explain = async (name: string, explanation: object) => {
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(explanation, null, 2)}\n`, {
      mode: SEGMENT_FILE_MODE,
    });
  };

  const keepSegment = async (file: ListedSegment, refusal: Refusal) => {
    await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
    await explain(file.stem, { ...refusal, segment: file.name });
    await rename(join(spoolDir, file.name), join(folder, file.name));
  };

  return {
    /**
     * Keeps one refused row, with a readable file beside it. The name follows from the row's position, so a repeated
     * attempt overwrites it. Returns false when the quarantine is full.
     */
    keepRow: async (
      { file, rowIndex, columns }: { file: ListedSegment; rowIndex: number; columns: readonly string[] },
      row: Buffer,
      refusal: Refusal,
    ) => {
      await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
      if ((await folderBytes(folder)) + row.length > bytesMax) return false;
      const name = `${file.stem}-row${rowIndex}`;
      await writeFile(join(folder, `${name}.rowbinary`), row, { mode: SEGMENT_FILE_MODE });
      await explain(name, { ...refusal, segment: file.name, rowIndex, columns, hex: row.toString('hex') });
      return true;
    },
    /** Moves a whole segment aside. Moved back under its old name, it is sent again. */
    keepSegment,
    /** Moves a segment aside whose bytes the disk has lost. The caller counts its rows, if their number is known. */
    keepUnreadable: async (file: ListedSegment) => {
      await keepSegment(file, { code: 'EIO', reason: 'the file cannot be read' });
      log.error({ segment: file.name, bytes: file.bytes }, 'unreadable segment quarantined');
    },
  };
}

async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  for (const name of await readdir(folder)) {
    if (!/\.(?:seg|again|open)$/.test(name)) total += (await stat(join(folder, name))).size;
  }
  return total;
}

const FIRST_MS = 100;
const MAX_MS = 5_000;

/** Pauses that double from 100 ms to 5 s, each drawn from its upper half so that hosts do not retry in step. */
export function createBackoff(random: () => number = Math.random): {
  nextMs: () => number;
  reset: () => void;
} {
  let failures = 0;
  return {
    nextMs: () => {
      const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** failures);
      failures++;
      return Math.round(ceiling * (0.5 + random() / 2));
    },
    reset: () => {
      failures = 0;
    },
  };
}
