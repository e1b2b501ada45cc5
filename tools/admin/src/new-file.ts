import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

/** A file that is being written beside where it is to be. */
export type NewFile = {
  /** The caller ends or destroys it. */
  readonly stream: WriteStream;
  /** Gives it its name, in place of what had it; for a stream that has ended. */
  readonly keep: () => Promise<void>;
  readonly discard: () => Promise<void>;
};

/**
 * Opens a file, readable by its owner only, that has its name once it is complete. Nothing that lies beside it is taken
 * for it or followed: neither what an earlier run has left, nor another's file or link.
 */
export function openNewFile(name: string): NewFile {
  const part = `${name}.${randomUUID()}.part`;
  return {
    stream: createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    keep: () => rename(part, name),
    discard: () => rm(part, { force: true }),
  };
}
