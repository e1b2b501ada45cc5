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
import { readStackFile } from '@smartlink/process/database';
import { isRunning, processStart } from './child.js';
import { StackError } from './stack-error.js';

/** The folder of `npm start`, locked for this process. */
export type DataFolder = ReturnType<typeof openDataFolder>;

/**
 * Creates and locks the folder; the lock of a process that has ended is taken over. Throws StackError, in one line, when
 * it cannot be written, when ClickHouse cannot use its path, or when another process has locked it.
 */
export function openDataFolder(folder: string) {
  const path = resolve(folder);
  // With these characters ClickHouse's `from infile` reads nothing and reports success.
  if (/[*?{}[\]\\]/.test(path)) {
    throw new StackError(
      `The data folder ${path} has one of * ? { } [ ] \\ in its path, which ClickHouse cannot use: choose another with SMARTLINK_DATA_DIR.`,
    );
  }
  const file = (name: string) => join(path, name);
  makeWritable(path);
  lock(file('lock'), path);
  return {
    path,
    file,
    /** Path of a subfolder, created with mode 700 if missing. */
    folder: (name: string) => {
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

// Level by level: Node's recursive mkdir never returns below a folder that takes no files, such as /proc.
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
    // Started by root, Postgres runs as another user, which must be able to reach its own folder in here. Files and
    // folders beside it stay unreadable.
    if (process.getuid?.() === 0) chmodSync(path, 0o711);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    throw new StackError(
      `The data folder ${path} cannot be created or written (${code ?? String(err)}): make it writable, or choose another with SMARTLINK_DATA_DIR.`,
    );
  }
}

const holderSchema = z.object({ pid: z.int(), startedAt: z.string() });

// A link fails if the lock exists. A stale lock is moved away first: of two processes that try this at once, one finds it
// moved and meets the other's lock in its next attempt.
function lock(path: string, folder: string): void {
  const mine = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const stale = `${mine}-stale`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) }), {
    mode: 0o600,
  });
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      if (moves(linkSync, mine, path, 'EEXIST')) return;
      const holder = readHolder(path);
      if (holder && isRunning(holder)) {
        throw new StackError(
          `Smartlink is already running on ${folder} (process ${holder.pid}): stop it, or choose another data folder with SMARTLINK_DATA_DIR.`,
        );
      }
      if (!moves(renameSync, path, stale, 'ENOENT')) continue;
      // Another process may have locked the folder between the read and the move: restore its lock.
      const moved = readHolder(stale);
      if (moved && isRunning(moved)) moves(linkSync, stale, path, 'EEXIST');
    }
    throw new StackError(`The lock ${path} cannot be taken: remove it if no Smartlink is running.`);
  } finally {
    rmSync(mine, { force: true });
    rmSync(stale, { force: true });
  }
}

/** False when `move` fails with `code`. */
function moves(move: (from: string, to: string) => void, from: string, to: string, code: string): boolean {
  try {
    move(from, to);
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === code) return false;
    throw err;
  }
}

function readHolder(path: string): z.infer<typeof holderSchema> | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Random bytes of each. `dataId` identifies this data folder in paths elsewhere. */
const SECRETS = {
  dataId: 8,
  postgresPassword: 24,
  redisPassword: 24,
  clickhousePassword: 24,
  cookieSecret: 32,
};
const secretNames = z.enum(Object.keys(SECRETS) as (keyof typeof SECRETS)[]);
// URLs and a configuration file contain them, so they are hexadecimal.
const secretsSchema = z.record(secretNames, z.string().min(16));

export type Secrets = Readonly<z.infer<typeof secretsSchema>>;

/**
 * Passwords of the embedded engines, random ones on the first start, kept in `file` (mode 600). Throws StackError for a
 * damaged file, because new passwords would not open the old data.
 */
export function loadSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    const secrets = Object.entries(SECRETS).map(([name, size]) => [name, randomBytes(size).toString('hex')]);
    writePrivateFile(file, JSON.stringify(Object.fromEntries(secrets)));
  }
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StackError(`${file} is damaged and holds the databases' passwords: restore it from a backup.`);
  }
}

/** A stack that `npm start` has started; `metricsUrl` is missing in files of older versions. */
export type RunningStack = ReturnType<typeof readRunningStack>;

/** Addresses and demo key of the stack on `dataDir`. Throws StackError when no stack runs or it is still starting. */
export function readRunningStack(dataDir: string) {
  const folder = resolve(dataDir);
  const stack = readStackFile(folder);
  if (stack === null) {
    throw new StackError(
      `No stack is running on ${folder}: start it with npm start, or name its folder with SMARTLINK_DATA_DIR.`,
    );
  }
  const { managementUrl, publicBaseUrl } = stack;
  const keyFile = join(folder, 'demo-key');
  if (managementUrl === undefined || publicBaseUrl === undefined || !existsSync(keyFile)) {
    throw new StackError('The stack is still starting: wait until it prints "Smartlink is ready".');
  }
  return { ...stack, managementUrl, publicBaseUrl, demoKey: readFileSync(keyFile, 'utf8').trim() };
}
