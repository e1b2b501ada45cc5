import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { cannotRead } from '../file-problems.js';
import { Problem } from '../problem.js';

/** The file's bytes are damaged or cut, so that nothing after those before can be read. The message is why. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** Gzip makes links about ten times smaller. More than this is made to fill disks or to waste a day. */
const EXPANSION_MAX = 200;
// Below this it does no harm.
const EXPANDED_BYTES_FREE = 8 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Yields what a file holds, unpacked if it begins as gzip does, without a byte-order mark. `onBytes` is told how many
 * bytes of the file itself have been read so far. Throws Problem when the file cannot be read, DamagedFile at gzip that is
 * cut, damaged or expands beyond measure.
 */
export async function* readFileBytes(
  file: string,
  onBytes: (bytesRead: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  await requirePlainFile(file);
  const bytes = countBytes(file, onBytes);
  yield* withoutMark((await isGzip(file)) ? unpack(bytes) : bytes);
}

/** Returns the size and the SHA-256, in hexadecimal, of a file as it lies on disk. Throws Problem when it cannot be read. */
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
  if (!found.isFile()) throw new Problem(`${file} is no plain file.`);
}

async function* countBytes(file: string, onBytes: (bytesRead: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  try {
    for await (const chunk of createReadStream(file, {
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      read += chunk.length;
      onBytes(read);
      yield chunk;
    }
  } catch (err) {
    unreadable(file, err);
  }
}

function unreadable(file: string, err: unknown): never {
  const isFileError = err instanceof Error && 'code' in err;
  throw isFileError ? cannotRead(file, err) : err;
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
  // A failure shows in the loop; who leaves the loop early ends the reading too.
  const unpacked = pipeline(counted(), createGunzip({ chunkSize: 256 * 1024 }), () => undefined);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytesOut += chunk.length;
      if (bytesOut > EXPANDED_BYTES_FREE && bytesOut > bytesIn * EXPANSION_MAX)
        throw new DamagedFile(`it unpacks to more than ${EXPANSION_MAX} times its size`);
      yield chunk;
    }
  } catch (err) {
    const isOfZlib = err instanceof Error && 'code' in err && String(err.code).startsWith('Z_');
    throw isOfZlib ? new DamagedFile(`its compression is damaged or cut (${err.message})`) : err;
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
