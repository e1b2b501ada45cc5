import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

/** The kernel hands out a page of lines at a time, and listening sockets come first. */
const PAGE_BYTES = 4096;
const LISTENING = '0A';

// A queue that is never empty belongs to a process that accepts more slowly than visitors come.
const EMPTY_DEADLINE_MS = 1_000;
// A look takes about a tenth of this, however many connections there are. One that took longer may tell of what was
// before somebody else had the core.
const LOOK_MS_MAX = 1;

/**
 * Resolves at a moment when no connection waits to be accepted by this process on `port`, which others may listen on
 * too, or after a second; at once where nobody tells. Linux does, in /proc/net/tcp (proc_pid_net(5): of a listening
 * socket `rx_queue` is the length of its queue).
 */
export async function untilQueueIsEmpty(port: number): Promise<void> {
  const own = ownSockets();
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

function ownSockets(): ReadonlySet<string> {
  const inodes = new Set<string>();
  try {
    for (const fd of readdirSync('/proc/self/fd')) {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/self/fd/${fd}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  } catch {
    // There is no such folder but on Linux.
  }
  return inodes;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // It was the descriptor that the folder itself was read by.
    return '';
  }
}

function find(path: string, port: number, inodes: ReadonlySet<string>): { length: number } | undefined {
  for (const line of readLines(path)) {
    const [, local = '', , state, queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
    if (local === 'local_address') continue;
    if (state !== LISTENING) return undefined;
    if (inodes.has(inode) && hexBehindColon(local) === port) return { length: hexBehindColon(queues) };
  }
  return undefined;
}

const hexBehindColon = (text: string): number => Number.parseInt(text.slice(text.lastIndexOf(':') + 1), 16);

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
