import { mkdirSync } from 'node:fs';
import type { Logger } from '@smartlink/process/lifecycle';
import type { VisitEvent } from '@smartlink/visits/event';
import {
  createRecorderCounters,
  DROP_REASONS,
  type DropReason,
  type RecorderCounters,
} from '../metrics/event-counters.js';
import {
  createUuidV7Writer,
  encodeRow,
  ROW_BYTES_MAX,
  ROW_BYTES_MIN,
  type WriteUuidV7,
} from './encode-row.js';
import { SPOOL_FOLDER_MODE } from './spool-files.js';
import { FRAME_HEADER_BYTES, ROW_LENGTH_BYTES } from './spool-segment.js';
import { type AppendOutcome, createSpoolWriter, type SpoolWriter } from './spool-writer.js';

/** Room for a dozen of the longest rows. */
const HALF_BYTES_MIN = 64 * 1024;
const LOOK_FOR_DROPS_EVERY_MS = 1_000;

export type EventRecorderOptions = {
  /** Created if missing. One folder per host, shared by its redirect processes and their shipper. */
  readonly spoolDir: string;
  /** Unique among the host's recorders: letters and digits. */
  readonly writerId: string;
  /** Limit of the whole spool folder (SPOOL_BYTES_MAX). */
  readonly bytesMax: number;
  /** Makes `record` return a promise to await before the visitor is answered (EVENTS_STRICT). */
  readonly strict: boolean;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/**
 * Takes one event; never throws, never waits for the disk. Returns undefined, or with `strict` a promise that never
 * rejects: true once the event's bytes are in the file (kill -9 cannot lose them), false when the visitor should not wait
 * any longer. `linkPart`: the link's encodeLinkPart, if the caller keeps it.
 */
type RecordEvent = (event: VisitEvent, linkPart?: string) => Promise<boolean> | undefined;

export type EventRecorder = ReturnType<typeof createEventRecorder>;

/** Throws when the folder cannot be created. The caller closes it. */
export function createEventRecorder(options: EventRecorderOptions) {
  if (!/^[A-Za-z0-9]+$/.test(options.writerId)) {
    throw new Error(`a writer id holds letters and digits only: ${options.writerId}`);
  }
  mkdirSync(options.spoolDir, { recursive: true, mode: SPOOL_FOLDER_MODE });
  const counters = createRecorderCounters();
  const spool = createSpoolWriter({
    spoolDir: options.spoolDir,
    writerId: options.writerId,
    bytesMax: options.bytesMax,
    log: options.log,
    now: options.now ?? Date.now,
    counters,
  });
  // A half is written in one piece, so it must fit a spool of any size.
  const halfBytes = Math.min(EVENT_BUFFER_LIMITS.halfBytes, Math.max(HALF_BYTES_MIN, options.bytesMax / 4));
  const limits = { ...EVENT_BUFFER_LIMITS, halfBytes: Math.floor(halfBytes) };
  const buffer = createEventBuffer({ spool, counters, writeId: createUuidV7Writer(), limits });
  const tellDrops = createDropLog(counters, options.log);
  const look = () => {
    tellDrops(performance.now());
  };
  const looking = setInterval(look, LOOK_FOR_DROPS_EVERY_MS).unref();
  const record: RecordEvent = options.strict
    ? buffer.recordStrict
    : (event, linkPart) => {
        buffer.record(event, linkPart);
        return undefined;
      };
  return {
    record,
    counters,
    /** Writes and seals the buffer; later events are dropped as `closed`. Never rejects. */
    close: async () => {
      await buffer.close();
      clearInterval(looking);
      look();
    },
  };
}

export type EventBufferLimits = {
  /** Per half. At 130 bytes a row 4 MiB hold about 30,000 events: a second and a half at 20,000 visits/s. */
  readonly halfBytes: number;
  /** Maximum wait of an event until its write begins, unless another write is running. */
  readonly flushAfterMs: number;
  /** Pause between attempts while the spool refuses. */
  readonly retryAfterMs: number;
  /** Maximum delay of a strict event's answer. */
  readonly strictWaitMs: number;
};

export const EVENT_BUFFER_LIMITS: EventBufferLimits = {
  halfBytes: 4 * 1024 * 1024,
  flushAfterMs: 5,
  retryAfterMs: 500,
  strictWaitMs: 1_000,
};

type Deps = {
  readonly spool: SpoolWriter;
  readonly writeId: WriteUuidV7;
  readonly counters: RecorderCounters;
  readonly limits?: EventBufferLimits;
};

/**
 * The buffer between visits and the spool: two halves of fixed size, one filling while the other is written.
 *
 * A half goes to the spool `flushAfterMs` after its first event, or when it is full. While a write runs, the other half
 * fills; when that is full too, events are dropped as `buffer_full`. When the spool refuses, the half is kept and retried
 * every `retryAfterMs`; events that find both halves full are then dropped with the spool's reason.
 */
export function createEventBuffer(deps: Deps) {
  const { writeId, counters, limits = EVENT_BUFFER_LIMITS } = deps;
  const halfWriter = createHalfWriter(deps, limits);
  let filling = createFrameBuffer(limits.halfBytes);
  let resting = createFrameBuffer(limits.halfBytes);
  let writing: Promise<void> | null = null;
  let flushTimer: NodeJS.Timeout | null = null;
  let flushIsDue = false;
  let isClosed = false;

  const flush = () => {
    if (filling.rowCount === 0) return;
    flushIsDue = true;
    if (writing) return;
    const half = filling;
    filling = resting;
    resting = half;
    if (flushTimer) clearTimeout(flushTimer);
    flushTimer = null;
    flushIsDue = false;
    writing = halfWriter.write(half).then(() => {
      writing = null;
      if (flushIsDue) flush();
    });
  };

  const onFlushTimer = () => {
    flushTimer = null;
    flush();
  };

  const drop = (reason: DropReason) => {
    counters.droppedEvents[reason]++;
    return false;
  };

  const record = (event: VisitEvent, linkPart?: string) => {
    counters.acceptedEvents++;
    if (isClosed) return drop('closed');
    if (!filling.add(event, writeId, linkPart)) {
      flush();
      if (!filling.add(event, writeId, linkPart)) return drop(halfWriter.refusal() ?? 'buffer_full');
    }
    counters.bufferedEvents++;
    flushTimer ??= setTimeout(onFlushTimer, limits.flushAfterMs).unref();
    return true;
  };

  return {
    /** Takes one event, or drops and counts it; returns whether it was taken. Never throws, never waits. */
    record,
    /** Like `record`; resolves with whether the event's bytes were written in time. Never rejects. */
    recordStrict: (event: VisitEvent, linkPart?: string) => {
      // While the spool refuses, the event stays buffered and the visitor does not wait for the disk.
      if (!record(event, linkPart) || halfWriter.refusal()) return Promise.resolve(false);
      // One write takes every event of this turn of the event loop.
      setImmediate(flush);
      return filling.written(limits.strictWaitMs);
    },
    /** Drops later events, tries once more to write the buffer, and drops the rest. Never rejects. */
    close: async () => {
      isClosed = true;
      halfWriter.stopRetrying();
      flush();
      while (writing) await writing;
      await deps.spool.close();
    },
  };
}

/** Writes one half after another, each until the spool takes it or retries have been stopped. */
function createHalfWriter(deps: Deps, limits: EventBufferLimits) {
  const { spool, counters } = deps;
  let refusal: Exclude<AppendOutcome, 'written'> | null = null;
  let mayRetry = true;
  let endPause: (() => void) | null = null;

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limits.retryAfterMs).unref();
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    /** Reason of the last refusal, null after a success. */
    refusal: () => refusal,
    write: async (half: FrameBuffer) => {
      const frame = half.frame();
      for (;;) {
        const mayRetryThis = mayRetry;
        const outcome = await spool.append(frame, half.rowCount);
        refusal = outcome === 'written' ? null : outcome;
        half.resolveWaiters(outcome === 'written');
        if (outcome === 'written') {
          counters.writtenEvents += half.rowCount;
          break;
        }
        if (!mayRetryThis) {
          counters.droppedEvents[outcome] += half.rowCount;
          break;
        }
        if (mayRetry) await pause();
      }
      counters.bufferedEvents -= half.rowCount;
      half.clear();
    },
    /** Each half gets one more attempt; whatever the spool refuses then is dropped. */
    stopRetrying: () => {
      mayRetry = false;
      endPause?.();
    },
  };
}

