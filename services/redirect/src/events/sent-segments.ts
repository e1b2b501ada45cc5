import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, listSegments, SPOOL_FOLDER_MODE } from './spool-files.js';
import type { SegmentFile } from './spool-files.js';
import { unlinkIfThere } from './spool-listing.js';

// ClickHouse acknowledges rows that are in the page cache of its machine. A loss of power there can take back what
// was acknowledged in the last seconds, so a segment is kept for a while after its acknowledgement, in a folder of
// its own (the spool folder is listed often), and sent again when the server turns out to have started since. Only a
// server that answers can tell that, so nothing is deleted for its age while ClickHouse is silent.

/** What acknowledged segments may hold together. */
export const SENT_BYTES_MAX = 512 * 1024 * 1024;

/** Returns the folder of acknowledged segments. */
function sentFolder(spoolDir: string): string {
  return join(spoolDir, 'sent');
}

/** Marks a segment as acknowledged at `nowMs`. A kill before this sends it again, which changes nothing. */
export async function markSent(spoolDir: string, file: SegmentFile, nowMs: number): Promise<void> {
  const folder = sentFolder(spoolDir);
  await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
  await renameIfThere(join(spoolDir, file.name), join(folder, `${file.stem}.${file.rowCount}.${nowMs}.sent`));
}

/**
 * Goes through the acknowledged segments, given for how long the server has been running: those acknowledged before
 * it started are to be sent again, others are deleted once they are older than `keepMs`. Returns how many are to be
 * sent again. Only this machine's clock and the server's uptime are compared, so clocks may differ.
 */
export async function reviewSent(
  spoolDir: string,
  facts: { nowMs: number; uptimeSeconds: number; keepMs: number },
): Promise<number> {
  const startedMs = facts.nowMs - facts.uptimeSeconds * 1_000;
  let again = 0;
  for (const file of await listSegments(sentFolder(spoolDir))) {
    const path = join(sentFolder(spoolDir), file.name);
    if (file.sentMs < startedMs) {
      await renameIfThere(path, join(spoolDir, `${file.stem}.${file.rowCount}.again`));
      again++;
    } else if (file.sentMs + facts.keepMs < facts.nowMs) {
      await unlinkIfThere(path);
    }
  }
  return again;
}

/** Returns the bytes of all acknowledged segments. */
export async function measureSent(spoolDir: string): Promise<number> {
  let total = 0;
  for (const { bytes } of await listSent(spoolDir)) total += bytes;
  return total;
}

/**
 * Deletes acknowledged segments, the oldest first, until `bytes` are free or none is left. Returns the bytes freed.
 * They are only a second chance, while an event that finds no room is lost.
 */
export async function evictSent(spoolDir: string, bytes: number): Promise<number> {
  let freed = 0;
  for (const file of await listSent(spoolDir)) {
    if (freed >= bytes) break;
    await unlinkIfThere(file.path);
    freed += file.bytes;
  }
  return freed;
}

async function listSent(spoolDir: string): Promise<{ path: string; bytes: number }[]> {
  const found = [];
  for (const file of await listSegments(sentFolder(spoolDir))) {
    const path = join(sentFolder(spoolDir), file.name);
    try {
      found.push({ path, bytes: (await stat(path)).size });
    } catch (err) {
      if (errorCode(err) !== 'ENOENT') throw err;
    }
  }
  return found;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err;
  }
}
