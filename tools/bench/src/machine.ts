import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Building the benches alone makes a load of a few tenths. */
const BUSY_LOAD_PER_CORE = 0.5;

/** Processor, cores, memory, kernel and Node, with a warning if the machine is busy. */
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

/** Cores that this process may use; empty without taskset (util-linux). */
export function allowedCores(): readonly string[] {
  const shown = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' });
  const list = shown.status === 0 ? (/: ([\d,-]+)\s*$/.exec(shown.stdout)?.[1] ?? '') : '';
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    if (first === undefined || last === undefined || range === '') return [];
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  });
}

/** Does `work` with this process and its children on `cores`; on any core without taskset. */
export async function onCores<Result>(
  cores: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const before = allowedCores();
  moveTo(cores);
  try {
    return await work();
  } finally {
    moveTo(before);
  }
}

function moveTo(cores: readonly string[]): void {
  if (cores.length > 0) spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)]);
}

/** Processor time of all threads of a process since its start, in µs; 0 after its end. */
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

/** Children of a process; empty after its end. */
export function childrenOf(pid: number): readonly number[] {
  return orWithoutIt([], () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

function orWithoutIt<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
