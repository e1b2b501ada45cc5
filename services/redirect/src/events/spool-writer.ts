import { randomInt } from 'node:crypto';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@smartlink/process/files';
import type { Logger } from '@smartlink/process/lifecycle';
import type { RecorderCounters } from '../metrics/event-counters.js';
import {
  SEGMENT_FILE_MODE,
  KEPT_SEGMENTS_BYTES_MAX,
  SPOOL_FOLDER_MODE,
  createSpoolListing,
  errorCode,
  evictSent,
  measureSent,
  ownProcessToken,
  segmentStem,
  sumBytes,
  unlinkIfThere,
} from './spool-files.js';
import { fileHeader, frameSeed, sealFrame } from './spool-segment.js';

const SEGMENT_BYTES_MAX = 4 * 1024 * 1024;
const SEAL_AFTER_MS = 1_000;
const SEAL_AFTER_MS_MAX = 60_000;
/** From here on the delay grows with the number of waiting segments. */
const SEGMENTS_USUAL = 256;
const SYNC_EVERY_MS = 100;
/** Freed after a failed write: enough for the buffers, little of the kept segments. */
const EVICT_BYTES = 16 * 1024 * 1024;
/** Pause between attempts to seal a segment while the disk fails. */
const SEAL_RETRY_MS = 500;
/** Segments being sealed on a slow disk; beyond that, writes wait too. */
const SEALING_MAX = 8;

export type AppendOutcome = 'written' | 'spool_full' | 'spool_error';

export type SpoolWriter = ReturnType<typeof createSpoolWriter>;

type OpenSegment = {
  readonly file: FileHandle;
  readonly stem: string;
  readonly seed: number;
  bytes: number;
  rowCount: number;
  sealTimer: NodeJS.Timeout | undefined;
  syncTimer: NodeJS.Timeout | undefined;
};

type Deps = {
  readonly spoolDir: string;
  readonly writerId: string;
  readonly bytesMax: number;
  readonly log: Logger;
  readonly now: () => number;
  readonly counters: RecorderCounters;
};

/**
 * The writer of one process's segments in the spool folder.
 *
 * A segment is opened by the first frame that needs one and sealed (fdatasync, close, rename to `.seg`, fsync of the
 * folder) at 4 MiB or when its time is over; the next one takes the writes. After a failed write the frame is cut off and
 * the segment sealed, so that the next attempt begins on a fresh file. A failed rename is retried until it succeeds.
 *
 * Until its bytes are in the file a kill can lose an event, and each disk call waits for a thread. So a frame waits for
 * one call, the first of a segment for two (open, and one write with the header); the folder is measured in parallel.
 */
export function createSpoolWriter(deps: Deps) {
  const openSegment = createSegmentOpener(deps);
  const header = fileHeader();
  const sealer = createSealer(deps);
  const sealing = new Set<Promise<void>>();
  let segment: OpenSegment | null = null;
  let appending = false;
  let sealIsDue = false;
  const room = createSpoolRoom({
    spoolDir: deps.spoolDir,
    bytesMax: deps.bytesMax,
    whenSealed: async () => {
      await Promise.all(sealing);
    },
    onError: (err) => {
      countDiskError(deps, err, 'spool cannot be measured');
    },
  });

  const seal = () => {
    // A segment must not be sealed during a write.
    sealIsDue = appending;
    if (!segment || appending) return;
    const work = sealer.seal(segment);
    segment = null;
    sealing.add(work);
    void work.then(() => sealing.delete(work));
  };

  const begin = async () => {
    if (sealing.size >= SEALING_MAX) await Promise.race(sealing);
    segment = await openSegment();
    segment.sealTimer = setTimeout(seal, sealAfterMs(room.segments())).unref();
    room.measureSoon();
    return segment;
  };

  const write = async (frame: Buffer, rowCount: number): Promise<AppendOutcome> => {
    if (!(await room.hasRoomFor(frame.length + header.length))) return 'spool_full';
    const target = segment ?? (await begin());
    sealFrame(frame, rowCount, target.seed);
    const bytes = target.bytes === 0 ? Buffer.concat([header, frame]) : frame;
    await writeWhole(target.file, bytes, target.bytes);
    target.bytes += bytes.length;
    target.rowCount += rowCount;
    deps.counters.unsealedEvents += rowCount;
    room.take(bytes.length);
    deps.counters.writtenBytes += bytes.length;
    syncSoon(deps, target);
    sealIsDue ||= target.bytes >= SEGMENT_BYTES_MAX;
    return 'written';
  };

  return {
    /**
     * Writes one frame (16 free bytes, then the payload) to the open segment. Unless `written`, nothing of the frame is
     * left in a segment. Never rejects. One call at a time.
     */
    append: async (frame: Buffer, rowCount: number) => {
      appending = true;
      try {
        return await write(frame, rowCount);
      } catch (err) {
        countDiskError(deps, err, 'spool cannot be written');
        if (segment) await cutTail(segment);
        sealIsDue = true;
        await evictSent(deps.spoolDir, EVICT_BYTES).catch(() => 0);
        return 'spool_error';
      } finally {
        appending = false;
        if (sealIsDue) seal();
      }
    },
    /** Seals the open segment. No `append` may be running. Never rejects. */
    close: async () => {
      seal();
      await Promise.all(sealing);
      await sealer.close();
    },
  };
}

