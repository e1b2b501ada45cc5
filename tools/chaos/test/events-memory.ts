import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROBE = new URL('events-memory-probe.mjs', import.meta.url);
const MEBIBYTE = 1024 ** 2;

type Sample = { readonly atMs: number; readonly rss: number; readonly heapUsed: number };

/** In MiB. */
export type MemoryGrowth = { readonly rss: number; readonly heap: number };

export type MemoryWatch = {
  /** Variables of the service to be watched. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Of the process that grew most: its last third of the time since `fromMs` beside the third before. The first one is
   * for warming up. Resident memory by its median, the heap by its lowest point, which is what a collection leaves.
   */
  readonly drift: (fromMs: number) => MemoryGrowth;
  /** By how much the resident memory of one process went beyond what it was at `fromMs`, in MiB. */
  readonly riseOf: (pid: number, fromMs: number) => number;
  readonly remove: () => void;
};

/** Returns what follows the memory of all processes of a service. Times are those of Date.now(). */
export function watchMemory(): MemoryWatch {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-memory-'));
  const read = (name: string): Sample[] =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Sample);
  return {
    env: { NODE_OPTIONS: `--import=${PROBE.href}`, MEMORY_PROBE_DIR: folder },
    drift(fromMs) {
      const drifts = readdirSync(folder).map((name) =>
        driftOf(read(name).filter(({ atMs }) => atMs >= fromMs)),
      );
      return {
        rss: highest(drifts.map(({ rss }) => rss)),
        heap: highest(drifts.map(({ heap }) => heap)),
      };
    },
    riseOf(pid, fromMs) {
      const samples = read(`${pid}.jsonl`);
      const before = samples.filter(({ atMs }) => atMs <= fromMs).at(-1)?.rss ?? Number.NaN;
      const after = samples.filter(({ atMs }) => atMs > fromMs).map(({ rss }) => rss);
      return (highest(after) - before) / MEBIBYTE;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function driftOf(samples: readonly Sample[]): MemoryGrowth {
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(2 * third);
  return {
    rss: (median(last.map(({ rss }) => rss)) - median(middle.map(({ rss }) => rss))) / MEBIBYTE,
    heap: (lowest(last) - lowest(middle)) / MEBIBYTE,
  };
}

// Each of these is NaN of none, as `percentile` is: what was not measured is within no bound.

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function lowest(samples: readonly Sample[]): number {
  return samples.length === 0 ? Number.NaN : Math.min(...samples.map(({ heapUsed }) => heapUsed));
}

function highest(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}