export type FrameBuffer = ReturnType<typeof createFrameBuffer>;

/** `sizeBytes` must hold at least one row of ROW_BYTES_MAX. */
export function createFrameBuffer(sizeBytes: number) {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const rowLengths = new Uint16Array(Math.ceil(sizeBytes / ROW_BYTES_MIN));
  let usedBytes = FRAME_HEADER_BYTES;
  let rowCount = 0;
  let waiters: ((isWritten: boolean) => void)[] = [];
  let waitTimer: NodeJS.Timeout | undefined;

  const resolveWaiters = (isWritten: boolean) => {
    clearTimeout(waitTimer);
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve(isWritten);
  };

  return {
    get rowCount() {
      return rowCount;
    },
    /** Encodes one event. Returns false, and does nothing, when there might not be room for it. */
    add: (event: VisitEvent, writeId: WriteUuidV7, linkPart?: string) => {
      // Room for the longest row, and for the lengths of all rows.
      const lengthsBytes = (rowCount + 1) * ROW_LENGTH_BYTES;
      if (usedBytes + ROW_BYTES_MAX + lengthsBytes > sizeBytes) return false;
      const rowBytes = encodeRow(bytes, usedBytes, event, writeId, linkPart);
      rowLengths[rowCount++] = rowBytes;
      usedBytes += rowBytes;
      return true;
    },
    /** A view of the whole frame, its header still empty. Valid until `clear`. */
    frame: () => {
      let at = usedBytes;
      for (let row = 0; row < rowCount; row++) at = bytes.writeUInt16LE(rowLengths[row] ?? 0, at);
      return bytes.subarray(0, at);
    },
    clear: () => {
      usedBytes = FRAME_HEADER_BYTES;
      rowCount = 0;
    },
    /** Resolves with the value given to `resolveWaiters`, or false after `waitMs`. */
    written: (waitMs: number) => {
      if (waiters.length === 0) waitTimer = setTimeout(resolveWaiters, waitMs, false).unref();
      return new Promise<boolean>((resolve) => waiters.push(resolve));
    },
    resolveWaiters,
  };
}