/**
 * One second while segments are sent as they come. While ClickHouse is away, a small file per second and process would
 * make the folder slow to list, so sealing slows down. Four quiet processes leave 13,000 files a day instead of 345,600.
 */
function sealAfterMs(waitingSegments: number): number {
  const grown = (SEAL_AFTER_MS * waitingSegments) / SEGMENTS_USUAL;
  return Math.min(Math.max(SEAL_AFTER_MS, grown), SEAL_AFTER_MS_MAX);
}

/** Schedules the next fdatasync, unless one is pending. */
function syncSoon(deps: Deps, segment: OpenSegment): void {
  segment.syncTimer ??= setTimeout(() => {
    segment.file
      .datasync()
      .catch((err: unknown) => {
        countDiskError(deps, err, 'spool cannot be flushed to the disk');
      })
      .finally(() => (segment.syncTimer = undefined));
  }, SYNC_EVERY_MS).unref();
}

function createSegmentOpener(deps: Deps): () => Promise<OpenSegment> {
  const processToken = ownProcessToken();
  let sequence = 0;
  let lastMs = 0;
  return async () => {
    // Never backwards: names sort in the order of opening.
    lastMs = Math.max(lastMs, deps.now());
    const nonce = randomInt(2 ** 32);
    const { writerId } = deps;
    const parts = { openedMs: lastMs, sequence: ++sequence, writerId, pid: process.pid, processToken, nonce };
    const stem = segmentStem(parts);
    const file = await openNew(deps.spoolDir, `${stem}.open`);
    const timers = { sealTimer: undefined, syncTimer: undefined };
    return { file, stem, seed: frameSeed(nonce), bytes: 0, rowCount: 0, ...timers };
  };
}

async function openNew(spoolDir: string, name: string): Promise<FileHandle> {
  try {
    return await open(join(spoolDir, name), 'wx', SEGMENT_FILE_MODE);
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err;
    // The folder was removed under a running process.
    await mkdir(spoolDir, { recursive: true, mode: SPOOL_FOLDER_MODE });
    return open(join(spoolDir, name), 'wx', SEGMENT_FILE_MODE);
  }
}

/** A full disk may take part of the bytes without an error, and report it only at the next attempt. */
async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function cutTail(segment: OpenSegment): Promise<void> {
  // If this fails too, the reader skips the half frame.
  await segment.file.truncate(segment.bytes).catch(() => undefined);
}

/** Seals segments; those that the disk does not let it rename are retried, oldest first, until `close`. */
function createSealer(deps: Deps) {
  const stranded = new Set<OpenSegment>();
  let retryTimer: NodeJS.Timeout | undefined;
  let retrying = Promise.resolve();

  const retry = async () => {
    for (const segment of stranded) {
      try {
        await renameSealed(deps, segment);
        stranded.delete(segment);
      } catch (err) {
        // Logged at the first attempt.
        deps.counters.diskErrors++;
        if (errorCode(err) !== 'ENOENT') return;
        // The file was removed: nothing is left to seal.
        deps.counters.unsealedEvents -= segment.rowCount;
        stranded.delete(segment);
      }
    }
  };

  const retryLater = () => {
    retryTimer ??= setTimeout(() => {
      retrying = retry().then(() => {
        retryTimer = undefined;
        if (stranded.size > 0) retryLater();
      });
    }, SEAL_RETRY_MS).unref();
  };

  return {
    /** Never rejects. */
    seal: async (segment: OpenSegment) => {
      await flushAndClose(deps, segment);
      try {
        await renameSealed(deps, segment);
      } catch (err) {
        countDiskError(deps, err, 'segment cannot be sealed, retrying');
        stranded.add(segment);
        retryLater();
      }
    },
    /** Tries once more; the shipper adopts what is left once this process is gone. Never rejects. */
    close: async () => {
      await retrying;
      clearTimeout(retryTimer);
      await retry();
    },
  };
}

