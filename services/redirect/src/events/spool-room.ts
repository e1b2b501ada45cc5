import { evictSent, measureSent, SENT_BYTES_MAX } from './sent-segments.js';
import { createSpoolListing, sumBytes } from './spool-listing.js';

export type SpoolRoom = {
  /** Whether the folder may grow by so many bytes. Deletes acknowledged segments for it. Rejects like the disk does. */
  readonly isThereFor: (bytes: number) => Promise<boolean>;
  /** Says that the folder has grown. */
  readonly take: (bytes: number) => void;
  /** Begins a measure and does not wait for it. */
  readonly measureSoon: () => void;
  /** How many segments waited to be sent at the last measure. */
  readonly segments: () => number;
};

/** About what is written between two measures. */
const MARGIN_BYTES = 16 * 1024 * 1024;

/**
 * Returns what keeps the spool folder within `bytesMax`. Other processes fill it too, so it is measured at the beginning, after each new
 * segment, and again whenever it seems full; between two measures only this writer's own bytes are known. Several
 * processes may so go beyond the bound by what they write in a second.
 */
export function createSpoolRoom(deps: {
  spoolDir: string;
  bytesMax: number;
  /** Resolves when no segment of this process is being renamed. */
  whenSealed: () => Promise<void>;
  onError: (err: unknown) => void;
}): SpoolRoom {
  const list = createSpoolListing(deps.spoolDir);
  let folderBytes = Infinity;
  let segments = 0;

  const measure = async () => {
    const files = await list();
    segments = files.length;
    const bytes = sumBytes(files);
    // What the acknowledged ones really hold matters only when the folder is nearly full.
    const isFarFromFull = bytes + SENT_BYTES_MAX + MARGIN_BYTES <= deps.bytesMax;
    return bytes + (isFarFromFull ? SENT_BYTES_MAX : await measureSent(deps.spoolDir));
  };

  return {
    segments: () => segments,
    take: (bytes) => {
      folderBytes += bytes;
    },
    measureSoon: () => {
      const before = folderBytes;
      measure().then(
        // What was written meanwhile may be in the measure or not; better counted twice than not at all.
        (bytes) => (folderBytes = bytes + Math.max(0, folderBytes - before)),
        deps.onError,
      );
    },
    isThereFor: async (bytes) => {
      if (folderBytes + bytes <= deps.bytesMax) return true;
      // None must be missed in mid-rename.
      await deps.whenSealed();
      folderBytes = await measure();
      const missing = folderBytes + bytes - deps.bytesMax;
      if (missing > 0) folderBytes -= await evictSent(deps.spoolDir, missing);
      return folderBytes + bytes <= deps.bytesMax;
    },
  };
}
