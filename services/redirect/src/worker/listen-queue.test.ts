import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { parseSocketLine, socketsOf } from './listen-queue.js';

const HEADING =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const LISTENING =
  '   0: 0100007F:0BB8 00000000:0000 0A 00000000:0000001F 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0';
const LISTENING_6 =
  '  12: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000000000000000 100 0 0 10 0';
const CONNECTED =
  '   1: 0100007F:0BB8 0100007F:C350 01 00000000:000000A0 00:00000000 00000000     0        0 4713 1 0000000000000000 20 4 30 10 -1';
// The other end has closed: that counts as a byte.
const CLOSED_BY_PEER =
  '   2: 0100007F:0BB8 0100007F:C351 08 00000000:00000001 00:00000000 00000000     0        0 4714 1 0000000000000000 20 4 30 10 -1';

test.each([
  [LISTENING, { state: 'listening', port: 3000, waiting: 31, inode: '4711' }],
  [LISTENING_6, { state: 'listening', port: 8080, waiting: 0, inode: '4712' }],
  [CONNECTED, { state: 'connected', port: 3000, waiting: 160, inode: '4713' }],
  [CLOSED_BY_PEER, { state: 'other', port: 3000, waiting: 1, inode: '4714' }],
  [HEADING, null],
  ['', null],
])('a line of the table of sockets is read: %s', (line, socket) => {
  expect(parseSocketLine(line)).toEqual(socket);
});

test.runIf(process.platform === 'linux')('a socket of this process is found in the table', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const own = socketsOf('self');
    const found = readFileSync('/proc/self/net/tcp', 'utf8')
      .split('\n')
      .map(parseSocketLine)
      .filter((socket) => socket?.port === port && own.has(socket.inode));
    expect(found).toMatchObject([{ state: 'listening', waiting: 0 }]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
