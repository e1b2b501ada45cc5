import { randomInt } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@smartlink/process/logger';
import type { Mutable, RecorderCounters } from './event-counters.js';
import { ownProcessToken } from './process-identity.js';
import { errorCode, SEGMENT_FILE_MODE, SPOOL_FOLDER_MODE, segmentStem, syncFolder } from './spool-files.js';
import { evictSent } from './sent-segments.js';
import { unlinkIfThere } from './spool-listing.js';
import { createSpoolRoom } from './spool-room.js';
import { fileHeader, frameSeed, sealFrame } from './spool-segment.js';

const SEGMENT_BYTES_MAX = 4 * 1024 * 1024;
const SEAL_AFTER_MS = 1_000;
const SEAL_AFTER_MS_MAX = 60_000;
/** From here on the wait grows with the number of segments that wait to be sent. */
const SEGMENTS_USUAL = 256;
const SYNC_EVERY_MS = 100;
/** Freed by one failed write: enough for what the buffers hold, and small beside what is kept. */
const EVICT_BYTES = 16 * 1024 * 1024;
/** Segments that wait for a slow disk to be sealed; beyond that, writes wait too. */
const SEALING_MAX = 8;

export type AppendOutcome = 'written' | 'spool_full' | 'spool_error';

export type SpoolWriter = {
  /**
   * Writes one frame (16 free bytes, then the payload) to the open segment and tells how it went. With any other
   * outcome than `written` nothing of the frame is left in a segment. Never rejects. One call at a time.
   */
  readonly append: (frame: Buffer, rowCount: number) => Promise<AppendOutcome>;
  /** Seals what is open and waits for it. No `append` may be running. Never rejects. */
  readonly close: () => Promise<void>;
};

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
  readonly counters: Mutable<RecorderCounters>;
};

/**
 * Returns the writer of one process's segments in the spool folder.
 *
 * A segment is opened by the first frame that needs one and sealed (fdatasync, close, rename to `.seg`, fsync of the
 * folder) once it holds 4 MiB or its time is over; meanwhile the next one takes the writes. After a failed write
 * the frame is cut off again and the segment sealed, so that the next attempt begins on a fresh file.
 *
 * Until its bytes are in the file an event can be lost to a kill, and each call to the disk waits for a thread. So a
 * frame waits for one call, the first of a segment for two (open, and one write with the header); the folder is
 * measured beside that.
 */
export function createSpoolWriter(deps: Deps): SpoolWriter {
  const openSegment = createSegmentOpener(deps);
  const header = fileHeader();
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
      countDiskError(deps, err, 'the spool could not be measured');
    },
  });

  const seal = () => {
    // A segment must not be taken from under a write.
    sealIsDue = appending;
    if (!segment || appending) return;
    const work = finishSegment(deps, segment);
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
    if (!(await room.isThereFor(frame.length + header.length))) return 'spool_full';
    const target = segment ?? (await begin());
    sealFrame(frame, rowCount, target.seed);
    const bytes = target.bytes === 0 ? Buffer.concat([header, frame]) : frame;
    await writeWhole(target.file, bytes, target.bytes);
    target.bytes += bytes.length;
    target.rowCount += rowCount;
    room.take(bytes.length);
    deps.counters.writtenBytes += bytes.length;
    syncSoon(deps, target);
    sealIsDue ||= target.bytes >= SEGMENT_BYTES_MAX;
    return 'written';
  };

  return {
    append: async (frame, rowCount) => {
      appending = true;
      try {
        return await write(frame, rowCount);
      } catch (err) {
        countDiskError(deps, err, 'the spool could not be written');
        if (segment) await cutTail(segment);
        sealIsDue = true;
        await evictSent(deps.spoolDir, EVICT_BYTES).catch(() => 0);
        return 'spool_error';
      } finally {
        appending = false;
        if (sealIsDue) seal();
      }
    },
    close: async () => {
      seal();
      await Promise.all(sealing);
    },
  };
}

/**
 * One second, as long as segments are sent as they come. While ClickHouse is away nobody waits for them, and a small
 * file every second from each process would make the folder slow to list: then they are sealed ever more seldom. Four
 * quiet processes leave some 13,000 files in a day instead of 345,600.
 */
function sealAfterMs(waitingSegments: number): number {
  const grown = (SEAL_AFTER_MS * waitingSegments) / SEGMENTS_USUAL;
  return Math.min(Math.max(SEAL_AFTER_MS, grown), SEAL_AFTER_MS_MAX);
}

/** Arms the next fdatasync, unless one is on its way. */
function syncSoon(deps: Deps, segment: OpenSegment): void {
  segment.syncTimer ??= setTimeout(() => {
    segment.file
      .datasync()
      .catch((err: unknown) => {
        countDiskError(deps, err, 'the spool could not be flushed to the disk');
      })
      .finally(() => (segment.syncTimer = undefined));
  }, SYNC_EVERY_MS).unref();
}

function createSegmentOpener(deps: Deps): () => Promise<OpenSegment> {
  const processToken = ownProcessToken();
  let sequence = 0;
  let lastMs = 0;
  return async () => {
    // Never backwards: names sort in the order of opening, whatever the clock does.
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
    // The folder was cleared away under a running process.
    await mkdir(spoolDir, { recursive: true, mode: SPOOL_FOLDER_MODE });
    return open(join(spoolDir, name), 'wx', SEGMENT_FILE_MODE);
  }
}

/** A full disk may take part of the bytes without an error, and say so only at the next attempt. */
async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function cutTail(segment: OpenSegment): Promise<void> {
  // Where even this fails, the reader skips the half frame by itself.
  await segment.file.truncate(segment.bytes).catch(() => undefined);
}

async function finishSegment(deps: Deps, segment: OpenSegment): Promise<void> {
  clearTimeout(segment.sealTimer);
  clearTimeout(segment.syncTimer);
  const from = join(deps.spoolDir, `${segment.stem}.open`);
  try {
    if (segment.rowCount === 0) {
      await segment.file.close();
      await unlinkIfThere(from);
      return;
    }
    // The rows are in the file even when this fails, so they are sent all the same.
    await segment.file.datasync().catch((err: unknown) => {
      countDiskError(deps, err, 'a segment could not be flushed to the disk');
    });
    await segment.file.close();
    await rename(from, join(deps.spoolDir, `${segment.stem}.${segment.rowCount}.seg`));
    deps.counters.sealedSegments++;
    await syncFolder(deps.spoolDir);
  } catch (err) {
    // Left as `.open`, it is adopted by the shipper once this process is gone.
    countDiskError(deps, err, 'a segment could not be sealed');
  }
}

function countDiskError(deps: Deps, err: unknown, message: string): void {
  deps.counters.diskErrors++;
  deps.log.error({ err, spoolDir: deps.spoolDir }, message);
}
