import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { toPrintable } from '@smartlink/import/text';
import { failureCode, failureMessage } from '@smartlink/process/database';
import { Problem, type Terminal } from './terminal.js';

/**
 * A file name relative to the folder npm was called from, which is in INIT_CWD (docs.npmjs.com, npm run): npm itself
 * changes to the project's folder. `-` stays.
 */
export function fileOf({ env }: Pick<Terminal, 'env'>, name: string): string {
  const calledFrom = env['INIT_CWD'] ?? '';
  if (name === '-' || calledFrom === '' || resolve(calledFrom) === process.cwd()) return name;
  return resolve(calledFrom, name);
}

export function cannotRead(file: string, err: unknown): Problem {
  if (failureCode(err) === 'ENOENT') return new Problem(`${file} does not exist.`);
  return new Problem(`${file} cannot be read: ${reasonOf(err)}.`);
}

export function cannotWrite(file: string, err: unknown): Problem {
  const reason = failureCode(err) === 'ENOENT' ? 'its folder does not exist' : reasonOf(err);
  return new Problem(`${file} cannot be written: ${reason}.`);
}

// Node's messages name a system call, and a path that the user did not give.
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
]);

const reasonOf = (err: unknown): string =>
  REASONS.get(failureCode(err)) ?? failureMessage(err).replace(/\.$/, '');

const DISK_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR']);

/** Whether a file or a disk failed: failures of connections have a code but no path, those of a full disk neither. */
export const isFileError = (err: unknown): boolean =>
  err instanceof Error && ('path' in err || DISK_CODES.has(failureCode(err)));

/** A file that is written beside its place. */
export type NewFile = {
  /** The caller ends or destroys it. */
  readonly stream: WriteStream;
  /** Moves the ended file to its name, replacing what has it. */
  readonly keep: () => Promise<void>;
  readonly discard: () => Promise<void>;
};

/** Opens a file, readable by its owner only, that gets its name once it is complete. No link or leftover is followed. */
export function openNewFile(name: string): NewFile {
  const part = `${name}.${randomUUID()}.part`;
  return {
    stream: createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    keep: () => rename(part, name),
    discard: () => rm(part, { force: true }),
  };
}

/** Throws Problem when the file exists and `isForced` does not allow to replace it. */
export function requireNew(name: string, isForced: boolean | undefined): void {
  if (name === '-' || isForced === true || !existsSync(name)) return;
  throw new Problem(`${name} exists already: add --force to replace it.`);
}

/**
 * Writes text to a file, compressed when its name ends in .gz, or to standard output for `-`. Nothing is left of the file
 * when writing fails or `signal` aborts. False when standard output was closed early. Throws Problem when it cannot be
 * written.
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
    throw isFileError(err) ? cannotWrite(name, err) : err;
  }
}

/** Visitors write much of the text; a file or a pipe gets it unchanged. */
const toPrintableLines = (text: string): string => text.split(/\r?\n/).map(toPrintable).join('\n');
