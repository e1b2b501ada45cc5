import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readUpload, watchRate } from './uploads.js';

const KIB = 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that sends `bytes` each second, for which the reader lets it wait `busyMs` after each. */
async function send(seconds: number, bytes: number, busyMs = 0): Promise<boolean> {
  let isSlow = false;
  const rate = watchRate(() => (isSlow = true));
  for (let second = 0; second < seconds; second += 1) {
    rate.onWait();
    await vi.advanceTimersByTimeAsync(1_000);
    rate.onBytes(bytes);
    await vi.advanceTimersByTimeAsync(busyMs);
  }
  rate.stop();
  return isSlow;
}

test('an upload ends when fewer than 16 KiB/s arrive over 15 s', async () => {
  expect(await send(16, 15 * KIB)).toBe(true);
  expect(await send(14, 15 * KIB)).toBe(false);
  expect(await send(60, 18 * KIB)).toBe(false);
});

test('a fast start buys no slow rest', async () => {
  let isSlow = false;
  const rate = watchRate(() => (isSlow = true));
  rate.onWait();
  rate.onBytes(1024 * KIB);
  rate.onWait();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(isSlow).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isSlow).toBe(true);
});

test('time for which the service lets the client wait does not count', async () => {
  expect(await send(14, 15 * KIB, 60_000)).toBe(false);
  expect(await send(60, 18 * KIB, 60_000)).toBe(false);
});

test.each([
  [['12345', '67890'], undefined, '1234567890'],
  [['12345', '67890', '1'], undefined, 'PAYLOAD_TOO_LARGE'],
  [[], '11', 'PAYLOAD_TOO_LARGE'],
])('an upload of %j, announced as %s bytes, is read up to ten bytes', async (chunks, length, expected) => {
  const raw = Readable.from(chunks.map((text) => Buffer.from(text)));
  Object.assign(raw, { headers: { 'content-length': length } });
  const request = { raw } as unknown as FastifyRequest;
  const read = async () => {
    let text = '';
    for await (const chunk of readUpload({} as FastifyInstance, request, { types: [], bytesMax: 10 }))
      text += chunk.toString();
    return text;
  };
  expect(await read().catch((err: unknown) => (err as { code: string }).code)).toBe(expected);
});
