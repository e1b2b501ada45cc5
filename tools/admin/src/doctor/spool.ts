import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SPOOL_FOLDER_MODE, errorCode, listSegments } from '@smartlink/redirect/spool-files';
import { valueOf } from '../config/config.js';
import {
  fetchAnswer,
  baseUrlOf,
  type DoctorCheck,
  type DoctorContext,
  mebibytes,
  ok,
  okOrWarning,
  problem,
  unknown,
  type Verdict,
  warning,
} from './check.js';

// A sealed segment is sent within seconds.
const AGE_WARNING_S = 60;
// A write that does not fit is dropped, so a spool never quite fills.
const FILLING_PART = 0.8;
const FULL_PART = 0.95;
// Segments are synchronised every 100 ms (ARCHITECTURE.md, Event).
const SYNC_WARNING_MS = 100;
// Some hundred lines of 100 characters.
const METRICS_CHARACTERS_MAX = 1_000_000;

/** The folder of events: its owner, its disk, and the events waiting in it. */
export const spoolCheck: DoctorCheck = {
  name: 'spool',
  async run({ env, now, signal }) {
    const folder = resolve(valueOf('redirect', 'SPOOL_DIR', env) ?? '');
    const found = await stat(folder).catch((err: unknown) => errorCode(err) ?? 'unknown');
    if (found === 'ENOENT') {
      const seen = `${folder} does not exist: no redirect service has run here`;
      return { spool: unknown(seen, 'Run the doctor where redirect runs, or set SPOOL_DIR.') };
    }
    if (typeof found === 'string' || !found.isDirectory()) {
      const todo = 'Correct SPOOL_DIR, or run the doctor as the user of redirect.';
      return { spool: problem(`${folder} is no folder that can be read`, todo) };
    }
    const metrics = await readMetrics({ env, signal });
    // What redirect runs with; this shell may have another value.
    const bytesMax = findBytesMax(metrics) ?? valueOf('redirect', 'SPOOL_BYTES_MAX', env);
    return {
      'spool folder': judgeOwner(folder, found),
      'spool disk': await judgeSpeed(folder),
      'spool room': await judgeRoom(folder, bytesMax),
      'spool waiting': await judgeWaiting(folder, now),
      'dropped events': judgeDrops(metrics),
      'spool quarantine': await judgeQuarantine(folder),
    };
  },
};

async function readMetrics({ env, signal }: Pick<DoctorContext, 'env' | 'signal'>): Promise<string | null> {
  const port = valueOf('redirect', 'METRICS_PORT', env) ?? 0;
  const host = valueOf('redirect', 'METRICS_HOST', env);
  if (port === 0 || host === undefined) return null;
  const answer = await fetchAnswer(`${baseUrlOf(host, port)}/-/metrics`, signal, METRICS_CHARACTERS_MAX);
  return answer === null || answer === 'refused' || answer.status !== 200 ? null : answer.body;
}

/** The SPOOL_BYTES_MAX that redirect runs with; null when its metrics lack it. */
export function findBytesMax(metrics: string | null): number | null {
  const [, bytes] = /^\w*spool_bytes_max (\d\S*)$/m.exec(metrics ?? '') ?? [];
  return bytes === undefined ? null : Number(bytes);
}

const DROPPED = /^\w*events_total\{[^}]*fate="dropped_(\w+)"[^}]*\} (\d+)/gm;

/** Judges the counters of dropped events in redirect's metrics, in the text format of Prometheus. */
export function judgeDrops(metrics: string | null): Verdict {
  const counts = [...(metrics ?? '').matchAll(DROPPED)].map(([, reason = '', count]) => ({
    reason,
    count: Number(count),
  }));
  if (counts.length === 0) {
    const todo = 'Start redirect, or set METRICS_HOST and METRICS_PORT.';
    return unknown('the metrics of redirect cannot be read', todo);
  }
  const dropped = counts.filter(({ count }) => count > 0);
  if (dropped.length === 0) return ok('none since redirect started');
  const sum = dropped.reduce((total, { count }) => total + count, 0);
  const reasons = dropped.map(({ reason, count }) => `${reason} ${count}`).join(', ');
  const todo = 'These visits are lost. See what fills the spool, and the log of redirect.';
  return warning(`${sum} since redirect started (${reasons})`, todo);
}

