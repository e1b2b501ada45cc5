import { closeSync, openSync, readSync } from 'node:fs';
import { parseSocketLine, socketsOf } from './socket-table.js';

/** The kernel hands out a page of lines at a time, and listening sockets come first. */
const PAGE_BYTES = 4096;

// A queue that is never empty belongs to a process that accepts more slowly than visitors come.
const EMPTY_DEADLINE_MS = 1_000;
// A look takes about a tenth of this, however many connections there are. One that took longer may tell of what was
// before somebody else had the core.
const LOOK_MS_MAX = 1;

/**
 * Resolves at a moment when no connection waits to be accepted by this process on `port`, which others may listen on
 * too, or after a second; at once where nobody tells. Linux does.
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
    // One turn of the event loop accepts all who wait.
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
