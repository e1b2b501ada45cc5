import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { processStart, stopProcess } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';

export type Child = {
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended, with how: `exit code 1`, `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** The end of what this process has logged, for a message about a crash. */
  readonly lastLines: (count: number) => string;
  /** Asks it to end; kills it and its own children after `graceMs`. Returns false when it had to be killed. */
  readonly stop: () => Promise<boolean>;
  /** Present when started with `ipc`. */
  readonly process: ChildProcess;
};

export type ChildOptions = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly logFile: string;
  /** Another account to run as; only root can. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
  /** Opens a channel for messages, which closes when either side dies. */
  readonly ipc?: boolean;
};

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LOG_CHECK_INTERVAL_MS = 30_000;
const LAST_LINES_BYTES_MAX = 64 * 1024;

/**
 * Starts a process in a session of its own, so that Ctrl-C at the terminal does not reach it: whoever started it
 * stops it, in order. Where the system can, the process also gets its stop signal when this one dies by SIGKILL.
 * Output is appended to `logFile`; above 10 MB it is moved to `.old`, looked at every 30 s. Rejects when it cannot
 * start.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  cutLog(options.logFile);
  const log = openSync(options.logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const [command, args] = withDeathSignal(options);
  const child = spawn(command, args, {
    cwd: options.cwd ?? '/',
    env: options.env,
    detached: true,
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const watch = setInterval(() => {
    cutLog(options.logFile);
  }, LOG_CHECK_INTERVAL_MS);
  watch.unref();
  child.once('exit', () => {
    clearInterval(watch);
  });
  return describeChild(child, options, logStart);
}

function describeChild(child: ChildProcess, options: ChildOptions, logStart: number): Child {
  const pid = child.pid ?? 0;
  let ended: string | null = null;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = signal ?? `exit code ${code ?? 'unknown'}`;
      resolve(ended);
    });
  });
  const identity = { name: options.name, pid, startedAt: processStart(pid) ?? 'gone' };
  return {
    identity,
    exited,
    hasExited: () => ended !== null,
    lastLines: (count) => lastLines(options.logFile, count, logStart),
    stop: () => stopProcess(identity, { signal: options.stopSignal, graceMs: options.graceMs }),
    process: child,
  };
}

/** Returns the last `count` lines of a text file from byte `start` on, or nothing when it cannot be read. */
export function lastLines(file: string, count: number, start = 0): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      // A log that was cut meanwhile is shorter than it was at the start.
      const begin = start > size ? 0 : start;
      const from = Math.max(begin, size - LAST_LINES_BYTES_MAX);
      const bytes = Buffer.alloc(size - from);
      readSync(descriptor, bytes, 0, bytes.length, from);
      const lines = bytes.toString('utf8').trimEnd().split('\n');
      // The first one is the rest of a line where the look began in the middle.
      return lines
        .slice(from > begin ? 1 : 0)
        .slice(-count)
        .join('\n');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

// Copied and emptied rather than renamed: the process holds the file open, and appends at whatever its end is then.
function cutLog(logFile: string): void {
  try {
    if (statSync(logFile).size <= LOG_BYTES_MAX) return;
    copyFileSync(logFile, `${logFile}.old`);
    truncateSync(logFile);
  } catch {
    // There is no log yet, or the disk is full: the next look tries again.
  }
}

let hasDeathSignal: boolean | undefined;

// setpriv belongs to util-linux, which is everywhere but on macOS and Alpine. It asks the kernel for the signal and
// then becomes the command itself, under the same process number.
function withDeathSignal(options: ChildOptions): [string, readonly string[]] {
  hasDeathSignal ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  if (!hasDeathSignal) return [options.command, options.args];
  const signal = options.stopSignal.replace(/^SIG/, '');
  return ['setpriv', ['--pdeathsig', signal, '--', options.command, ...options.args]];
}
