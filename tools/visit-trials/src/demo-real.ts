import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSmartlinkClient } from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/running-stack';
import { createUser } from './create-user.js';
import { planVisits } from './real-visits.js';
import { runTrial } from './run-trial.js';
import { sendRealVisits } from './send-real-visits.js';

const HELP = `Runs the platform on real input: creates a link for each address of a list, visits them with real User-Agents, and
compares what analytics counts with what was sent, link by link.

  npm run demo:real [-- --data FOLDER]

FOLDER holds urls.txt (one address a line) and user-agents.tsv (last column: the User-Agent); ../shared/data by default.
Start the stack first, in another terminal: npm start`;

const flag = process.argv.indexOf('--data');
const folder = path.resolve((flag > 0 ? process.argv[flag + 1] : undefined) ?? '../shared/data');
const files = ['urls.txt', 'user-agents.tsv'].map((name) => path.join(folder, name));
const missing = files.find((file) => !existsSync(file));
if (missing === undefined || process.argv.includes('--help')) await runTrial(HELP, runDemo);
else console.log(`Skipped: ${missing} is not there. Name a folder that holds the lists with --data FOLDER.`);

async function runDemo(stack: RunningStack): Promise<void> {
  const [addresses, userAgentRows] = files.map(readLines) as [string[], string[]];
  const userAgents = userAgentRows
    .filter((row) => !row.startsWith('#'))
    .map((row) => row.split('\t').at(-1) ?? '');

  const email = `demo-real-${Date.now()}@example.com`;
  const apiKey = await createUser(email);
  // Thousands of creates reach the limit of requests a minute, which is then waited out.
  const api = createSmartlinkClient({
    baseUrl: stack.managementUrl,
    apiKey,
    timeoutMs: 30_000,
    deadlineMs: 600_000,
    retries: 10,
  });
  const faults = await sendRealVisits(api, planVisits(addresses, userAgents));
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  console.log(
    faults.length === 0 ? 'Every counted visit was counted exactly once.' : `${faults.length} differences.`,
  );
  console.log(`The links stay, to look at: npm run admin -- users delete ${email} --yes removes them.`);
  if (faults.length > 0) process.exitCode = 1;
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
