import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStart } from '@smartlink/process/lifecycle';
import { freePort } from './ports.js';
import { describeFailure, StackError } from './stack-error.js';

/** Distinguishes a process from a later one with the same pid. */
export type ProcessIdentity = {
  readonly name: string;
  readonly pid: number;
  /** Start time in the system's own format; only compared. */
  readonly startedAt: string;
};

export type Child = {
  readonly identity: ProcessIdentity;
  /** Resolves with `exit code 1` or `SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** The last lines that this process has logged. */
  readonly lastLines: (count: number) => string;
  /** Sends the stop signal, and SIGKILL to the process group after `graceMs`; false if that was necessary. */
  readonly stop: () => Promise<boolean>;
  readonly process: ChildProcess;
};

export type ChildOptions = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly logFile: string;
  /** Account to run as; only root can switch. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
  /** Opens an IPC channel, which closes when either side dies. */
  readonly ipc?: boolean;
};

export type EngineOptions = {
  readonly dataDir: string;
  /** Identifies the data folder in paths elsewhere. */
  readonly dataId: string;
  readonly logFile: string;
  readonly password: string;
  /** A free one by default. */
  readonly port?: number | undefined;
  /** False for disposable data, as in tests: nothing waits for the disk. */
  readonly durable: boolean;
  readonly report: (line: string) => void;
  /** Called with each process as soon as it runs. */
  readonly onStart: (child: Child) => void;
};

const READY_TIMEOUT_MS = 60_000;
const START_ATTEMPTS_MAX = 3;
const RESTART_DELAY_MS = 500;
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LOG_CHECK_INTERVAL_MS = 30_000;
const LAST_LINES_BYTES_MAX = 64 * 1024;
const POLL_MS = 50;

/**
 * Starts a process in a session of its own, which Ctrl-C does not reach: the caller stops it, in order. On Linux with
 * setpriv it also receives its stop signal when this process dies by SIGKILL. Output is appended to `logFile`, which is
 * copied to `.old` and emptied above 10 MB, checked every 30 s. Rejects when it cannot start.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, logFile, stopSignal, graceMs } = options;
  cutLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const [command, args] = withDeathSignal(stopSignal, options.command, options.args);
  const child = spawn(command, args, {
    cwd: options.cwd ?? '/',
    env: options.env,
    detached: true,
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  closeSync(log);
  await once(child, 'spawn');
  const watch = setInterval(() => {
    cutLog(logFile);
  }, LOG_CHECK_INTERVAL_MS).unref();
  let ended: string | null = null;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      ended = signal ?? `exit code ${code ?? 'unknown'}`;
      resolve(ended);
    });
  });
  const pid = child.pid ?? 0;
  const identity = { name, pid, startedAt: processStart(pid) ?? 'gone' };
  return {
    identity,
    exited,
    hasExited: () => ended !== null,
    lastLines: (count) => lastLines(logFile, count, logStart),
    stop: () => stopProcess(identity, { signal: stopSignal, graceMs }),
    process: child,
  };
}

/**
 * Starts a server on a loopback port, a free one by default, and waits until `probe` resolves. A server that ends is started
 * again, on another free port: a program may have taken the first, or an old process may still be ending. Throws StackError.
 */
export async function startOnFreePort(
  optionsFor: (port: number) => ChildOptions,
  probe: (port: number) => Promise<void>,
  { port: wanted, onStart }: Pick<EngineOptions, 'port' | 'onStart'>,
): Promise<{ readonly child: Child; readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await freePort());
    const options = optionsFor(port);
    const child = await startChild(options);
    onStart(child);
    try {
      await waitUntilReady(child, () => probe(port));
      return { child, port };
    } catch (err) {
      if (!child.hasExited() || attempt === START_ATTEMPTS_MAX) {
        await child.stop();
        const log = `${options.logFile} ends with:\n${child.lastLines(10)}`;
        throw new StackError(`${describeFailure(err)}; ${log}`);
      }
    }
    await sleep(RESTART_DELAY_MS);
  }
}

/** Repeats `probe` until it resolves. Throws StackError when the process ends or is not ready in time. */
export async function waitUntilReady(
  child: Child,
  probe: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const { name } = child.identity;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let problem = 'no answer';
  while (!child.hasExited() && Date.now() < deadline) {
    signal?.throwIfAborted();
    try {
      await probe();
      return;
    } catch (err) {
      if (err instanceof StackError) throw err;
      problem = describeFailure(err);
    }
    await sleep(POLL_MS);
  }
  throw new StackError(
    child.hasExited()
      ? `${name} ended (${await child.exited})`
      : `${name} is not ready after ${READY_TIMEOUT_MS / 1000} s (${problem})`,
  );
}

/** Runs a program to its end, out of reach of Ctrl-C. Null when it succeeded, else its error output. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<string | null> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise<string | null>((resolve) => {
    child.once('error', (err) => {
      resolve(err.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? null : output.trim() || `exit code ${code ?? 'unknown'}`);
    });
  });
}

/** The last `count` lines of a text file from byte `start` on; empty when it cannot be read. */
function lastLines(file: string, count: number, start: number): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      // A log that has been cut is shorter than at the start.
      const begin = start > size ? 0 : start;
      const from = Math.max(begin, size - LAST_LINES_BYTES_MAX);
      const bytes = Buffer.alloc(size - from);
      readSync(descriptor, bytes, 0, bytes.length, from);
      const lines = bytes.toString('utf8').trimEnd().split('\n');
      // Unless reading began at a line's start, the first line is incomplete.
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

// Not renamed, because the process keeps the file open and appends at its current end.
function cutLog(logFile: string): void {
  try {
    if (statSync(logFile).size <= LOG_BYTES_MAX) return;
    copyFileSync(logFile, `${logFile}.old`);
    truncateSync(logFile);
  } catch {
    // No log yet, or a full disk: the next check tries again.
  }
}

let hasDeathSignal: boolean | undefined;

/**
 * Command line of a process that receives `signal` when its parent dies, even by SIGKILL; unchanged without setpriv,
 * which is part of util-linux and missing on macOS and Alpine. setpriv becomes the command, under the same pid.
 */
export function withDeathSignal(
  signal: NodeJS.Signals,
  command: string,
  args: readonly string[],
): [command: string, args: readonly string[]] {
  hasDeathSignal ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'keep', 'true']).status === 0;
  if (!hasDeathSignal) return [command, args];
  return ['setpriv', ['--pdeathsig', signal.replace(/^SIG/, ''), '--', command, ...args]];
}

/** Start time of a process; null when it does not exist or is a zombie. */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') {
    const start = readProcessStart(pid);
    return start && `${start.bootId} ${start.ticks}`;
  }
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.stdout.trim() || null;
}

/** False for a zombie and for another process with the same pid. */
export function isRunning(identity: Pick<ProcessIdentity, 'pid' | 'startedAt'>): boolean {
  return processStart(identity.pid) === identity.startedAt;
}

/** Sends `signal`, and SIGKILL to the process group after `graceMs`; false if that was necessary. */
export async function stopProcess(
  identity: ProcessIdentity,
  options: { signal: NodeJS.Signals; graceMs: number },
): Promise<boolean> {
  signalProcess(identity, options.signal, 'process');
  if (await waitUntilGone(identity, options.graceMs)) return true;
  signalProcess(identity, 'SIGKILL', 'group');
  await waitUntilGone(identity, 5_000);
  return false;
}

function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals, scope: 'process' | 'group'): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(scope === 'group' ? -identity.pid : identity.pid, signal);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err;
  }
}

async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(identity)) {
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
