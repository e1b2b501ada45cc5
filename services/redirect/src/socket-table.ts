import { readdirSync, readlinkSync } from 'node:fs';

export type SocketLine = {
  readonly state: 'listening' | 'connected' | 'other';
  readonly port: number;
  /** Connections that wait to be accepted, of a listening socket; bytes that wait to be read, of any other. */
  readonly waiting: number;
  readonly inode: string;
};

// include/net/tcp_states.h
const STATES: Readonly<Record<string, SocketLine['state']>> = { '01': 'connected', '0A': 'listening' };

/**
 * Returns what a line of Linux's /proc/net/tcp or tcp6 says of a socket (proc_pid_net(5); `waiting` is `rx_queue`), or
 * null for one that tells of none, such as the heading.
 */
export function parseSocketLine(line: string): SocketLine | null {
  const [, local = '', , state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
  const port = hexBehindColon(local);
  const waiting = hexBehindColon(queues);
  if (Number.isNaN(port) || Number.isNaN(waiting) || inode === '') return null;
  return { state: STATES[state] ?? 'other', port, waiting, inode };
}

/** Returns the inodes of the sockets of a process of this user's; none where there is no /proc. */
export function socketsOf(pid: number | 'self'): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  try {
    for (const fd of readdirSync(folder)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`${folder}/${fd}`))?.[1];
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
    // It was closed meanwhile, as the descriptor is that the folder itself was read by.
    return '';
  }
}

const hexBehindColon = (text: string): number => Number.parseInt(text.slice(text.lastIndexOf(':') + 1), 16);
