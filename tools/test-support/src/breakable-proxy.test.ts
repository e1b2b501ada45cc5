import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from './breakable-proxy.js';

let echo: Server;
let proxy: BreakableProxy;

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await startBreakableProxy(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`);
});
afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

/** The pieces of the echo of `text`, and the time until the first in ms. */
function send(text: string): Promise<{ pieces: string[]; firstMs: number }> {
  return new Promise((resolve, reject) => {
    const pieces: string[] = [];
    let firstMs = 0;
    const startedAt = performance.now();
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) });
    socket.on('data', (piece: Buffer) => {
      if (pieces.length === 0) firstMs = performance.now() - startedAt;
      pieces.push(piece.toString());
      if (pieces.join('').length < text.length) return;
      socket.destroy();
      resolve({ pieces, firstMs });
    });
    socket.on('error', reject);
    socket.write(text);
  });
}

test('slices into small delayed writes in order, both ways', async () => {
  proxy.slow({ sliceBytes: 3, delayMs: 20 });
  const text = 'abcdefghijklmnopqrstuvwxyz';
  const { pieces, firstMs } = await send(text);
  expect(pieces.join('')).toBe(text);
  expect(pieces.length).toBeGreaterThan(5);
  // A timer may fire a millisecond early.
  expect(firstMs).toBeGreaterThanOrEqual(38);
});

test('refuses while killed, and passes bytes at full speed once restored', async () => {
  proxy.slow({ delayMs: 10_000 });
  await proxy.kill();
  await expect(send('hello')).rejects.toThrow();
  await proxy.restore();
  expect((await send('hello')).pieces.join('')).toBe('hello');
});

test('kills itself after the given number of pieces, not before', async () => {
  proxy.killAfter(2);
  await send('one');
  await send('two');
  await expect(send('three')).rejects.toThrow();
});
