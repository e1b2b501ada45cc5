import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SPOOL_FOLDER_MODE, errorCode, listSegments } from '@smartlink/redirect/spool-files';
import { given, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { findBytesMax, judgeDrops, readMetrics } from './doctor-drops.js';

const MEBIBYTE = 1024 * 1024;
const SPOOL_BYTES_DEFAULT = 4096 * MEBIBYTE;
// A segment is sent within seconds of its end.
const AGE_WARNING_S = 60;
// A write that does not fit is dropped, so a spool never quite fills.
const FILLING_PART = 0.8;
const FULL_PART = 0.95;
// Segments are synchronised every 100 ms (ARCHITECTURE.md, Event).
const SYNC_WARNING_MS = 100;

/** The folder of events: whose it is, whether it can be written and how fast, its room, and what waits in it. */
export const spoolCheck: DoctorCheck = {
  name: 'spool',
  async run({ env, now, signal }) {
    const folder = resolve(given(env, 'SPOOL_DIR') ?? '.data/spool');
    const found = await stat(folder).catch((err: unknown) => errorCode(err) ?? 'unknown');
    if (found === 'ENOENT') {
      const seen = `${folder} is not there: no redirect service has run here`;
      return [unknown('spool', seen, 'Run the doctor where redirect runs, or set SPOOL_DIR.')];
    }
    if (typeof found === 'string' || !found.isDirectory()) {
      const seen = `${folder} is no folder that can be looked at`;
      return [problem('spool', seen, 'Correct SPOOL_DIR, or run the doctor as the user of redirect.')];
    }
    const metrics = await readMetrics({ env, signal });
    // What redirect runs with; this shell may have been given another.
    const bytesMax = findBytesMax(metrics) ?? Number(given(env, 'SPOOL_BYTES_MAX') ?? SPOOL_BYTES_DEFAULT);
    return [
      judgeOwner(folder, found),
      await judgeSpeed(folder),
      await judgeRoom(folder, bytesMax),
      await judgeWaiting(folder, now),
      judgeDrops(metrics),
      await judgeQuarantine(folder),
    ];
  },
};

function judgeOwner(folder: string, { uid, mode }: { uid: number; mode: number }): Finding {
  const check = 'spool folder';
  const octal = (mode & 0o777).toString(8);
  const seen = `${folder}, of user ${uid}, mode ${octal}`;
  if ((mode & 0o777 & ~SPOOL_FOLDER_MODE) !== 0) {
    return warning(check, seen, `chmod ${SPOOL_FOLDER_MODE.toString(8)}: events say who visited what.`);
  }
  const mine = process.getuid?.();
  if (mine === undefined || mine === uid || mine === 0) return ok(check, seen);
  return warning(check, `${seen}, and the doctor runs as ${mine}`, 'Redirect must run as its owner.');
}

/** Writes and synchronises a file that the shipper passes over, and removes it. */
async function judgeSpeed(folder: string): Promise<Finding> {
  const check = 'spool disk';
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      const startedAt = performance.now();
      await handle.writeFile(Buffer.alloc(4_096));
      await handle.sync();
      const ms = performance.now() - startedAt;
      const seen = `4 KiB are on the disk after ${ms.toFixed(1)} ms`;
      if (ms <= SYNC_WARNING_MS) return ok(check, seen);
      return warning(check, seen, 'Take a faster disk: a crash of the host loses what is not on it yet.');
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  } catch (err) {
    const seen = `cannot be written (${errorCode(err) ?? 'unknown'})`;
    return problem(check, seen, 'Make room, or let the user of redirect write it.');
  }
}

async function judgeRoom(folder: string, bytesMax: number): Promise<Finding> {
  const check = 'spool room';
  const { bavail, bsize } = await statfs(folder);
  const waiting = await folderBytes(folder);
  const sent = await folderBytes(join(folder, 'sent'));
  const free = bavail * bsize;
  const parts = `${mebibytes(waiting)} wait, ${mebibytes(sent)} sent and kept, ${mebibytes(free)} free on the disk`;
  const seen = `${parts}, SPOOL_BYTES_MAX ${mebibytes(bytesMax)}`;
  // What is sent gives way to what waits.
  if (waiting >= bytesMax * FULL_PART) {
    return problem(check, `full: ${seen}`, `Events are dropped. ${MAKE_ROOM}`);
  }
  if (waiting >= bytesMax * FILLING_PART) {
    const percent = Math.floor((100 * waiting) / bytesMax);
    return warning(check, `${percent} % full: ${seen}`, `Events will be dropped. ${MAKE_ROOM}`);
  }
  return waiting + sent + free >= bytesMax
    ? ok(check, seen)
    : warning(check, seen, 'The disk is full before the limit is: make room, or lower SPOOL_BYTES_MAX.');
}

const MAKE_ROOM = 'Get ClickHouse to take them, or raise SPOOL_BYTES_MAX while the disk has room.';

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    // A segment may be sent and gone between the two.
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => (file.isFile() ? file.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function judgeWaiting(folder: string, now: () => number): Promise<Finding> {
  const check = 'spool waiting';
  const waiting = (await listSegments(folder)).filter(({ state }) => state !== 'sent' && state !== 'open');
  const [oldest] = waiting;
  if (oldest === undefined) return ok(check, 'nothing waits');
  const age = Math.max(0, Math.round((now() - oldest.openedMs) / 1_000));
  const events = waiting.reduce((sum, file) => sum + file.rowCount, 0);
  const seen = `${events} events in ${waiting.length} segments, the oldest of ${age} s ago`;
  return age <= AGE_WARNING_S
    ? ok(check, seen)
    : warning(
        check,
        seen,
        'See whether redirect runs and reaches ClickHouse: nothing is lost while there is room.',
      );
}

async function judgeQuarantine(folder: string): Promise<Finding> {
  const check = 'spool quarantine';
  const names = await readdir(join(folder, 'quarantine')).catch((err: unknown) => {
    if (errorCode(err) === 'ENOENT') return [];
    throw err;
  });
  const kept = names.filter((name) => !name.endsWith('.json')).length;
  return kept === 0
    ? ok(check, 'empty')
    : warning(
        check,
        `${kept} rows or segments that ClickHouse refused`,
        'Read the .json beside them; then npm run admin -- events replay --quarantine.',
      );
}

function mebibytes(bytes: number): string {
  const count = bytes / MEBIBYTE;
  return `${count > 0 && count < 10 ? count.toFixed(1) : Math.round(count)} MiB`;
}
