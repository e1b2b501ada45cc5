import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { listSegments } from './spool-files.js';

export type SpoolRoom = {
  /** Returns the bytes of all segments in the folder. Rejects when the folder cannot be read. */
  measure(): Promise<number>;
  /**
   * Deletes acknowledged segments, the oldest first, until `bytes` are free or none is left, and returns the bytes
   * freed. They are kept only as a second chance, while an event that finds no room is lost.
   */
  evictSent(bytes: number): Promise<number>;
};

/** Measures a spool folder that several processes write to. Only open segments are looked at twice. */
export function createSpoolRoom(spoolDir: string): SpoolRoom {
  let sizes = new Map<string, number>();

  const look = async () => {
    const files = await listSegments(spoolDir);
    const seen = new Map<string, number>();
    let total = 0;
    for (const file of files) {
      const known = file.state === 'open' ? undefined : sizes.get(file.stem);
      const bytes = known ?? (await sizeOf(join(spoolDir, file.name)));
      if (file.state !== 'open') seen.set(file.stem, bytes);
      total += bytes;
    }
    sizes = seen;
    return { files, total };
  };

  return {
    measure: async () => (await look()).total,
    evictSent: async (bytes) => {
      const { files } = await look();
      let freed = 0;
      for (const file of files) {
        if (freed >= bytes) break;
        if (file.state !== 'sent') continue;
        await unlinkIfThere(join(spoolDir, file.name));
        freed += sizes.get(file.stem) ?? 0;
      }
      return freed;
    },
  };
}

/** Deletes a file that another process may have renamed or deleted meanwhile. */
export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (err) {
    if (!isMissing(err)) throw err;
  }
}

export function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (err) {
    // Renamed or deleted since the folder was read; at worst one segment is left out of one measure.
    if (isMissing(err)) return 0;
    throw err;
  }
}
