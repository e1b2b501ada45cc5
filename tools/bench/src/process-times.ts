import { readFileSync, readdirSync } from 'node:fs';

/** Returns the processor time that a process has used since its start, all its threads, in µs; 0 when it is gone. */
export function processTimeUs(pid: number): number {
  // Per thread in ns. A thread that has ended is missing in it, but the servers that are measured keep theirs; the sum
  // over the process (/proc/<pid>/stat) has steps of 10 ms.
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + threadTimeNs(pid, thread), 0) / 1_000;
  } catch {
    return 0;
  }
}

/** Returns what part of a process's time so far was spent in the kernel, in µs; in steps of 10 ms. */
export function systemTimeUs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces. Fields 14 and 15 of proc(5), user and system time, in ticks of 1/100 s.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[12]) * 10_000;
  } catch {
    return 0;
  }
}

/** Returns the children of a process; none when it is gone. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function threadTimeNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
