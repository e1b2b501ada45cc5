import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { SingleBar } from 'cli-progress';
import {
  createSmartlinkClient,
  isSmartlinkError,
  type Smartlink,
  type SmartlinkClient,
} from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/data-folder';
import { planVisits, type VisitPlan } from './real-visits.js';
import { runTrial, until, visit } from './run-trial.js';

const HELP = `Runs the platform on real input: creates a link for each address of a list, visits the links with real User-Agents, and
compares the figures of analytics with the visits sent, link by link.

  npm run demo:real [-- --data FOLDER]

FOLDER contains urls.txt (one address per line) and user-agents.tsv (last column: the User-Agent); default ../shared/data.
Start the stack first, in another terminal: npm start`;

const ADMIN = path.resolve(import.meta.dirname, '../../admin/dist/main.js');
const PARALLEL = 8;
/** Analytics is at most 5 s behind (docs/reliability.md, E9); a busy machine gets more time. */
const COUNTED_LIMIT_MS = 30_000;
const FAULTS_SHOWN = 20;

const flag = process.argv.indexOf('--data');
const folder = path.resolve((flag > 0 ? process.argv[flag + 1] : undefined) ?? '../shared/data');
const files = ['urls.txt', 'user-agents.tsv'].map((name) => path.join(folder, name));
const missing = files.find((file) => !existsSync(file));
if (missing === undefined || process.argv.includes('--help')) await runTrial(HELP, runDemo);
else console.log(`Skipped: ${missing} does not exist. Name a folder with the lists by --data FOLDER.`);

async function runDemo(stack: RunningStack): Promise<void> {
  const [addresses, userAgentRows] = files.map(readLines) as [string[], string[]];
  const userAgents = userAgentRows
    .filter((row) => !row.startsWith('#'))
    .map((row) => row.split('\t').at(-1) ?? '');

  const email = `demo-real-${Date.now()}@example.com`;
  const argv = [ADMIN, 'users', 'create', '--email', email, '--plan', 'Enterprise', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  const api = createSmartlinkClient({
    baseUrl: stack.managementUrl,
    apiKey: (JSON.parse(stdout) as { apiKey: string }).apiKey,
    // Thousands of creates reach the rate limit, and the client waits.
    timeoutMs: 30_000,
    deadlineMs: 600_000,
    retries: 10,
  });
  const faults = await compareRealVisits(api, planVisits(addresses, userAgents));
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  ${fault}`);
  console.log(
    faults.length === 0 ? 'Every counted visit was counted exactly once.' : `${faults.length} differences.`,
  );
  console.log(`The links remain; npm run admin -- users delete ${email} --yes removes them.`);
  if (faults.length > 0) process.exitCode = 1;
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** A link and the visits sent to it. */
type Visited = { readonly link: Smartlink; clicks: number; scans: number; bots: number };

/** Creates a link per address, makes the planned visits and returns the differences in analytics, one line each. */
async function compareRealVisits(api: SmartlinkClient, plan: VisitPlan): Promise<string[]> {
  const faults: string[] = [];
  const links = new Map<number, Visited>();
  await inParallel('Creating links', plan.addresses, async (url, index) => {
    try {
      const configuration = { smartlinkName: `Address ${index + 1}`, smartlinkType: 'Url' } as const;
      const { data: link } = await api.smartlinks.create({ configuration, shortener: { url } });
      links.set(index, { link, clicks: 0, scans: 0, bots: 0 });
    } catch (err) {
      if (!isSmartlinkError(err) || err.kind !== 'api') throw err;
      faults.push(`${url} was refused: ${err.message}`);
    }
  });
  await inParallel('Visiting', plan.visits, async ({ address, userAgent, source, isCounted }) => {
    const visited = links.get(address);
    if (visited === undefined) return;
    const { relink, configuration } = visited.link;
    const url = source === 'scan' ? relink.replace(/\/[^/]+$/, `/q/${configuration.smartlinkUrl}`) : relink;
    const { status } = await visit(url, userAgent);
    if (status !== 302) faults.push(`${url} was answered ${status}`);
    else if (!isCounted) visited.bots += 1;
    else if (source === 'scan') visited.scans += 1;
    else visited.clicks += 1;
  });
  const all = [...links.values()];
  const sum = (key: 'clicks' | 'scans' | 'bots') => all.reduce((total, visited) => total + visited[key], 0);
  console.log(
    `${all.length} links of ${plan.addresses.length} addresses; ${sum('clicks')} clicks, ${sum('scans')} scans, ` +
      `${sum('bots')} visits by bots; ${plan.unsendable} User-Agents cannot be sent as a header`,
  );
  faults.push(...(await compareCounted(api, all)));
  const visitedByBots = all.filter(({ bots }) => bots > 0);
  await inParallel('Comparing bots', visitedByBots, async ({ link, bots }) => {
    const excluded = (await api.analytics.get(link.id)).data.excluded['bot'] ?? 0;
    if (excluded !== bots) faults.push(`${link.relink}: ${bots} visits by bots sent, ${excluded} excluded`);
  });
  return faults;
}

/** Waits until the totals of the list match; returns the differences that remain. */
async function compareCounted(api: SmartlinkClient, links: readonly Visited[]): Promise<readonly string[]> {
  const startedAt = performance.now();
  let differences: string[] = [];
  await until('The figures', COUNTED_LIMIT_MS, async () => {
    const found = new Map((await api.smartlinks.list()).data.map((link) => [link.id, link.analytics]));
    differences = links.flatMap(({ link, clicks, scans }) => {
      const counted = found.get(link.id);
      if (counted?.totalClicks === clicks && counted.totalQrCodeScans === scans) return [];
      return [`${link.relink}: ${clicks} clicks and ${scans} scans sent, counted ${JSON.stringify(counted)}`];
    });
    return differences.length === 0 ? true : null;
  }).catch(() => null);
  if (differences.length === 0) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`Analytics agreed ${seconds} s after the last visit`);
  }
  return differences;
}

async function inParallel<Item>(
  title: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const bar = new SingleBar({
    format: `${title.padEnd(15)} {bar} {value}/{total}  {duration_formatted}`,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
  bar.start(items.length, 0);
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      await work(item, index);
      bar.increment();
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  } finally {
    bar.stop();
  }
}
