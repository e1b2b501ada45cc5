import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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

const GZIP = Buffer.from([0x1f, 0x8b]);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Yields the content of a file, unpacked if it is gzip, without a byte-order mark. `onBytes` receives the number of bytes read
 * from disk so far. Throws Problem when the file cannot be read, DamagedFile at gzip that is cut, damaged or expands too much.
 */
export async function* readFileBytes(
  file: string,
  onBytes: (bytesRead: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  await requirePlainFile(file);
  try {
    const isGzip = (await buffer(createReadStream(file, { end: 1 }))).equals(GZIP);
    const disk = createReadStream(file);
    // The loop throws a failure; leaving it ends the reading.
    const content = isGzip ? pipeline(disk, createGunzip({ chunkSize: 64 * 1024 }), () => undefined) : disk;
    let bytes = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      const isMarked = bytes === 0 && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      bytes += chunk.length;
      if (bytes > EXPANDED_BYTES_FREE && bytes > disk.bytesRead * EXPANSION_MAX)
        throw new DamagedFile(`it unpacks to more than ${EXPANSION_MAX} times its size`);
      onBytes(disk.bytesRead);
      yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
    }
  } catch (err) {
    if (isZlibError(err)) {
      throw new DamagedFile(`its compression is damaged or cut (${failureMessage(err)})`);
    }
    throw failureCode(err) === '' ? err : cannotRead(file, err);
  }
}

/** The size and SHA-256 of a file on disk. Throws Problem when it cannot be read. */
export async function fingerprintFile(file: string): Promise<{ bytes: number; sha256: Buffer }> {
  const bytes = await requirePlainFile(file);
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (err) {
    throw cannotRead(file, err);
  }
  return { bytes, sha256: hash.digest() };
}

/** The size of a file that can be read more than once. */
async function requirePlainFile(file: string): Promise<number> {
  const found = await stat(file).catch((err: unknown) => {
    throw cannotRead(file, err);
  });
  if (found.isDirectory()) throw new Problem(`${file} is a directory.`);
  if (!found.isFile()) throw new Problem(`${file} is not a regular file.`);
  return found.size;
}