/** Interval of log lines while events are dropped. */
const REPEAT_AFTER_MS = 60_000;
/** Without visits a full spool drops nothing, so it has recovered only if events were also written. */
const OVER_AFTER_MS = 10_000;

/**
 * Logs drops; call it about once a second: an error at the start, one per minute, and an info after 10 s without drops
 * once events reach the spool again. `nowMs` is monotonic.
 */
export function createDropLog(
  counters: Pick<RecorderCounters, 'droppedEvents' | 'writtenEvents'>,
  log: Logger,
): (nowMs: number) => void {
  let told = { ...counters.droppedEvents };
  let seenEvents = 0;
  let spell: { readonly before: number; lastDropMs: number; lastLineMs: number; written: number } | null =
    null;

  const logDrops = (totalEvents: number) => {
    const events = DROP_REASONS.filter((reason) => counters.droppedEvents[reason] > told[reason]).map(
      (reason) => [reason, counters.droppedEvents[reason] - told[reason]] as const,
    );
    told = { ...counters.droppedEvents };
    const reason = events.map(([name]) => name).join(', ');
    log.error({ reason, events: Object.fromEntries(events), totalEvents }, 'dropping events');
  };

  return (nowMs) => {
    const total = sumOf(counters.droppedEvents);
    const written = counters.writtenEvents;
    if (total > seenEvents) {
      const isFirst = spell === null;
      spell ??= { before: seenEvents, lastDropMs: nowMs, lastLineMs: nowMs, written };
      spell.lastDropMs = nowMs;
      spell.written = written;
      seenEvents = total;
      if (isFirst || nowMs - spell.lastLineMs >= REPEAT_AFTER_MS) {
        spell.lastLineMs = nowMs;
        logDrops(total);
      }
    } else if (spell !== null && nowMs - spell.lastDropMs >= OVER_AFTER_MS && written > spell.written) {
      log.info({ events: total - spell.before, totalEvents: total }, 'no longer dropping events');
      told = { ...counters.droppedEvents };
      spell = null;
    }
  };
}

function sumOf(dropped: RecorderCounters['droppedEvents']): number {
  return DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
}
