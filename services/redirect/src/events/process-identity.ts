import { readlinkSync } from 'node:fs';
import { readProcessStart } from '@smartlink/process/process-start';

/** An open segment that its writer has not touched for this long is given up where nothing better is known. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Tells one run of a process from every other: its pid alone does not, since pids come back after a crash, a reboot
 * and in every new container. On Linux it is `<boot>_<pid namespace>_<start time>`, elsewhere `unknown`.
 */
export function ownProcessToken(): string {
  return readProcessToken(process.pid) ?? 'unknown';
}

/**
 * Whether the process that opened a segment may still write to it. Exact on Linux within one pid namespace. From
 * another namespace, or on another system, a pid says too little: then a segment untouched for a minute counts as
 * abandoned, though a live writer seals after one second.
 */
export function mayBeAlive(writer: { pid: number; processToken: string; idleMs: number }): boolean {
  const own = ownProcessToken().split('_');
  const [boot, namespace, startTime] = writer.processToken.split('_');
  if (startTime === undefined || own.length !== 3) {
    return pidExists(writer.pid) && writer.idleMs < ABANDONED_AFTER_MS;
  }
  if (boot !== own[0]) return false;
  if (namespace !== own[1]) return writer.idleMs < ABANDONED_AFTER_MS;
  return readProcessToken(writer.pid) === writer.processToken;
}

/** Returns null for a process that is gone, a zombie, or on a system without /proc. */
function readProcessToken(pid: number): string | null {
  const start = readProcessStart(pid);
  const namespace = start && readPidNamespace();
  return namespace ? `${start.bootId.slice(0, 8)}_${namespace}_${start.ticks}` : null;
}

function readPidNamespace(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  } catch {
    return undefined;
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}
