import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { percentile } from '@smartlink/test-support/percentile';

const MEBIBYTE = 1024 ** 2;
// Loaded into every process of the service: writes its memory every quarter of a second to `<MEMORY_PROBE_DIR>/<pid>.jsonl`.
const PROBE = `
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const write = () => {
  const { rss, heapUsed } = process.memoryUsage();
  const line = JSON.stringify({ atMs: Date.now(), rss, heapUsed });
  appendFileSync(process.env.MEMORY_PROBE_DIR + '/' + process.pid + '.jsonl', line + '\\n');
};
if (isMainThread) setInterval(write, 250).unref();`;

type Sample = { readonly atMs: number; readonly rss: number; readonly heapUsed: number };

/** Follows the memory of all processes of a service. Times are those of Date.now(); results are in MiB. */
export function watchMemory() {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-memory-'));
  const read = (name: string): Sample[] =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Sample);
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  return {
    /** Variables of the service to be watched. */
    env: { NODE_OPTIONS: `--import=${probe}`, MEMORY_PROBE_DIR: folder },
    /**
     * Of the process that grew most: its last third of the time since `fromMs` beside the third before. The first one is
     * for warming up. Resident memory by its median, the heap by its lowest point, which is what a collection leaves.
     */
    drift(fromMs: number) {
      const drifts = readdirSync(folder).map((name) =>
        driftOf(read(name).filter(({ atMs }) => atMs >= fromMs)),
      );
      const highest = (key: 'rss' | 'heap') =>
        percentile(
          drifts.map((drift) => drift[key]),
          1,
        );
      return { rss: highest('rss'), heap: highest('heap') };
    },
    /** By how much the resident memory of one process went beyond what it was at `fromMs`. */
    riseOf(pid: number, fromMs: number): number {
      const samples = read(`${pid}.jsonl`);
      const before = samples.filter(({ atMs }) => atMs <= fromMs).at(-1)?.rss ?? Number.NaN;
      const after = samples.filter(({ atMs }) => atMs > fromMs).map(({ rss }) => rss);
      return (percentile(after, 1) - before) / MEBIBYTE;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Without a sample the percentile is NaN, which is within no bound.
function driftOf(samples: readonly Sample[]) {
  const third = Math.floor(samples.length / 3);
  const growth = (key: 'rss' | 'heapUsed', share: number) => {
    const values = samples.map((sample) => sample[key]);
    const [middle, last] = [values.slice(third, 2 * third), values.slice(2 * third)];
    return (percentile(last, share) - percentile(middle, share)) / MEBIBYTE;
  };
  return { rss: growth('rss', 0.5), heap: growth('heapUsed', 0) };
}