function judgeOwner(folder: string, { uid, mode }: { uid: number; mode: number }): Verdict {
  const seen = `${folder}, of user ${uid}, mode ${(mode & 0o777).toString(8)}`;
  if ((mode & 0o777 & ~SPOOL_FOLDER_MODE) !== 0) {
    return warning(seen, `chmod ${SPOOL_FOLDER_MODE.toString(8)}: events say who visited what.`);
  }
  const mine = process.getuid?.();
  if (mine === undefined || mine === uid || mine === 0) return ok(seen);
  return warning(`${seen}, and the doctor runs as ${mine}`, 'Redirect must run as its owner.');
}

/** Writes and synchronises a file that the shipper ignores, and removes it. */
async function judgeSpeed(folder: string): Promise<Verdict> {
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      const startedAt = performance.now();
      await handle.writeFile(Buffer.alloc(4_096));
      await handle.sync();
      const ms = performance.now() - startedAt;
      const todo = 'Take a faster disk: a crash of the host loses what is not on it yet.';
      return okOrWarning(ms <= SYNC_WARNING_MS, `4 KiB are on the disk after ${ms.toFixed(1)} ms`, todo);
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  } catch (err) {
    const seen = `cannot be written (${errorCode(err) ?? 'unknown'})`;
    return problem(seen, 'Make room, or let the user of redirect write it.');
  }
}

const MAKE_ROOM = 'Get ClickHouse to take them, or raise SPOOL_BYTES_MAX while the disk has room.';

async function judgeRoom(folder: string, bytesMax: number | undefined): Promise<Verdict> {
  if (bytesMax === undefined) return unknown('SPOOL_BYTES_MAX is not usable', 'See configuration.');
  const { bavail, bsize } = await statfs(folder);
  const waiting = await folderBytes(folder);
  const sent = await folderBytes(join(folder, 'sent'));
  const free = bavail * bsize;
  const parts = `${mebibytes(waiting)} wait, ${mebibytes(sent)} sent and kept, ${mebibytes(free)} free on the disk`;
  const seen = `${parts}, SPOOL_BYTES_MAX ${mebibytes(bytesMax)}`;
  // Waiting segments displace sent ones.
  if (waiting >= bytesMax * FULL_PART) return problem(`full: ${seen}`, `Events are dropped. ${MAKE_ROOM}`);
  if (waiting >= bytesMax * FILLING_PART) {
    const percent = Math.floor((100 * waiting) / bytesMax);
    return warning(`${percent} % full: ${seen}`, `Events will be dropped. ${MAKE_ROOM}`);
  }
  const todo = 'The disk is full before the limit is: make room, or lower SPOOL_BYTES_MAX.';
  return okOrWarning(waiting + sent + free >= bytesMax, seen, todo);
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  // A segment may be sent and deleted before its size is read.
  const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return files.reduce((sum, file) => sum + (file?.isFile() === true ? file.size : 0), 0);
}

async function judgeWaiting(folder: string, now: () => number): Promise<Verdict> {
  const waiting = (await listSegments(folder)).filter(({ state }) => state !== 'sent' && state !== 'open');
  const [oldest] = waiting;
  if (oldest === undefined) return ok('nothing waits');
  const age = Math.max(0, Math.round((now() - oldest.openedMs) / 1_000));
  const events = waiting.reduce((sum, file) => sum + file.rowCount, 0);
  const seen = `${events} events in ${waiting.length} segments, the oldest of ${age} s ago`;
  const todo = 'See whether redirect runs and reaches ClickHouse: nothing is lost while there is room.';
  return okOrWarning(age <= AGE_WARNING_S, seen, todo);
}

async function judgeQuarantine(folder: string): Promise<Verdict> {
  const names = await readdir(join(folder, 'quarantine')).catch((err: unknown) => {
    if (errorCode(err) === 'ENOENT') return [];
    throw err;
  });
  const kept = names.filter((name) => !name.endsWith('.json')).length;
  if (kept === 0) return ok('empty');
  const todo = 'Read the .json beside them; then npm run admin -- events replay --quarantine.';
  return warning(`${kept} rows or segments that ClickHouse refused`, todo);
}
