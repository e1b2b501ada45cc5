import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, listSegments } from './spool-files.js';
import type { SegmentFile } from './spool-files.js';

const LOOKS_MAX = 5;

export type ListedSegment = SegmentFile & { readonly bytes: number };

/**
 * Returns a function that lists the segments that are open or wait to be sent, with their sizes, in the order in
 * which they were opened. Only open ones are measured every time, so a long list costs one reading of the folder. It
 * rejects when the folder cannot be read.
 */
export function createSpoolListing(spoolDir: string): () => Promise<readonly ListedSegment[]> {
  let sealedBytes = new Map<string, number>();

  const look = async () => {
    const seen = new Map<string, number>();
    const listed: ListedSegment[] = [];
    let isWhole = true;
    for (const file of await listSegments(spoolDir)) {
      const known = file.state === 'open' ? undefined : sealedBytes.get(file.stem);
      const bytes = known ?? (await sizeOf(join(spoolDir, file.name)));
      if (bytes === null) {
        isWhole = false;
        continue;
      }
      if (file.state !== 'open') seen.set(file.stem, bytes);
      listed.push({ ...file, bytes });
    }
    sealedBytes = seen;
    return { listed, isWhole };
  };

  return async () => {
    // A segment that is sealed between the reading of the folder and the measuring has another name by then. Left out,
    // it would let the folder grow beyond its bound.
    for (let attempt = 1; ; attempt++) {
      const { listed, isWhole } = await look();
      if (isWhole || attempt === LOOKS_MAX) return listed;
    }
  };
}

/** Returns what the segments hold together. */
export function sumBytes(files: readonly ListedSegment[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

/** Deletes a file that another process may have renamed or deleted meanwhile. */
export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err;
  }
}

/** Returns null for a file that has been renamed or deleted since the folder was read. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return null;
    throw err;
  }
}
