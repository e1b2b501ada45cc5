import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { cannotWrite } from './file-problems.js';
import { openNewFile } from './new-file.js';
import { toPrintable } from './printable.js';
import type { Terminal } from './terminal.js';

/**
 * Writes text to a file, compressed when its name ends in .gz, readable by its owner only; to standard output when the
 * name is `-`. The file has its name once it is complete, and nothing is left of it when writing fails or `signal` says
 * so. Returns false when nobody read standard output to the end. Throws Problem when it cannot be written.
 */
export async function writeOutput(
  terminal: Terminal,
  name: string,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<boolean> {
  if (name === '-') {
    for await (const text of texts) {
      terminal.stdout(terminal.isStdoutTerminal ? toPrintableLines(text) : text);
      if (!(await terminal.stdoutReady())) return false;
    }
    return true;
  }
  const source = Readable.from(texts);
  const file = openNewFile(name);
  try {
    await (name.endsWith('.gz')
      ? pipeline(source, createGzip(), file.stream, { signal })
      : pipeline(source, file.stream, { signal }));
    await file.keep();
    return true;
  } catch (err) {
    await file.discard().catch(() => undefined);
    if (!isFileError(err)) throw err;
    throw cannotWrite(name, err);
  }
}

/** Visitors make up much of the text; to a file or a pipe it goes as it is. */
const toPrintableLines = (text: string): string => text.split(/\r?\n/).map(toPrintable).join('\n');

const DISK_ERRORS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/** Connections fail with codes as well, but those have no path. */
function isFileError(err: unknown): boolean {
  return err instanceof Error && ('path' in err || ('code' in err && DISK_ERRORS.has(err.code)));
}
