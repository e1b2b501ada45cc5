import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mayBeAlive } from './process-identity.js';
import { loadSegment } from './shipping-batch.js';
import { errorCode } from './spool-files.js';
import { unlinkIfThere } from './spool-listing.js';
import type { ListedSegment } from './spool-listing.js';

export type Adoption = {
  readonly segments: number;
  /** Of segments that held nothing else and are deleted; all others are counted when they are sent. */
  readonly tornBytes: number;
};

/**
 * Seals the open segments of processes that are gone (killed, or crashed): the good frames are counted and the file
 * renamed; a segment without any is deleted.
 */
export async function adoptSegments(
  spoolDir: string,
  files: readonly ListedSegment[],
  nowMs: number,
): Promise<Adoption> {
  let segments = 0;
  let tornBytes = 0;
  for (const file of files) {
    if (file.state !== 'open' || (await hasWriter(spoolDir, file, nowMs))) continue;
    const content = await loadSegment(spoolDir, file);
    if (typeof content === 'string') continue;
    const path = join(spoolDir, file.name);
    if (content.rowCount === 0) {
      await unlinkIfThere(path);
      tornBytes += content.tornBytes;
    } else {
      await rename(path, join(spoolDir, `${file.stem}.${content.rowCount}.seg`));
      segments++;
    }
  }
  return { segments, tornBytes };
}

async function hasWriter(spoolDir: string, file: ListedSegment, nowMs: number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(join(spoolDir, file.name));
    return mayBeAlive({ pid: file.pid, processToken: file.processToken, idleMs: nowMs - mtimeMs });
  } catch (err) {
    // Sealed by its writer since the folder was read.
    if (errorCode(err) === 'ENOENT') return true;
    throw err;
  }
}
