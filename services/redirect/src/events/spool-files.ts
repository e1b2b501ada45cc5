import { open, readdir } from 'node:fs/promises';

// The name of a segment says all that is known of it, so no index can disagree with the folder, and every change of
// state is one rename:
//
//   <opened>-<sequence>-<writer>-<pid>-<process>-<nonce>.open                 a process is writing it
//                                                       .<rows>.seg           complete, waits to be sent
//                                                       .<rows>.<time>.sent   acknowledged then, in sent/, kept
//                                                       .<rows>.again         acknowledged once, to be sent again
//
// Times are milliseconds since 1970 in 13 digits, so that names sort in the order in which segments were opened.

export type SegmentState = 'open' | 'seg' | 'sent' | 'again';

export type SegmentFile = {
  readonly name: string;
  /** The part that stays the same for the segment's whole life. */
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

/** Returns the stem of a new segment. `writerId` holds letters and digits only. */
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

/** Returns what a file's name says, or null when it is no segment. */
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
 * Returns the segments of a spool folder in the order in which they were opened; other files are passed over. A folder
 * that has been cleared away holds none: the next segment makes it again.
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

/** Makes renames in the folder survive a loss of power. */
export async function syncFolder(spoolDir: string): Promise<void> {
  const folder = await open(spoolDir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns the system's name for an error, such as ENOENT, or undefined. */
export function errorCode(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined;
}
