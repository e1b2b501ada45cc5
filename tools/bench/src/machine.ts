import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Where the processes of a run may go; null: wherever the system puts them. */
export type Cores = { readonly server: string | null; readonly others: string | null };

/** Returns what the machine is (processor, cores, memory, kernel, Node) and, in a second sentence, whether it was busy before the run. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const cores = `${availableParallelism()} cores`;
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cores}, ${memory}, ${process.platform} ${release()}, Node ${process.versions.node}.${describeLoad()}`;
}

/** A load of some tenths is what the command itself makes by building. */
const BUSY_LOAD_PER_CORE = 0.5;

function describeLoad(): string {
  const [load = 0] = loadavg();
  if (load < BUSY_LOAD_PER_CORE * availableParallelism()) return '';
  return ` Other work had the machine too (load ${load.toFixed(1)} before the run): times are too long and too far apart, ratios less so.`;
}

/**
 * Gives this process, and with it the engines that it starts, all cores but one, and returns which: the server under
 * load has that one for itself. Where there is no taskset (util-linux) or one core only, nothing is moved.
 */
export function shareCores(): Cores {
  const free = allowedCores();
  const [server, ...others] = free;
  if (server === undefined || others.length === 0) return { server: null, others: null };
  return moveTo(others.join(',')) ? { server, others: others.join(',') } : { server: null, others: null };
}

/**
 * Gives this process, and what it starts from now on, one core, and returns its name and what gives the other cores
 * back; null where there is no taskset.
 */
export function keepToOneCore(): { readonly core: string; readonly giveBack: () => void } | null {
  const free = allowedCores();
  const core = free.at(-1);
  if (core === undefined || !moveTo(core)) return null;
  return {
    core,
    giveBack: () => {
      moveTo(free.join(','));
    },
  };
}

/** Returns one sentence on who runs where. */
export function describeCores({ server, others }: Cores): string {
  return server === null
    ? 'Nothing is pinned: taskset is missing or there is one core only.'
    : `The server under load has core ${server} for itself; the client and the engines share core ${others ?? ''}.`;
}

/** Moves all threads of this process; returns whether it did. */
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
