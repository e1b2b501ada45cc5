import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SPOOL_FOLDER_MODE, errorCode, listSegments } from '@smartlink/redirect/spool-files';
import { given } from '../config/config.js';
import {
  ask,
  baseUrlOf,
  type DoctorCheck,
  type DoctorContext,
  type Finding,
  mebibytes,
  ok,
  problem,
  unknown,
  warning,
} from './check.js';

const SPOOL_BYTES_DEFAULT = 4096 * 1024 * 1024;
// A sealed segment is sent within seconds.
const AGE_WARNING_S = 60;
// A write that does not fit is dropped, so a spool never quite fills.
const FILLING_PART = 0.8;
const FULL_PART = 0.95;
// Segments are synchronised every 100 ms (ARCHITECTURE.md, Event).
const SYNC_WARNING_MS = 100;

/** The folder of events: its owner, its disk, and the events waiting in it. */
export const spoolCheck: DoctorCheck = {
  name: 'spool',
  async run({ env, now, signal }) {
    const folder = resolve(given(env, 'SPOOL_DIR') ?? '.data/spool');
    const found = await stat(folder).catch((err: unknown) => errorCode(err) ?? 'unknown');
    if (found === 'ENOENT') {
      const seen = `${folder} does not exist: no redirect service has run here`;
      return [unknown('spool', seen, 'Run the doctor where redirect runs, or set SPOOL_DIR.')];
    }
    if (typeof found === 'string' || !found.isDirectory()) {
      const seen = `${folder} is no folder that can be read`;
      return [problem('spool', seen, 'Correct SPOOL_DIR, or run the doctor as the user of redirect.')];
    }
    const metrics = await readMetrics({ env, signal });
    // What redirect runs with; this shell may have another value.
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

// As in services/redirect/src/config.ts.
const METRICS_PORT_DEFAULT = 9464;
// Some hundred lines of 100 characters.
const METRICS_CHARACTERS_MAX = 1_000_000;

async function readMetrics({ env, signal }: Pick<DoctorContext, 'env' | 'signal'>): Promise<string | null> {
  const port = Number(given(env, 'METRICS_PORT') ?? METRICS_PORT_DEFAULT);
  const host = given(env, 'METRICS_HOST') ?? '127.0.0.1';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const answer = await ask(`${baseUrlOf(host, port)}/-/metrics`, signal, METRICS_CHARACTERS_MAX);
  return answer === null || answer === 'refused' || answer.status !== 200 ? null : answer.body;
}

/** The SPOOL_BYTES_MAX that redirect runs with; null when its metrics lack it. */
export function findBytesMax(metrics: string | null): number | null {
  const [, bytes] = /^\w*spool_bytes_max (\d\S*)$/m.exec(metrics ?? '') ?? [];
  return bytes === undefined ? null : Number(bytes);
}

const DROPPED = /^\w*events_total\{[^}]*fate="dropped_(\w+)"[^}]*\} (\d+)/gm;

/** Judges the counters of dropped events in redirect's metrics, in the text format of Prometheus. */
export function judgeDrops(metrics: string | null): Finding {
  const check = 'dropped events';
  const counts = [...(metrics ?? '').matchAll(DROPPED)].map(([, reason = '', count]) => ({
    reason,
    count: Number(count),
  }));
  if (counts.length === 0) {
    const todo = 'Start redirect, or set METRICS_HOST and METRICS_PORT.';
    return unknown(check, 'the metrics of redirect cannot be read', todo);
  }
  const dropped = counts.filter(({ count }) => count > 0);
  if (dropped.length === 0) return ok(check, 'none since redirect started');
  const sum = dropped.reduce((total, { count }) => total + count, 0);
  const reasons = dropped.map(({ reason, count }) => `${reason} ${count}`).join(', ');
  const todo = 'These visits are lost. See what fills the spool, and the log of redirect.';
  return warning(check, `${sum} since redirect started (${reasons})`, todo);
}

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

/** Writes and synchronises a file that the shipper ignores, and removes it. */
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

const MAKE_ROOM = 'Get ClickHouse to take them, or raise SPOOL_BYTES_MAX while the disk has room.';

async function judgeRoom(folder: string, bytesMax: number): Promise<Finding> {
  const check = 'spool room';
  const { bavail, bsize } = await statfs(folder);
  const waiting = await folderBytes(folder);
  const sent = await folderBytes(join(folder, 'sent'));
  const free = bavail * bsize;
  const parts = `${mebibytes(waiting)} wait, ${mebibytes(sent)} sent and kept, ${mebibytes(free)} free on the disk`;
  const seen = `${parts}, SPOOL_BYTES_MAX ${mebibytes(bytesMax)}`;
  // Waiting segments displace sent ones.
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

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  // A segment may be sent and deleted before its size is read.
  const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return files.reduce((sum, file) => sum + (file?.isFile() === true ? file.size : 0), 0);
}

async function judgeWaiting(folder: string, now: () => number): Promise<Finding> {
  const check = 'spool waiting';
  const waiting = (await listSegments(folder)).filter(({ state }) => state !== 'sent' && state !== 'open');
  const [oldest] = waiting;
  if (oldest === undefined) return ok(check, 'nothing waits');
  const age = Math.max(0, Math.round((now() - oldest.openedMs) / 1_000));
  const events = waiting.reduce((sum, file) => sum + file.rowCount, 0);
  const seen = `${events} events in ${waiting.length} segments, the oldest of ${age} s ago`;
  const todo = 'See whether redirect runs and reaches ClickHouse: nothing is lost while there is room.';
  return age <= AGE_WARNING_S ? ok(check, seen) : warning(check, seen, todo);
}

async function judgeQuarantine(folder: string): Promise<Finding> {
  const check = 'spool quarantine';
  const names = await readdir(join(folder, 'quarantine')).catch((err: unknown) => {
    if (errorCode(err) === 'ENOENT') return [];
    throw err;
  });
  const kept = names.filter((name) => !name.endsWith('.json')).length;
  const todo = 'Read the .json beside them; then npm run admin -- events replay --quarantine.';
  return kept === 0
    ? ok(check, 'empty')
    : warning(check, `${kept} rows or segments that ClickHouse refused`, todo);
}
