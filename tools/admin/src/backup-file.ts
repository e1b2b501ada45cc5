import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BackupFile } from './backup-manifest.js';
import { cannotRead, cannotWrite } from './file-problems.js';
import { Problem } from './problem.js';

// Both engines write one row a line and escape line breaks within it, so rows are counted by their ends.
const LINE_END = 10;
// Level 6 takes three times as long for a file that is a fifth smaller.
const GZIP_LEVEL = 1;

type Watch = { readonly onRows: (rows: number) => void; readonly signal: AbortSignal };

/**
 * Writes rows, one a line, to a new compressed file, readable by its owner only, and returns what the manifest says of
 * it. Throws Problem when it cannot be written; rejects as `source` does, and when `signal` says so.
 */
export async function writeBackupFile(
  folder: string,
  file: string,
  source: AsyncIterable<Uint8Array>,
  { onRows, signal }: Watch,
): Promise<BackupFile> {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  const counted = watch((chunk) => {
    const more = countLines(chunk);
    rows += more;
    onRows(more);
  });
  const hashed = watch((chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  const path = join(folder, file);
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(source, counted, createGzip({ level: GZIP_LEVEL }), hashed, out, { signal });
  } catch (err) {
    // What the source throws has nothing to do with a path.
    throw err instanceof Error && 'syscall' in err && 'path' in err
      ? cannotWrite(path, err)
      : diskFull(path, err);
  }
  return { file, rows, bytes, sha256: hash.digest('hex') };
}

/**
 * Yields the rows of a file as they were written, in chunks that end anywhere. Throws Problem when it cannot be read,
 * and at its end when it is not what the manifest says: whoever reads must not keep what they have read then.
 */
export async function* readBackupFile(
  folder: string,
  expected: BackupFile,
  { onRows, signal }: Watch,
): AsyncGenerator<Buffer, void, undefined> {
  const path = join(folder, expected.file);
  const hash = createHash('sha256');
  let rows = 0;
  const hashed = watch((chunk) => {
    hash.update(chunk);
  });
  const out = new PassThrough();
  const reading = pipeline(createReadStream(path), hashed, createGunzip(), out, { signal });
  // It is awaited below; until then a failure ends `out`, which throws it.
  reading.catch(() => undefined);
  try {
    for await (const chunk of out as AsyncIterable<Buffer>) {
      const more = countLines(chunk);
      rows += more;
      onRows(more);
      yield chunk;
    }
    await reading;
  } catch (err) {
    signal.throwIfAborted();
    throw isDamage(err) ? new Problem(`${path} is damaged: it cannot be unpacked.`) : cannotRead(path, err);
  } finally {
    out.destroy();
  }
  if (hash.digest('hex') !== expected.sha256)
    throw new Problem(`${path} is damaged: its SHA-256 is another.`);
  if (rows !== expected.rows)
    throw new Problem(`${path} is damaged: it has ${rows} rows of ${expected.rows}.`);
}

/** Yields the same bytes in pieces of whole lines, of `bytesMax` at most or one line. */
export async function* inWholeLines(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer, void, undefined> {
  let lines: Buffer[] = [];
  let linesBytes = 0;
  // What is there of a line whose end is yet to come.
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (linesBytes + begunBytes + rest.length > bytesMax) {
      const room = bytesMax - linesBytes - begunBytes;
      const fitting = room > 0 ? rest.lastIndexOf(LINE_END, room - 1) + 1 : 0;
      // A line that is longer by itself goes as one.
      const end = fitting > 0 || linesBytes > 0 ? fitting : rest.indexOf(LINE_END) + 1;
      if (end > 0) {
        yield Buffer.concat([...lines, ...begun, rest.subarray(0, end)]);
        [begun, begunBytes] = [[], 0];
        rest = rest.subarray(end);
      } else if (linesBytes > 0) yield Buffer.concat(lines);
      else break;
      [lines, linesBytes] = [[], 0];
    }
    const end = rest.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      lines.push(...begun, rest.subarray(0, end));
      linesBytes += begunBytes + end;
      [begun, begunBytes] = [[], 0];
    }
    begun.push(rest.subarray(end));
    begunBytes += rest.length - end;
  }
  if (linesBytes + begunBytes > 0) yield Buffer.concat([...lines, ...begun]);
}

function watch(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look(chunk);
      done(null, chunk);
    },
  });
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  return lines;
}

const isDamage = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && typeof err.code === 'string' && err.code.startsWith('Z_');

// The end of a write that the disk refuses names no path.
function diskFull(path: string, err: unknown): unknown {
  const code = err instanceof Error && 'code' in err ? err.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT' ? cannotWrite(path, err) : err;
}
