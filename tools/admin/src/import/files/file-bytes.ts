import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readContent } from '@smartlink/import/files';
import { failureCode } from '@smartlink/process/database';
import { cannotRead } from '../../cli/files.js';
import { Problem } from '../../cli/terminal.js';

/** The content of a file, as readContent yields it. Throws Problem when the file cannot be read. */
export async function* readFileBytes(
  file: string,
  onBytes?: (bytesRead: number) => void,
): AsyncGenerator<Buffer> {
  await requirePlainFile(file);
  try {
    yield* readContent(createReadStream(file), onBytes);
  } catch (err) {
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
