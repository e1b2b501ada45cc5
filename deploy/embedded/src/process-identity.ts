import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStart } from '@smartlink/process/process-start';

/** A process that is told from a later one with the same number. */
export type ProcessIdentity = {
  readonly name: string;
  readonly pid: number;
  /** When it started, in whatever form the system gives; only ever compared. */
  readonly startedAt: string;
};

const POLL_MS = 50;

/** Returns when the process with this number started, or null when there is none. */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') {
    const start = readProcessStart(pid);
    return start && `${start.bootId} ${start.ticks}`;
  }
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.stdout.trim() || null;
}

/** Whether the process is still there; another one that took its number does not count, nor does a zombie. */
export function isRunning(identity: Pick<ProcessIdentity, 'pid' | 'startedAt'>): boolean {
  return processStart(identity.pid) === identity.startedAt;
}

/** Waits until the process is gone; returns false when `timeoutMs` is over first. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(identity)) {
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Sends the signal to a process that is still the one meant, or with `group` to its whole process group.
 * Does nothing when it is gone. Throws when the process is another user's.
 */
export function signalProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  scope: 'process' | 'group',
): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(scope === 'group' ? -identity.pid : identity.pid, signal);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err;
  }
}

/**
 * Asks the process to end, and kills its group when it has not within `graceMs`. Returns false when it had to be
 * killed.
 */
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
