import { spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStart } from '@smartlink/process/lifecycle';
import { cutLog, readLastLines } from './log-file.js';
import { freePort } from './ports.js';
import { describeFailure, StackError } from './stack-error.js';

/** Distinguishes a process from a later one with the same pid. */
export type ProcessIdentity = {
  readonly name: string;
  readonly pid: number;
  /** Start time in the system's own format; only compared. */
  readonly startedAt: string;
};

export type Child = Awaited<ReturnType<typeof startChild>>;

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
const LOG_CHECK_INTERVAL_MS = 30_000;
const POLL_MS = 50;

/**
 * Starts a process in a session of its own, which Ctrl-C does not reach: the caller stops it, in order. On Linux with
 * setpriv it also receives its stop signal when this process dies by SIGKILL. Output is appended to `logFile`, which is
 * copied to `.old` and emptied above 10 MB, checked every 30 s. Rejects when it cannot start.
 */
export async function startChild(options: ChildOptions) {
  const { name, logFile, stopSignal, graceMs } = options;
  cutLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const [command, args] = withDeathSignal(stopSignal, options.command, options.args);
  const child = spawn(command, args, {
    cwd: options.cwd ?? '/',
    env: options.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  closeSync(log);
  await once(child, 'spawn');
  const watch = setInterval(cutLog, LOG_CHECK_INTERVAL_MS, logFile).unref();
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      resolve(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  });
  const pid = child.pid ?? 0;
  const identity: ProcessIdentity = { name, pid, startedAt: processStart(pid) ?? 'gone' };
  return {
    identity,
    process: child,
    /** Resolves with `exit code 1` or `SIGKILL`. Never rejects. */
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    /** The last lines that this process has logged. */
    lastLines: (count: number) => readLastLines(logFile, count, logStart),
    /** Sends the stop signal, and SIGKILL to the process group after `graceMs`; false if that was necessary. */
    stop: () => stopProcess(identity, stopSignal, graceMs),
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
  try {
    const [output] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
    return child.exitCode === 0 ? null : output.trim() || `exit code ${child.exitCode ?? 'unknown'}`;
  } catch (err) {
    return describeFailure(err);
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

/**
 * What still runs of a recorded process: itself, or the workers of a service that has died. They are in its process group
 * and run its program. On systems without /proc they are not found, and end by themselves.
 */
export function findRunning(recorded: ProcessIdentity): readonly ProcessIdentity[] {
  const startedAt = processStart(recorded.pid);
  if (startedAt !== null) return startedAt === recorded.startedAt ? [recorded] : [];
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const worker = isWorkerOf(recorded, pid) ? processStart(pid) : null;
    return worker === null ? [] : [{ name: recorded.name, pid, startedAt: worker }];
  });
}

function isWorkerOf({ name, pid: group }: ProcessIdentity, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may contain spaces and brackets: state, parent, process group.
    const isInGroup = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2] === String(group);
    return (
      isInGroup && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`services/${name}/dist/main.js`)
    );
  } catch {
    return false;
  }
}

/** Sends `signal`, and SIGKILL to the process group after `graceMs`; false if that was necessary. */
export async function stopProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<boolean> {
  sendSignal(identity, identity.pid, signal);
  if (await waitUntilGone(identity, graceMs)) return true;
  // A worker leads no group, so it is killed itself.
  for (const target of [-identity.pid, identity.pid]) sendSignal(identity, target, 'SIGKILL');
  await waitUntilGone(identity, 5_000);
  return false;
}

function sendSignal(identity: ProcessIdentity, target: number, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(target, signal);
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
