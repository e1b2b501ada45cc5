import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

/** The kernel hands out a page of lines at a time, and listening sockets come first. */
const PAGE_BYTES = 4096;
const LISTENING = '0A';

export type ListenQueue = {
  /** Returns how many connections are established and wait to be accepted; 0 where the system does not tell. */
  readonly length: () => number;
};

/**
 * Finds the socket by which this process listens on `port`, which others may listen on too. Only Linux tells, in
 * /proc/net/tcp (proc_pid_net(5): of a listening socket `rx_queue` is the length of its queue). One look takes some
 * tens of microseconds, however many connections there are.
 */
export function openListenQueue(port: number): ListenQueue {
  const own = ownSockets();
  const find = (line: Line) => line.port === port && own.has(line.inode);
  for (const path of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const found = findListening(path, find);
    if (found) {
      return { length: () => findListening(path, ({ inode }) => inode === found.inode)?.queue ?? 0 };
    }
  }
  return { length: () => 0 };
}

type Line = { readonly port: number; readonly inode: string; readonly queue: number };

function ownSockets(): ReadonlySet<string> {
  try {
    return new Set(
      readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
        } catch {
          // The descriptor that the folder itself was read by.
          return [];
        }
      }),
    );
  } catch {
    return new Set();
  }
}

function findListening(path: string, matches: (line: Line) => boolean): Line | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    let rest = '';
    for (;;) {
      const bytes = readSync(file, page, 0, PAGE_BYTES, null);
      if (bytes === 0) return undefined;
      const lines = (rest + page.toString('latin1', 0, bytes)).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        const [, local = '', , state, queues = '', , , , , inode = ''] = text.trim().split(/\s+/);
        if (local === 'local_address') continue;
        if (state !== LISTENING) return undefined;
        const line = {
          port: Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16),
          inode,
          queue: Number.parseInt(queues.slice(queues.indexOf(':') + 1), 16),
        };
        if (matches(line)) return line;
      }
    }
  } finally {
    closeSync(file);
  }
}
