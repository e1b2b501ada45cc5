import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { parseResponse } from '@smartlink/test-support/raw-request';
import { socketsOf } from '../src/worker/listen-queue.js';

/** A visitor on one connection that stays open, and so with one process of the redirect service. */
export type Visitor = {
  /** Of our end of the connection. */
  readonly localPort: number;
  /** Returns where a visit is sent to, or its status; one visit at a time. Rejects when the connection ends. */
  readonly visit: (slug: string) => Promise<string>;
  readonly close: () => void;
};

/** Opens a connection to the redirect service at `port`. The caller closes it. */
export async function openVisitor(port: number): Promise<Visitor> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let text = '';
  let pending: { resolve: (answer: string) => void; reject: (err: Error) => void } | null = null;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const { status, headers, body } = parseResponse(text);
    if (status === 0 || body.length < Number(headers['content-length'] ?? 0)) return;
    text = '';
    pending?.resolve(headers['location'] ?? String(status));
  });
  socket.on('error', () => undefined);
  socket.on('close', () => pending?.reject(new Error('The connection of a visitor was closed')));
  return {
    localPort: (socket.address() as AddressInfo).port,
    visit: (slug) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) reject(new Error('The connection of a visitor was closed before'));
        socket.write(`GET /${slug} HTTP/1.1\r\nHost: a\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

// proc_pid_net(5): addresses as hexadecimal `<address>:<port>`, local before remote; the inode is the tenth column.
const LOCAL = 1;
const REMOTE = 2;
const INODE = 9;

/** Which of `pids` holds the connection from `remotePort` to `localPort`. Of Linux alone. */
export function findOwner(
  pids: readonly number[],
  localPort: number,
  remotePort: number,
): number | undefined {
  const portOf = (address = '') => parseInt(address.slice(address.indexOf(':') + 1), 16);
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((columns) => portOf(columns[LOCAL]) === localPort && portOf(columns[REMOTE]) === remotePort)?.[
    INODE
  ];
  return inode === undefined ? undefined : pids.find((pid) => socketsOf(pid).has(inode));
}
