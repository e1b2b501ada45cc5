import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { failureCode, failureMessage } from '@smartlink/process/database';

/** Nothing more of the file can be read; the message is the reason. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** Gzip makes links about ten times smaller; more than this is an attack. */
const EXPANSION_MAX = 200;
// Below this it does no harm.
const EXPANDED_BYTES_FREE = 8 * 1024 * 1024;

const GZIP = Buffer.from([0x1f, 0x8b]);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Whether compressed bytes are damaged or cut: Z_DATA_ERROR, Z_BUF_ERROR. */
export const isZlibError = (err: unknown): boolean => failureCode(err).startsWith('Z_');

/** Reads the start of a stream, of `bytes` or the whole of it; `all` are the chunks of the stream from its start. */
export async function peek(
  source: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ readonly start: Buffer; readonly all: AsyncGenerator<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let firstBytes = 0;
  while (firstBytes < bytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    first.push(next.value);
    firstBytes += next.value.length;
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* first.splice(0);
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return { start: Buffer.concat(first), all: all() };
}

/**
 * Yields the content of a file, unpacked if it is gzip, without a byte-order mark. `onBytes` receives the number of bytes read
 * of the file so far. Throws DamagedFile at gzip that is cut, damaged or expands too much.
 */
export async function* readContent(
  file: AsyncIterable<Buffer>,
  onBytes: (bytesRead: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  let bytesRead = 0;
  const { start, all } = await peek(file, GZIP.length);
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of all) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  const isGzip = start.subarray(0, GZIP.length).equals(GZIP);
  // The loop throws a failure; leaving it ends the reading.
  const content: AsyncIterable<Buffer> = isGzip
    ? pipeline(Readable.from(counted()), createGunzip({ chunkSize: 64 * 1024 }), () => undefined)
    : counted();
  let bytes = 0;
  try {
    for await (const chunk of content) {
      const isMarked = bytes === 0 && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      bytes += chunk.length;
      if (bytes > EXPANDED_BYTES_FREE && bytes > bytesRead * EXPANSION_MAX)
        throw new DamagedFile(`it unpacks to more than ${EXPANSION_MAX} times its size`);
      onBytes(bytesRead);
      yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
    }
  } catch (err) {
    if (!isZlibError(err)) throw err;
    throw new DamagedFile(`its compression is damaged or cut (${failureMessage(err)})`);
  }
}
