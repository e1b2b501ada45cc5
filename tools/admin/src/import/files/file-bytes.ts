import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { failureCode, failureMessage } from '@smartlink/process/database';
import { cannotRead, isZlibError } from '../../cli/files.js';
import { Problem } from '../../cli/terminal.js';

/** Nothing more of the file can be read; the message is the reason. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** Gzip makes links about ten times smaller; more than this is an attack. */
const EXPANSION_MAX = 200;
// Below this it does no harm.
const EXPANDED_BYTES_FREE = 8 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Yields the content of a file, unpacked if it is gzip, without a byte-order mark. `onBytes` receives the bytes of the file
 * read so far. Throws Problem when the file cannot be read, DamagedFile at gzip that is cut, damaged or expands too much.
 */
export async function* readFileBytes(
  file: string,
  onBytes: (bytesRead: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  await requirePlainFile(file);
  const bytes = countBytes(file, onBytes);
  yield* withoutMark((await isGzip(file)) ? unpack(bytes) : bytes);
}

/** The size and SHA-256, in hexadecimal, of a file on disk. Throws Problem when it cannot be read. */
export async function fingerprintFile(file: string): Promise<{ bytes: number; sha256: string }> {
  await requirePlainFile(file);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of countBytes(file, (read) => (bytes = read))) hash.update(chunk);
  return { bytes, sha256: hash.digest('hex') };
}

async function requirePlainFile(file: string): Promise<void> {
  const found = await stat(file).catch((err: unknown) => unreadable(file, err));
  if (found.isDirectory()) throw new Problem(`${file} is a directory.`);
  // It is read more than once.
  if (!found.isFile()) throw new Problem(`${file} is not a regular file.`);
}

async function* countBytes(file: string, onBytes: (bytesRead: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      read += chunk.length;
      onBytes(read);
      yield chunk;
    }
  } catch (err) {
    unreadable(file, err);
  }
}

function unreadable(file: string, err: unknown): never {
  throw failureCode(err) === '' ? err : cannotRead(file, err);
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file).catch((err: unknown) => unreadable(file, err));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function* unpack(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytesIn = 0;
  let bytesOut = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of packed) {
      bytesIn += chunk.length;
      yield chunk;
    }
  }
  // The loop throws a failure; leaving it ends the reading.
  const unpacked = pipeline(counted(), createGunzip({ chunkSize: 64 * 1024 }), () => undefined);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytesOut += chunk.length;
      if (bytesOut > EXPANDED_BYTES_FREE && bytesOut > bytesIn * EXPANSION_MAX)
        throw new DamagedFile(`it unpacks to more than ${EXPANSION_MAX} times its size`);
      yield chunk;
    }
  } catch (err) {
    throw isZlibError(err)
      ? new DamagedFile(`its compression is damaged or cut (${failureMessage(err)})`)
      : err;
  }
}

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < BYTE_ORDER_MARK.length) continue;
    const isMarked = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    yield isMarked ? start.subarray(BYTE_ORDER_MARK.length) : start;
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}
