import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Cores of the processes of a run, as taskset names them; null: any. */
export type Cores = { readonly server: string | null; readonly others: string | null };

/** A load of some tenths is what the command itself makes by building. */
const BUSY_LOAD_PER_CORE = 0.5;

/** Processor, cores, memory, kernel and Node; in a second sentence, whether it was busy before the run. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const cores = availableParallelism();
  const [load = 0] = loadavg();
  const busy =
    load < BUSY_LOAD_PER_CORE * cores
      ? ''
      : ` The machine was busy (load ${load.toFixed(1)} before the run): trust ratios more than times.`;
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cores} cores, ${memory}, ${process.platform} ${release()}, Node ${process.versions.node}.${busy}`;
}

/**
 * Moves this process, and with it the engines that it starts, to all cores but one, which is left to the server under
 * load. Nothing is moved without taskset (util-linux) or with one core only.
 */
export function shareCores(): Cores {
  const [server, ...rest] = allowedCores();
  const others = rest.join(',');
  if (server === undefined || others === '' || !moveTo(others)) return { server: null, others: null };
  return { server, others };
}

/** Does `work` with this process, and all that it starts, on one core; on any without taskset. */
export async function onOneCore<Result>(work: () => Promise<Result>): Promise<Result> {
  const free = allowedCores();
  moveTo(free.at(-1) ?? '');
  try {
    return await work();
  } finally {
    moveTo(free.join(','));
  }
}

function moveTo(cores: string): boolean {
  return spawnSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)]).status === 0;
}

function allowedCores(): string[] {
  const shown = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' });
  const list = shown.status === 0 ? (/: ([\d,-]+)\s*$/.exec(shown.stdout)?.[1] ?? '') : '';
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    if (first === undefined || last === undefined || range === '') return [];
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  });
}

/** Processor time of all threads of a process since its start, in µs; 0 when it is gone. */
export function processTimeUs(pid: number): number {
  // Per thread, in ns; /proc/<pid>/stat has steps of 10 ms. Ended threads are missing, but servers keep theirs.
  return orWithoutIt(0, () => {
    const timesNs = readdirSync(`/proc/${pid}/task`).map((thread) =>
      orWithoutIt(0, () =>
        Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      ),
    );
    return timesNs.reduce((sum, timeNs) => sum + timeNs, 0) / 1_000;
  });
}

/** Kernel time of a process since its start, in µs, in steps of 10 ms; 0 when it is gone. */
export function systemTimeUs(pid: number): number {
  return orWithoutIt(0, () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces. Field 15 of proc(5), in ticks of 1/100 s.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[12]) * 10_000;
  });
}

/** Children of a process; empty when it is gone. */
export function childrenOf(pid: number): readonly number[] {
  return orWithoutIt([], () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** `otherwise` when the process has ended. */
function orWithoutIt<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Collects the garbage of this process. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: the first collection frees what the second finds unused, such as the contents of weak references.
  for (let i = 0; i < 2; i += 1) collect();
}
