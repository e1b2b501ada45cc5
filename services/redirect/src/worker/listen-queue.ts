import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

/** The kernel returns a page of lines at a time, listening sockets first. */
const PAGE_BYTES = 4096;

// A queue that never empties belongs to a process that accepts too slowly.
const EMPTY_DEADLINE_MS = 1_000;
// A check takes a tenth of this, however many connections there are. A slower one was preempted and may be outdated.
const LOOK_MS_MAX = 1;

/**
 * Resolves when no connection waits to be accepted by this process on `port`, which others may share, or after a second.
 * At once on systems other than Linux.
 */
export async function untilQueueIsEmpty(port: number): Promise<void> {
  const own = socketsOf('self');
  const path = ['/proc/net/tcp', '/proc/net/tcp6'].find((file) => find(file, port, own) !== undefined);
  if (path === undefined) return;
  const deadline = performance.now() + EMPTY_DEADLINE_MS;
  for (;;) {
    const lookedAt = performance.now();
    const isEmpty = find(path, port, own)?.length === 0;
    const time = performance.now();
    if ((isEmpty && time - lookedAt < LOOK_MS_MAX) || time >= deadline) return;
    // One turn of the event loop accepts all waiting connections.
    await new Promise(setImmediate);
  }
}

function find(path: string, port: number, inodes: ReadonlySet<string>): { length: number } | undefined {
  for (const line of readLines(path)) {
    const socket = parseSocketLine(line);
    if (socket === null) continue;
    if (socket.state !== 'listening') return undefined;
    if (inodes.has(socket.inode) && socket.port === port) return { length: socket.waiting };
  }
  return undefined;
}

function* readLines(path: string): Generator<string> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    let rest = '';
    for (;;) {
      const bytes = readSync(file, page, 0, PAGE_BYTES, null);
      if (bytes === 0) return;
      const lines = (rest + page.toString('latin1', 0, bytes)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

type SocketLine = {
  readonly state: 'listening' | 'connected' | 'other';
  readonly port: number;
  /** Connections to accept on a listening socket; unread bytes on other sockets. */
  readonly waiting: number;
  readonly inode: string;
};

// include/net/tcp_states.h
const STATES: Readonly<Record<string, SocketLine['state']>> = { '01': 'connected', '0A': 'listening' };

/**
 * Parses a line of Linux's /proc/net/tcp or tcp6 (proc_pid_net(5); `waiting` is `rx_queue`); null for the heading and
 * other lines.
 */
export function parseSocketLine(line: string): SocketLine | null {
  const [, local = '', , state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
  const port = hexBehindColon(local);
  const waiting = hexBehindColon(queues);
  if (Number.isNaN(port) || Number.isNaN(waiting) || inode === '') return null;
  return { state: STATES[state] ?? 'other', port, waiting, inode };
}

/** The socket inodes of a process of this user; none without /proc. */
export function socketsOf(pid: number | 'self'): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  try {
    for (const fd of readdirSync(folder)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`${folder}/${fd}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  } catch {
    // Only Linux has this folder.
  }
  return inodes;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since, like the descriptor that read the folder.
    return '';
  }
}

const hexBehindColon = (text: string): number => Number.parseInt(text.slice(text.lastIndexOf(':') + 1), 16);
