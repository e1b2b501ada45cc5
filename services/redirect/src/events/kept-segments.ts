import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './spool-files.js';
import { evictSent, sumBytes, unlinkIfThere } from './spool-listing.js';
import type { ListedSegment } from './spool-listing.js';

// ClickHouse acknowledges rows that are in the page cache of its machine. A loss of power there can take back what
// was acknowledged in the last seconds, so a segment is kept for a while after its acknowledgement, and sent again
// when the server turns out to have started since. Only a server that answers can tell that, so nothing is deleted
// for its age while ClickHouse is silent.

/** Marks a segment as acknowledged at `nowMs`. A kill before this line sends it again, which changes nothing. */
export async function markSent(spoolDir: string, file: ListedSegment, nowMs: number): Promise<void> {
  await renameIfThere(
    join(spoolDir, file.name),
    join(spoolDir, `${file.stem}.${file.rowCount}.${nowMs}.sent`),
  );
}

/**
 * Goes through the acknowledged segments, given for how long the server has been running: those acknowledged before
 * it started are to be sent again, others are deleted once they are older than `keepMs`. Returns how many are to be
 * sent again. Only this machine's clock and the server's uptime are compared, so clocks may differ.
 */
export async function reviewSent(
  spoolDir: string,
  files: readonly ListedSegment[],
  facts: { nowMs: number; uptimeSeconds: number; keepMs: number },
): Promise<number> {
  const startedMs = facts.nowMs - facts.uptimeSeconds * 1_000;
  let again = 0;
  for (const file of files) {
    if (file.state !== 'sent') continue;
    const path = join(spoolDir, file.name);
    if (file.sentMs < startedMs) {
      await renameIfThere(path, join(spoolDir, `${file.stem}.${file.rowCount}.again`));
      again++;
    } else if (file.sentMs + facts.keepMs < facts.nowMs) {
      await unlinkIfThere(path);
    }
  }
  return again;
}

/** Deletes the oldest acknowledged segments beyond `bytesMax`. */
export async function boundSent(
  spoolDir: string,
  files: readonly ListedSegment[],
  bytesMax: number,
): Promise<void> {
  const excess = sumBytes(files.filter((file) => file.state === 'sent')) - bytesMax;
  if (excess > 0) await evictSent(spoolDir, files, excess);
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err;
  }
}
