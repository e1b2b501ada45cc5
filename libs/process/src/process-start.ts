import { readFileSync } from 'node:fs';

/** When a process started: the boot's id and clock ticks since then. Ticks alone repeat after a restart of the machine. */
export type ProcessStart = { readonly bootId: string; readonly ticks: string };

/**
 * Returns when the process with this number started, which tells it from every other that has had the number. null for
 * one that is gone, for a zombie, and on systems without /proc (proc(5), stat: state and starttime).
 */
export function readProcessStart(pid: number): ProcessStart | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may hold spaces and brackets itself.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[18];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return { bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), ticks };
  } catch {
    return null;
  }
}
