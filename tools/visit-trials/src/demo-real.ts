import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { SingleBar } from 'cli-progress';
import {
  createSmartlinkClient,
  isSmartlinkError,
  type Smartlink,
  type SmartlinkClient,
} from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/data-folder';
import { planVisits, type PlannedVisit } from './plan-visits.js';
import { runTrial, visit } from './trial.js';

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
const [urlsFile, userAgentsFile] = [path.join(folder, 'urls.txt'), path.join(folder, 'user-agents.tsv')];
const missing = [urlsFile, userAgentsFile].find((file) => !existsSync(file));
if (missing === undefined || process.argv.includes('--help')) await runTrial(HELP, runDemo);
else console.log(`Skipped: ${missing} does not exist. Name a folder with the lists by --data FOLDER.`);

async function runDemo(stack: RunningStack): Promise<void> {
  const addresses = readLines(urlsFile);
  const userAgentRows = readLines(userAgentsFile).filter((row) => !row.startsWith('#'));
  const userAgents = userAgentRows.map((row) => row.split('\t').at(-1) ?? '');

  const email = `demo-real-${Date.now()}@example.com`;
  const argv = [ADMIN, 'users', 'create', '--account', email, '--plan', 'Enterprise', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  const api = createSmartlinkClient({
    baseUrl: stack.managementUrl,
    apiKey: (JSON.parse(stdout) as { apiKey: string }).apiKey,
    // Thousands of creates reach the rate limit, and the client waits.
    timeoutMs: 30_000,
    deadlineMs: 600_000,
    retries: 10,
  });
  const { visits, unsendable } = planVisits(addresses.length, userAgents);
  const faults: string[] = [];
  /** By index of the address. */
  const links = new Map<number, Visited>();
  await inParallel('Creating links', addresses, async (url, index) => {
    try {
      const configuration = { smartlinkName: `Address ${index + 1}`, smartlinkType: 'Url' } as const;
      const { data: link } = await api.smartlinks.create({ configuration, shortener: { url } });
      links.set(index, { link, sent: { clicks: 0, scans: 0, bots: 0 } });
    } catch (err) {
      if (!isSmartlinkError(err) || err.kind !== 'api') throw err;
      faults.push(`${url} was refused: ${err.message}`);
    }
  });
  await inParallel('Visiting', visits, async ({ address, userAgent, kind, isScan }) => {
    const visited = links.get(address);
    if (visited === undefined) return;
    const { relink, configuration } = visited.link;
    const url = isScan ? relink.replace(/\/[^/]+$/, `/q/${configuration.smartlinkUrl}`) : relink;
    const { status } = await visit(url, userAgent);
    if (status === 302) visited.sent[kind] += 1;
    else faults.push(`${url} was answered ${status}`);
  });
  const all = [...links.values()];
  const sum = (kind: PlannedVisit['kind']) => all.reduce((total, { sent }) => total + sent[kind], 0);
  console.log(
    `${all.length} links of ${addresses.length} addresses; ${sum('clicks')} clicks, ${sum('scans')} scans, ` +
      `${sum('bots')} visits by bots; ${unsendable} User-Agents cannot be sent as a header`,
  );
  faults.push(...(await compareLinks(api, all)));
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  ${fault}`);
  console.log(
    faults.length === 0 ? 'Every counted visit was counted exactly once.' : `${faults.length} differences.`,
  );
  console.log(`The links remain; npm run admin -- users delete --account ${email} --yes removes them.`);
  if (faults.length > 0) process.exitCode = 1;
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

type Visited = { readonly link: Smartlink; readonly sent: Record<PlannedVisit['kind'], number> };

/** Compares until analytics agrees on all links, or the limit has passed; returns the differences, one line each. */
async function compareLinks(api: SmartlinkClient, links: readonly Visited[]): Promise<readonly string[]> {
  const startedAt = performance.now();
  let differing = links;
  for (;;) {
    const differences = new Map<Visited, string>();
    await inParallel('Comparing', differing, async (visited) => {
      const { totalClicks, totalQrCodeScans, excluded } = (await api.analytics.get(visited.link.id)).data;
      const counted = { clicks: totalClicks, scans: totalQrCodeScans, bots: excluded['bot'] ?? 0 };
      if (isDeepStrictEqual(counted, visited.sent)) return;
      const [sent, found] = [JSON.stringify(visited.sent), JSON.stringify(counted)];
      differences.set(visited, `${visited.link.relink}: sent ${sent}, counted ${found}`);
    });
    const elapsedMs = performance.now() - startedAt;
    if (differences.size === 0)
      console.log(`Analytics agreed ${(elapsedMs / 1000).toFixed(1)} s after the last visit`);
    if (differences.size === 0 || elapsedMs > COUNTED_LIMIT_MS) return [...differences.values()];
    differing = [...differences.keys()];
  }
}

async function inParallel<Item>(
  title: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const format = `${title.padEnd(15)} {bar} {value}/{total}  {duration_formatted}`;
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 5_000, hideCursor: true });
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
