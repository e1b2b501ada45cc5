import { readlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcessStart } from '@smartlink/process/lifecycle';
import { readSegment, type SegmentContent } from './spool-segment.js';

// The name of a segment says all that is known of it, so no index can disagree with the folder, and every change of
// state is one rename:
//
//   <opened>-<sequence>-<writer>-<pid>-<process>-<nonce>.open                 a process is writing it
//                                                       .<rows>.seg           complete, waits to be sent
//                                                       .<rows>.<time>.sent   acknowledged then, in sent/, kept
//                                                       .<rows>.again         acknowledged once, to be sent again
//
// Times are milliseconds since 1970 in 13 digits, so that names sort in the order in which segments were opened.

type SegmentState = 'open' | 'seg' | 'sent' | 'again';

type SegmentFile = {
  readonly name: string;
  /** Stays the same for the segment's whole life. */
  readonly stem: string;
  readonly state: SegmentState;
  readonly openedMs: number;
  readonly pid: number;
  readonly processToken: string;
  readonly nonce: number;
  /** 0 while the state is `open`. */
  readonly rowCount: number;
  /** 0 unless the state is `sent`. */
  readonly sentMs: number;
};

export const SEGMENT_FILE_MODE = 0o600;
export const SPOOL_FOLDER_MODE = 0o700;

const NAME =
  /^((\d{13})-\d{6,}-[A-Za-z0-9]+-(\d+)-([a-z0-9_]+)-([0-9a-f]{8}))\.(?:(open)|(\d+)\.(?:(seg|again)|(\d+)\.(sent)))$/;

/** `writerId`: letters and digits only. */
export function segmentStem(parts: {
  openedMs: number;
  sequence: number;
  writerId: string;
  pid: number;
  processToken: string;
  nonce: number;
}): string {
  const opened = String(parts.openedMs).padStart(13, '0');
  const sequence = String(parts.sequence).padStart(6, '0');
  const nonce = parts.nonce.toString(16).padStart(8, '0');
  return `${opened}-${sequence}-${parts.writerId}-${parts.pid}-${parts.processToken}-${nonce}`;
}

/** Null when it is no segment. */
export function parseSegmentName(name: string): SegmentFile | null {
  const match = NAME.exec(name);
  if (!match) return null;
  const [, stem = '', opened, pid, processToken = '', nonce = '', isOpen, rows, waiting, sentMs] = match;
  return {
    name,
    stem,
    state: isOpen === undefined ? ((waiting as 'seg' | 'again' | undefined) ?? 'sent') : 'open',
    openedMs: Number(opened),
    pid: Number(pid),
    processToken,
    nonce: Number.parseInt(nonce, 16),
    rowCount: Number(rows ?? 0),
    sentMs: Number(sentMs ?? 0),
  };
}

/**
 * The segments of a spool folder in the order of opening; other files are ignored. A missing folder holds none: the next
 * segment creates it.
 */
export async function listSegments(spoolDir: string): Promise<SegmentFile[]> {
  const names = await readdir(spoolDir).catch((err: unknown) => {
    if (errorCode(err) === 'ENOENT') return [];
    throw err;
  });
  return names
    .sort()
    .map(parseSegmentName)
    .filter((file) => file !== null);
}

/** The system's error name, such as ENOENT. */
export function errorCode(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined;
}

const LOOKS_MAX = 5;

export type ListedSegment = SegmentFile & { readonly bytes: number };

/**
 * Lists open and waiting segments with their sizes, in the order of opening. Only open ones are measured every time, so a
 * long list costs one reading of the folder. Rejects when the folder cannot be read.
 */
export function createSpoolListing(spoolDir: string): () => Promise<readonly ListedSegment[]> {
  let sealedBytes = new Map<string, number>();

  const measureSegments = async () => {
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
    // A segment sealed between listing and measuring has another name. Without it the folder could grow beyond its bound.
    for (let attempt = 1; ; attempt++) {
      const { listed, isWhole } = await measureSegments();
      if (isWhole || attempt === LOOKS_MAX) return listed;
    }
  };
}

export function sumBytes(files: readonly ListedSegment[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

/** Deletes a file that another process may have renamed or deleted. */
export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err;
  }
}

/** Null for a file renamed or deleted since the folder was read. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return null;
    throw err;
  }
}

// ClickHouse acknowledges rows that are in the page cache of its machine; a power loss there can take back the last
// seconds. So an acknowledged segment is kept for a while, in its own folder (the spool folder is listed often), and sent
// again if the server has restarted since. Only a server that answers can tell, so nothing is deleted by age while
// ClickHouse is silent.

/** Maximum size of all acknowledged segments. */
export const KEPT_SEGMENTS_BYTES_MAX = 512 * 1024 * 1024;

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
 * Reviews the acknowledged segments, given the server's uptime: those acknowledged before it started are to be sent
 * again, others are deleted after `keepMs`. Returns the number to be sent again. Only this machine's clock and the uptime
 * are compared, so clocks may differ.
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

export async function measureSent(spoolDir: string): Promise<number> {
  let total = 0;
  for (const { bytes } of await listSent(spoolDir)) total += bytes;
  return total;
}

/**
 * Deletes the oldest acknowledged segments until `bytes` are free. Returns the bytes freed. They are only a second copy,
 * while an event without room is lost.
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

/** Without better knowledge, an open segment untouched for this long is considered abandoned. */
const ABANDONED_AFTER_MS = 120_000;

/**
 * Identifies one run of a process; pids are reused after a crash, a reboot and in every new container. On Linux
 * `<boot>_<pid namespace>_<start time>`, elsewhere `unknown`.
 */
export function ownProcessToken(): string {
  return readProcessToken(process.pid) ?? 'unknown';
}

/**
 * Whether the process that opened a segment may still write to it. Exact on Linux within one pid namespace. Elsewhere a
 * segment untouched for two minutes counts as abandoned; a live writer seals after 1 to 60 s.
 */
export function mayBeAlive(writer: { pid: number; processToken: string; idleMs: number }): boolean {
  const own = ownProcessToken().split('_');
  const [boot, namespace, startTime] = writer.processToken.split('_');
  if (startTime === undefined || own.length !== 3) {
    return pidExists(writer.pid) && writer.idleMs < ABANDONED_AFTER_MS;
  }
  if (boot !== own[0]) return false;
  if (namespace !== own[1]) return writer.idleMs < ABANDONED_AFTER_MS;
  return readProcessToken(writer.pid) === writer.processToken;
}

/** Null for a dead process, a zombie, or a system without /proc. */
function readProcessToken(pid: number): string | null {
  const start = readProcessStart(pid);
  const namespace = start && readPidNamespace();
  return namespace ? `${start.bootId.slice(0, 8)}_${namespace}_${start.ticks}` : null;
}

function readPidNamespace(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  } catch {
    return undefined;
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}

/** The disk has lost the bytes; other errors, such as too many open files, are temporary. */
const LOST_ON_DISK: ReadonlySet<string | undefined> = new Set([
  'EIO',
  'EBADMSG',
  'EUCLEAN',
  'ENXIO',
  'EISDIR',
]);

/** The content of a segment, or the reason for its absence. Rejects on temporary errors. */
export async function loadSegment(
  spoolDir: string,
  file: ListedSegment,
): Promise<SegmentContent | 'missing' | 'unreadable'> {
  try {
    return readSegment(await readFile(join(spoolDir, file.name)), file.nonce);
  } catch (err) {
    const code = errorCode(err);
    if (code === 'ENOENT') return 'missing';
    if (LOST_ON_DISK.has(code)) return 'unreadable';
    throw err;
  }
}
