import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrustedProxies } from '@smartlink/process/client-address';
import { request } from '@smartlink/test-support/raw-request';
import { createHead, type Reply, textReply } from '../src/http/reply.js';
import { createVisitCounters, createVisitTimer } from '../src/metrics/worker-metrics.js';
import { probePort } from '../src/primary/primary.js';
import { createServer, type Server } from '../src/worker/server.js';

/** An answer that breaks while it is written. */
const BROKEN: Reply = {
  head: createHead(200, []),
  get headers(): never {
    throw new Error('broken answer');
  },
  body: Buffer.alloc(0),
};

/** Larger than what the system keeps for a connection that is not read. */
const LARGE: Reply = {
  head: createHead(200, []),
  headers: [],
  body: Buffer.alloc(16 * 2 ** 20, '0123456789'),
};

const faults: unknown[] = [];
let largeAsked = 0;
const timer = createVisitTimer(createVisitCounters());
let server: Server;
let port: number;

beforeAll(async () => {
  port = await probePort({ host: '127.0.0.1', port: 0, variable: 'PORT' });
  server = createServer({
    host: '127.0.0.1',
    port,
    dispatch: {
      page: ({ req }) => {
        const path = req.getUrl();
        if (path.startsWith('/large')) largeAsked += 1;
        if (path === '/large') return LARGE;
        if (path === '/large-later') return Promise.resolve(LARGE);
        if (path === '/later') return Promise.resolve(BROKEN);
        return path === '/now' ? BROKEN : textReply(200, 'well\n');
      },
      post: () => null,
      methodNotAllowed: () => BROKEN,
    },
    proxies: createTrustedProxies([]),
    timer,
    everyHeader: [],
    onFault: (err) => faults.push(err),
  });
  await server.listen();
});

afterAll(async () => {
  timer.stop();
  await server.close({ deadlineMs: 1_000 });
});

test.each(['/now', '/later'])(
  'an answer to %s that cannot be written is a fault of its own',
  async (path) => {
    faults.length = 0;
    expect((await request(port, [`GET ${path} HTTP/1.1`, 'Host: a'])).status).toBe(0);
    expect(faults).toEqual([new Error('broken answer')]);
    expect((await request(port, ['GET /well HTTP/1.1', 'Host: a'])).status).toBe(200);
  },
);

/** Sends requests on a connection that is not read, and returns it once the server has seen them. */
async function sendUnread(path: string, count: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  await once(socket, 'connect');
  const text = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count);
  await new Promise<void>((resolve) => {
    socket.write(text, () => {
      resolve();
    });
  });
  expect((await request(port, ['GET /well HTTP/1.1', 'Host: a'])).status).toBe(200);
  return socket;
}

async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= LARGE.body.length + HEAD_BYTES_MIN) socket.end();
  });
  // A reset after what was sent is an end as well.
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

const HEAD_BYTES_MIN = 64;

test.each(['/large', '/large-later'])(
  'a visitor who begins to read %s late gets the whole of it',
  async (path) => {
    const answer = await readToEnd(await sendUnread(path, 1));
    expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(LARGE.body)).toBe(true);
  },
);

test('a client that keeps asking and reads nothing is answered once and cut off', async () => {
  largeAsked = 0;
  const socket = await sendUnread('/large', 1_000);
  expect(largeAsked).toBe(1);
  const answer = await readToEnd(socket);
  expect(answer.length).toBeLessThan(LARGE.body.length);
  expect(largeAsked).toBe(1);
});
