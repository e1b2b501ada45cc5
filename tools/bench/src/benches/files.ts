import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal } from '../figures.js';
import { addAccount, fillLinks, publishLinks, scatteredSlug, type StoredLink } from '../link-data.js';
import { BROWSER_HEADERS } from '../load.js';
import type { CalledFunction } from '../probe.js';
import { defineBench, type Report } from '../program.js';
import { createProbe, startManagement, startRedirect, withServers } from '../servers.js';
import { type StackRun, withStack } from '../stack.js';

type Sizes = { readonly warmUps: number };

const LINKS = 100;
/** Long enough to see every background job but the hourly ones. */
const IDLE_MS = 6_000;
// Publishing follows the answer.
const AFTER_MS = 150;
const VISIT_FILES_MAX = 14;
const PATCH_FILES_MAX = 30;

async function measureFiles(run: StackRun<Sizes>): Promise<Report> {
  const { stack, signal } = run;
  const { userId, apiKey } = await addAccount(stack.pg);
  const links: StoredLink[] = [];
  const range = { from: 0, to: LINKS, signal };
  const onStored = (_count: number, stored: readonly StoredLink[]) => void links.push(...stored);
  await fillLinks(stack.pg, { ...range, owners: [userId], onStored });
  await publishLinks(stack, range);
  const probe = createProbe(run, { hasCoverage: true });
  const { nodeArgs } = probe;
  const starts = {
    management: () => startManagement(run, { nodeArgs }),
    redirect: () => startRedirect(run, 'redirect', { nodeArgs }),
  };
  return withServers(starts, async ({ management, redirect }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [, worker = 0] = redirect.pids();
    const visit = await functionsOf(run, () => visitOnce(`${redirect.url}/${scatteredSlug(0)}`, agent), {
      take: () => probe.ask(worker, 'functions'),
      afterMs: 0,
    });
    agent.destroy();
    const rename = async (round: number) => {
      const link = { id: links[round % LINKS]?.id ?? '', name: `Round ${round}` };
      await renameLink(management.url, apiKey, link);
    };
    const patch = await functionsOf(run, rename, {
      take: () => probe.ask(management.pids()[0], 'functions'),
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
  });
}

async function visitOnce(url: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: BROWSER_HEADERS }, (res) => {
      res.resume().once('end', resolve);
    }).once('error', reject);
  });
}

async function renameLink(
  url: string,
  apiKey: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const response = await fetch(`${url}/api/v1/smartlink`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, configuration: { smartlinkName: name } }),
  });
  const answer = await response.text();
  if (response.status !== 200)
    throw new Error(`The API answered ${response.status}: ${answer.slice(0, 200)}`);
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
  // Idle connections and caches are renewed; the next call is warm.
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

export const files = defineBench<Sizes>({
  name: 'files',
  question: 'source files of the project that a warm visit and a PATCH pass',
  help: `npm run bench -- files

Source files of the project with a function that one warm visit to a Url link and one PATCH of its name call, by V8's
precise coverage. Functions that also run while the process is idle are left out. --rounds and --seconds have no effect.`,
  whole: { warmUps: 200 },
  smoke: { warmUps: 20 },
  needs: 'Linux',
  parts: { files: (run) => withStack(run, { isPinned: false }, measureFiles) },
});
