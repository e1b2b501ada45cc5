// `npm run bench -- files`: source files of the project that one warm visit and one PATCH pass, by V8's precise coverage.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal } from '@smartlink/bench/figures';
import type { CalledFunction } from '@smartlink/bench/probe';
import { createProbe } from '@smartlink/bench/processes';
import { type Report, runBench } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import { renameLink, withSide } from './growth-side.js';
import { linkPaths } from './links.js';
import { withServices } from './redirect-process.js';
import { BROWSER_HEADERS } from './visit-load.js';

type Sizes = { readonly warmUps: number };

const LINKS = 100;
/** Long enough to see every background job but the hourly ones. */
const IDLE_MS = 6_000;
// Publishing follows the answer.
const AFTER_MS = 150;
const VISIT_FILES_MAX = 14;
const PATCH_FILES_MAX = 30;

async function measureFiles(run: StackRun<Sizes>): Promise<Report> {
  const probe = createProbe(run, { hasCoverage: true });
  const { nodeArgs } = probe;
  return withSide(run, { name: 'files', stack: run.stack, links: LINKS, nodeArgs }, (side) =>
    withServices(run, { visited: { nodeArgs } }, async ({ visited }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const url = `${visited.url}${linkPaths(0, 1)[0] ?? ''}`;
      const [worker = 0] = visited.workerPids();
      const visit = await functionsOf(run, () => visitOnce(url, agent), {
        take: () => probe.ask(worker, 'functions'),
        afterMs: 0,
      });
      agent.destroy();
      const patch = await functionsOf(run, (round) => renameLink(side, round), {
        take: () => probe.ask(side.management.pid, 'functions'),
        afterMs: AFTER_MS,
      });
      const found = { visit: byFile(visit), PATCH: byFile(patch) };
      const limited = (name: keyof typeof found, most: number) => {
        const files = found[name].length;
        return goal(files <= most, `${name}: ${files} files (goal: ${most})`);
      };
      return {
        tables: Object.entries(found).map(([name, rows]) => ({
          title: `${name}: ${rows.length} files`,
          head: ['file', 'functions', 'calls'],
          rows: rows.map(({ file, functions, calls }) => [file, `${functions}`, `${calls}`]),
        })),
        notes: [limited('visit', VISIT_FILES_MAX), limited('PATCH', PATCH_FILES_MAX)],
        figures: found,
      };
    }),
  );
}

async function visitOnce(url: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: BROWSER_HEADERS }, (res) => {
      res.resume().once('end', resolve);
    }).once('error', reject);
  });
}

/** Functions called by one warm `act`, without those that also run while the process is idle. */
async function functionsOf(
  { sizes, signal }: StackRun<Sizes>,
  act: (round: number) => Promise<unknown>,
  { take, afterMs }: { take: () => Promise<readonly CalledFunction[]>; afterMs: number },
): Promise<readonly CalledFunction[]> {
  for (let round = 0; round < sizes.warmUps; round += 1) await act(round);
  await sleep(AFTER_MS, undefined, { signal });
  await take();
  await sleep(IDLE_MS, undefined, { signal });
  const background = new Set((await take()).map(({ file, name }) => `${file} ${name}`));
  await act(sizes.warmUps);
  // Renews idle connections and caches; the next one is warm.
  await sleep(AFTER_MS, undefined, { signal });
  await take();
  await act(sizes.warmUps + 1);
  if (afterMs > 0) await sleep(afterMs, undefined, { signal });
  return (await take()).filter(({ file, name }) => !background.has(`${file} ${name}`));
}

function byFile(functions: readonly CalledFunction[]) {
  const files = new Map<string, { functions: number; calls: number }>();
  for (const { file, calls } of functions) {
    const before = files.get(file) ?? { functions: 0, calls: 0 };
    files.set(file, { functions: before.functions + 1, calls: before.calls + calls });
  }
  return [...files]
    .map(([file, counts]) => ({ file, ...counts }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

await runBench<Sizes>({
  name: 'files',
  help: `npm run bench -- files

Source files of the project with a function that one warm visit to a Url link and one PATCH of its name call, by V8's
precise coverage. Functions that also run while the process is idle are left out. --rounds and --seconds have no effect.`,
  whole: { warmUps: 200 },
  smoke: { warmUps: 20 },
  secondsDefault: 1,
  isLinuxOnly: true,
  measure: (run) => withStack(run, measureFiles, { isPinned: false }),
});
