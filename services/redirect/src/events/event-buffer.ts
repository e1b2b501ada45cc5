import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import type { DropReason, Mutable, RecorderCounters } from './event-counters.js';
import { createFrameBuffer } from './frame-buffer.js';
import type { FrameBuffer } from './frame-buffer.js';
import type { AppendOutcome, SpoolWriter } from './spool-writer.js';
import type { WriteUuidV7 } from './uuid-v7.js';

export type EventBufferLimits = {
  /** Of each half. At 130 bytes a row 4 MiB hold about 30,000 events: a second and a half at 20,000 visits/s. */
  readonly halfBytes: number;
  /** An event waits at most this long for its write to begin, unless one is running. */
  readonly flushAfterMs: number;
  /** Between two attempts while the spool refuses. */
  readonly retryAfterMs: number;
  /** A strict event's answer is held at most this long. */
  readonly strictWaitMs: number;
};

export const EVENT_BUFFER_LIMITS: EventBufferLimits = {
  halfBytes: 4 * 1024 * 1024,
  flushAfterMs: 5,
  retryAfterMs: 500,
  strictWaitMs: 1_000,
};

export type EventBuffer = {
  /**
   * Takes one event or drops it, counted. Never throws, never waits. Returns whether it was taken. `linkPart` is what
   * encodeLinkPart made of its link, where somebody keeps it.
   */
  readonly record: (event: VisitEvent, linkPart?: string) => boolean;
  /** As `record`; resolves true when the event's bytes are written, false when they are not in time. Never rejects. */
  readonly recordStrict: (event: VisitEvent, linkPart?: string) => Promise<boolean>;
  /** Drops later events, makes a last attempt to write what is buffered, and drops what is left. Never rejects. */
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly spool: SpoolWriter;
  readonly writeId: WriteUuidV7;
  readonly counters: Mutable<RecorderCounters>;
  readonly limits?: EventBufferLimits;
};

/**
 * Returns the buffer between visits and the spool: two halves of fixed size, one being filled while the other is
 * being written.
 *
 * A half goes to the spool when `flushAfterMs` have passed since its first event, or when it is full. While a write
 * runs, the other half fills; when that is full too, events are dropped as `buffer_full`. When the spool refuses, the
 * half is kept and tried again every `retryAfterMs`, so a short trouble costs nothing; events that find both halves
 * full are then dropped with the spool's own reason.
 */
export function createEventBuffer(deps: Deps): EventBuffer {
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
    record,
    recordStrict: (event, linkPart) => {
      // While the spool refuses, the event stays in the buffer and the visitor is not made to wait for the disk.
      if (!record(event, linkPart) || halfWriter.refusal()) return Promise.resolve(false);
      // One write takes every event of this turn of the event loop.
      setImmediate(flush);
      return filling.settled(limits.strictWaitMs);
    },
    close: async () => {
      isClosed = true;
      halfWriter.stopRetrying();
      flush();
      while (writing) await writing;
      await deps.spool.close();
    },
  };
}

/** Writes one half after another, each until the spool has taken it or retrying has been stopped. */
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
    /** Why the spool refused the last attempt, null when it did not. */
    refusal: () => refusal,
    write: async (half: FrameBuffer) => {
      const frame = half.frame();
      for (;;) {
        const mayRetryThis = mayRetry;
        const outcome = await spool.append(frame, half.rowCount);
        refusal = outcome === 'written' ? null : outcome;
        half.settle(outcome === 'written');
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
    /** From now on each half gets one more attempt; what the spool then refuses is dropped. */
    stopRetrying: () => {
      mayRetry = false;
      endPause?.();
    },
  };
}
