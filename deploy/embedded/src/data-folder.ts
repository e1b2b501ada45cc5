import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { isRunning, processStart } from './process-identity.js';
import { StackError } from './stack-error.js';

export type DataFolder = {
  readonly path: string;
  /** Returns the folder `name` in it, made with mode 700 when missing. */
  readonly folder: (name: string) => string;
  readonly file: (name: string) => string;
  /** Gives the lock back. */
  readonly unlock: () => void;
};

const identitySchema = z.object({ pid: z.int(), startedAt: z.string() });

/**
 * Makes the folder when it is missing and locks it for this process. Throws StackError, in one line, when it cannot
 * be written, when its path is one that ClickHouse cannot use, or when another process has it. A lock left by a
 * process that is gone is taken over.
 */
export function openDataFolder(path: string): DataFolder {
  const absolute = resolve(path);
  if (/[*?{}[\]\\]/.test(absolute)) {
    throw new StackError(
      `The data folder ${absolute} has one of * ? { } [ ] \\ in its path, which ClickHouse cannot use: choose another with SMARTLINK_DATA_DIR.`,
    );
  }
  const file = (name: string) => join(absolute, name);
  makeWritable(absolute);
  lock(file('lock'), absolute);
  return {
    path: absolute,
    file,
    folder: (name) => {
      mkdirSync(file(name), { recursive: true, mode: 0o700 });
      return file(name);
    },
    unlock: () => {
      rmSync(file('lock'), { force: true });
    },
  };
}

/** Writes a file that only its owner can read, whole or not at all. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}

// Level by level, because Node's recursive mkdir never returns below a folder where nothing can be made, as in /proc.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function makeWritable(path: string): void {
  try {
    makeFolder(path);
    const probe = join(path, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    // Postgres runs as another user when we are root, and has to pass through to its own folder. Nothing in here is
    // readable for others either way.
    if (process.getuid?.() === 0) chmodSync(path, 0o711);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    throw new StackError(
      `The data folder ${path} cannot be made or written (${code ?? String(err)}): make it writable, or choose another with SMARTLINK_DATA_DIR.`,
    );
  }
}

// A lock is made complete under another name and then linked into place, which the file system refuses when there is
// one already. A stale lock is moved away first; of two processes that try this at once, one finds it moved already
// and meets the other's fresh lock in the next round.
function lock(path: string, folder: string): void {
  const mine = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) }), {
    mode: 0o600,
  });
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      if (tryLink(mine, path)) return;
      const holder = readHolder(path);
      if (holder && isRunning(holder)) {
        throw new StackError(
          `Smartlink is already running on ${folder} (process ${holder.pid}): stop it, or choose another data folder with SMARTLINK_DATA_DIR.`,
        );
      }
      if (existsSync(path)) moveAway(path, `${mine}-stale`);
    }
    throw new StackError(`The lock ${path} cannot be taken: remove it when no Smartlink is running.`);
  } finally {
    rmSync(mine, { force: true });
    rmSync(`${mine}-stale`, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw err;
  }
}

function moveAway(path: string, to: string): void {
  try {
    renameSync(path, to);
    // Between our look and our move another process may have put its own lock there: give that one back.
    const moved = readHolder(to);
    if (moved && isRunning(moved)) tryLink(to, path);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err;
  }
}

function readHolder(path: string): z.infer<typeof identitySchema> | null {
  try {
    return identitySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