async function flushAndClose(deps: Deps, segment: OpenSegment): Promise<void> {
  clearTimeout(segment.sealTimer);
  clearTimeout(segment.syncTimer);
  try {
    if (segment.rowCount > 0) await segment.file.datasync();
  } catch (err) {
    // The rows are in the file all the same, so they are still sent.
    countDiskError(deps, err, 'segment cannot be flushed to the disk');
  }
  await segment.file.close().catch((err: unknown) => {
    countDiskError(deps, err, 'segment cannot be closed');
  });
}

/** Gives a closed segment its final name, or deletes it if it is empty. */
async function renameSealed({ spoolDir, counters }: Deps, segment: OpenSegment): Promise<void> {
  const from = join(spoolDir, `${segment.stem}.open`);
  if (segment.rowCount === 0) {
    await unlinkIfThere(from);
    return;
  }
  await rename(from, join(spoolDir, `${segment.stem}.${segment.rowCount}.seg`));
  counters.sealedSegments++;
  counters.unsealedEvents -= segment.rowCount;
  await syncFolder(spoolDir).catch(() => {
    counters.diskErrors++;
  });
}

function countDiskError(deps: Deps, err: unknown, message: string): void {
  deps.counters.diskErrors++;
  deps.log.error({ err, spoolDir: deps.spoolDir }, message);
}

/** About what is written between two measurements. */
const MARGIN_BYTES = 16 * 1024 * 1024;

/**
 * Keeps the spool folder within `bytesMax`. Other processes fill it too, so it is measured at the start, after each new
 * segment, and when it seems full; in between only this writer's bytes are known. Several processes may exceed the bound
 * by one second of writes.
 */
function createSpoolRoom(deps: {
  spoolDir: string;
  bytesMax: number;
  /** Resolves when no rename of this process is pending. */
  whenSealed: () => Promise<void>;
  onError: (err: unknown) => void;
}) {
  const list = createSpoolListing(deps.spoolDir);
  let folderBytes = Infinity;
  let segments = 0;

  const measure = async () => {
    const files = await list();
    segments = files.length;
    const bytes = sumBytes(files);
    // The true size of acknowledged segments matters only when the folder is nearly full.
    const isFarFromFull = bytes + KEPT_SEGMENTS_BYTES_MAX + MARGIN_BYTES <= deps.bytesMax;
    return bytes + (isFarFromFull ? KEPT_SEGMENTS_BYTES_MAX : await measureSent(deps.spoolDir));
  };

  return {
    /** Waiting segments at the last measurement. */
    segments: () => segments,
    /** Adds to the known size. */
    take: (bytes: number) => {
      folderBytes += bytes;
    },
    /** Starts a measurement without waiting for it. */
    measureSoon: () => {
      const before = folderBytes;
      measure().then(
        // Bytes written during the measurement may be in it or not; counting them twice is the safe error.
        (bytes) => (folderBytes = bytes + Math.max(0, folderBytes - before)),
        deps.onError,
      );
    },
    /** Whether the folder may grow by `bytes`, after deleting acknowledged segments if needed. Rejects on disk errors. */
    hasRoomFor: async (bytes: number) => {
      if (folderBytes + bytes <= deps.bytesMax) return true;
      // Wait for pending renames, so that no segment is omitted.
      await deps.whenSealed();
      folderBytes = await measure();
      const missing = folderBytes + bytes - deps.bytesMax;
      if (missing > 0) folderBytes -= await evictSent(deps.spoolDir, missing);
      return folderBytes + bytes <= deps.bytesMax;
    },
  };
}
