import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parseNetworks } from '@smartlink/process/client-address';
import { createMessageSender, type ResolveName } from './send-message.js';
import { createAddressRule } from './target-address.js';

type TestServer = {
  readonly port: number;
  readonly sockets: Set<Socket>;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Starts a server that does to each connection what a receiver might, once its first bytes are there. */
async function listen(onRequest: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => {
      onRequest(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started = {
    port: (server.address() as AddressInfo).port,
    sockets,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  servers.push(started);
  return started;
}

const LOCAL = ['127.0.0.0/8'];

function send(
  url: string,
  { networks = LOCAL, limitMs = 5_000, resolve = noNames, abort = new AbortController() } = {},
) {
  const sender = createMessageSender({
    permitsAddress: createAddressRule(parseNetworks(networks)!),
    resolve,
    now: Date.now,
    limitMs,
  });
  return sender({ url, headers: { 'content-type': 'application/json' }, body: '{}' }, abort);
}

const noNames: ResolveName = () => Promise.reject(new Error('ENOTFOUND'));
const resolvesTo =
  (...addresses: string[]): ResolveName =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

/** Writes for as long as the other side takes it. Returns how many bytes that were. */
function writeWithoutEnd(socket: Socket, chunk: string): () => number {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk)) if (socket.bytesWritten > ENOUGH_BYTES) return;
  };
  socket.on('drain', more);
  more();
  return () => socket.bytesWritten;
}
const ENOUGH_BYTES = 64 * 1024 * 1024;

test('the answer’s head is the outcome; of an endless body little more is taken than the system buffers', async () => {
  let written = (): number => 0;
  const { port, sockets } = await listen((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\nretry-after: 7\r\n\r\n');
    written = writeWithoutEnd(socket, 'x'.repeat(64 * 1024));
  });
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ status: 200, retryAfterMs: 7_000 });
  const last = [...sockets][0];
  if (last && !last.destroyed) await new Promise((resolve) => last.once('close', resolve));
  expect(written()).toBeLessThan(ENOUGH_BYTES);
});

/** Writes `text` again and again, until the connection is closed. */
const drip = (text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => {
    clearInterval(timer);
  });
};
/** Answers with `text` and closes the connection. */
const answers = (text: string) => (socket: Socket) => {
  socket.end(text);
};

const writes = (text: string, next: (socket: Socket) => unknown) => (socket: Socket) => {
  socket.write(text);
  next(socket);
};
const SILENT = 'No answer within 0.1 s';

test.each([
  ['says nothing', (): void => undefined, SILENT],
  ['sends its head a byte at a time', writes('HTTP/1.1 200 OK\r\nx: ', drip('y')), SILENT],
  ['sends interim answers without end', drip('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), SILENT],
  [
    'sends a head without end',
    writes('HTTP/1.1 200 OK\r\n', (socket) => writeWithoutEnd(socket, `x-filler: ${'x'.repeat(1_000)}\r\n`)),
    'The head of the answer is larger than 16 KiB',
  ],
  ['resets the connection', writes('', (socket) => socket.resetAndDestroy()), 'The connection was reset'],
  ['closes it', answers(''), 'The connection was closed before there was an answer'],
  ['answers garbage', answers('SSH-2.0-OpenSSH_9.6\r\n\r\n'), 'The answer is not valid HTTP'],
  ['answers with status 000', answers('HTTP/1.1 000 Nothing\r\n\r\n'), 'The answer is not valid HTTP'],
])('a receiver that %s has not taken the message', async (_what, onRequest, message) => {
  const { port } = await listen(onRequest);
  // Only a receiver that never answers is worth a short limit: on a busy machine others take longer than it.
  const limitMs = message === SILENT ? 100 : 5_000;
  await expect(send(`http://127.0.0.1:${port}/`, { limitMs })).rejects.toThrow(message);
});

test('a connection is closed when the outcome is known, also where the receiver would keep it', async () => {
  const { port, sockets } = await listen((socket) => {
    socket.write('HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n');
  });
  await send(`http://127.0.0.1:${port}/`);
  const [left] = sockets;
  if (left && !left.destroyed) await new Promise((resolve) => left.once('close', resolve));
  expect(sockets.size).toBe(0);
});

test('a self-signed certificate is refused before anything is sent', async () => {
  let requests = 0;
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (_req, res) => {
    requests += 1;
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(send(`https://127.0.0.1:${port}/`)).rejects.toThrow(
    'The connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  );
  await new Promise((resolve) => server.close(resolve));
  expect(requests).toBe(0);
});

test('a refused connection and a name that is not there are failures', async () => {
  const { port, close } = await listen(() => undefined);
  await close();
  servers.pop();
  await expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow('The connection was refused');
  await expect(send('http://gone.example.org/')).rejects.toThrow('The host name cannot be resolved');
});

test.each([
  ['http://127.0.0.1', 'a literal'],
  ['http://[::ffff:127.0.0.1]', 'a mapped literal'],
  ['http://name.example.org', 'a name that resolves to 127.0.0.1'],
])('%s: %s is not connected to unless it is allowed', async (origin) => {
  const server = await listen(answers('HTTP/1.1 204 No Content\r\n\r\n'));
  const url = `${origin}:${server.port}/`;
  const resolve = resolvesTo('10.0.0.1', '127.0.0.1', '::1');
  await expect(send(url, { networks: [], resolve })).rejects.toThrow(
    'The address is not on the public Internet',
  );
  expect(server.connections()).toBe(0);
  expect((await send(url, { resolve })).status).toBe(204);
});

test('a name is resolved once, so the connection cannot use another address', async () => {
  let asked = 0;
  const { port } = await listen(answers('HTTP/1.1 204 No Content\r\n\r\n'));
  const resolve: ResolveName = () => {
    asked += 1;
    return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
  };
  await send(`http://rebind.example.org:${port}/`, { resolve });
  expect(asked).toBe(1);
});

test('an aborted attempt ends at once', async () => {
  const abort = new AbortController();
  const { port } = await listen(() => {
    abort.abort(new Error('The process ends'));
  });
  await expect(send(`http://127.0.0.1:${port}/`, { abort })).rejects.toThrow();
});

// Of 127.0.0.1, signed by itself and good for a hundred years.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg69GK6vYjtfvP4EEw
8Yxt4JgIccj8Glk8sPVZ++fDHYWhRANCAAT6wcWbHa6LAkM8dQHrZxVXPR7lLkJh
FMU2H7JYjzk9lcA+Jc14lF7IrCOhdwQDGXSqxpgJU2Jgmy4zja+giS56
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUaBgu32BNWxvoA6+VCNpZcnaJLWYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjAxMjcyNVoYDzIxMjYxMDI5
MDEyNzI1WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT6wcWbHa6LAkM8dQHrZxVXPR7lLkJhFMU2H7JYjzk9lcA+Jc14lF7I
rCOhdwQDGXSqxpgJU2Jgmy4zja+giS56o2QwYjAdBgNVHQ4EFgQUgeZtBPnQd6Ak
Hks1GQYd/gjgV4swHwYDVR0jBBgwFoAUgeZtBPnQd6AkHks1GQYd/gjgV4swDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQC0eJUf4x0ca9MaTE36UaKNSCHbskwvIypHJjKzmXf/XwIhAI76tPGaxnoNKtU6
ZgNQGzRtVhREeJS15x9Sx8jpARCq
-----END CERTIFICATE-----`;
