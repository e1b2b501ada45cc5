// `npm run loadtest -- <scenario>`: finds k6, makes the links, runs the scenario against the running stack, prints a
// summary, and then the account: what k6 saw counted must be what analytics counted, to the one.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSmartlinkClient } from '../clients/typescript/dist/client.js';
import { readRunningStack } from '../deploy/embedded/dist/running-stack.js';
import { StackError } from '../deploy/embedded/dist/stack-error.js';
import { until } from '../tools/visit-trials/dist/until.js';

const K6_VERSION = 'v1.8.1';
const LINKS = 10;
const COUNTED_LIMIT_MS = 30_000;
const FOLDER = import.meta.dirname;
const SCENARIOS = readdirSync(path.join(FOLDER, 'scenarios')).map((file) => path.basename(file, '.js'));

const HELP = `npm run loadtest -- SCENARIO

Scenarios: ${SCENARIOS.join(', ')}. Runs against the stack that \`npm start\` has brought up.
Environment: RATE (visits a second, 500), DURATION_SECONDS (10, at most 600).
k6 is taken from PATH, else built once by Go (go install go.k6.io/k6@${K6_VERSION}).`;

const scenario = process.argv[2];
if (scenario === undefined || scenario === '--help' || !SCENARIOS.includes(scenario)) {
  if (scenario !== '--help')
    console.error(scenario ? `There is no scenario ${scenario}.\n` : 'Name a scenario.\n');
  console.log(HELP);
  process.exit(scenario === '--help' ? 0 : 2);
}
try {
  process.exitCode = await runScenario(scenario);
} catch (err) {
  if (!(err instanceof StackError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}

async function runScenario(name) {
  const stack = readRunningStack(process.env.SMARTLINK_DATA_DIR ?? '.data');
  const k6 = await findK6();
  if (k6 === null) return 1;
  const api = createSmartlinkClient({ baseUrl: stack.managementUrl, apiKey: stack.demoKey });
  const reports = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-'));
  const summaryFile = path.join(reports, 'summary.json');
  const links = [];
  try {
    for (let i = 0; i < LINKS; i += 1) {
      const url = `https://example.org/loadtest/${i}`;
      const { data } = await api.smartlinks.create({
        configuration: { smartlinkName: `Load test ${i}`, smartlinkType: 'Url' },
        shortener: { url },
      });
      links.push({ ...data, url });
    }
    const exitCode = await runK6(k6, name, links, summaryFile);
    const visits = printSummary(JSON.parse(readFileSync(summaryFile, 'utf8')));
    return (await printAccount(api, links, visits)) ? exitCode : 1;
  } finally {
    await Promise.allSettled(links.map((link) => api.smartlinks.remove(link.id)));
    rmSync(reports, { recursive: true, force: true });
  }
}

/** Returns the path of k6, building it with Go when PATH has none; null, with the reason printed, where it cannot be had. */
async function findK6() {
  if (spawnSync('k6', ['version']).status === 0) return 'k6';
  const folder = path.join(FOLDER, '../node_modules/.cache', `k6-${K6_VERSION}`);
  const built = path.join(folder, 'k6');
  if (existsSync(built)) return built;
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      'Skipped: neither k6 nor Go is in PATH. Install k6: https://grafana.com/docs/k6/latest/set-up/install-k6/',
    );
    return null;
  }
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  console.error(`Building k6 ${K6_VERSION} with Go, once; this takes some minutes …`);
  const progress = setInterval(() => console.error(`Building k6 … ${seconds()} s`), 10_000);
  const failure = await build(folder);
  clearInterval(progress);
  if (failure === null) return built;
  console.error(`Skipped: Go could not build k6: ${failure}`);
  return null;
}

/** Returns null when Go has built k6 into `folder`, else the last of its words. */
function build(folder) {
  const child = spawn('go', ['install', `go.k6.io/k6@${K6_VERSION}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-2_000)));
  return new Promise((resolve) => {
    child.once('error', (err) => resolve(err.message));
    child.once('close', (code) => resolve(code === 0 ? null : words.trim().split('\n').at(-1)));
  });
}

function runK6(k6, name, links, summaryFile) {
  const duration = Math.min(600, Number(process.env.DURATION_SECONDS ?? 10));
  const env = {
    ...process.env,
    RATE: String(Number(process.env.RATE ?? 500)),
    DURATION_SECONDS: String(duration),
    SUMMARY_FILE: summaryFile,
    LINKS: JSON.stringify(links.map(({ relink, url }) => ({ relink, url }))),
    K6_NO_USAGE_REPORT: 'true',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(k6, ['run', path.join(FOLDER, 'scenarios', `${name}.js`)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Prints the figures that matter and returns how many visits k6 saw answered as they should be. */
function printSummary({ metrics }) {
  const { med, 'p(95)': p95, 'p(99)': p99, max } = metrics.http_req_duration.values;
  const row = [med, p95, p99, max].map((ms) => `${ms.toFixed(2)} ms`);
  const { count, rate } = metrics.http_reqs.values;
  console.log(
    `\n${count} visits at ${rate.toFixed(0)}/s; median ${row[0]}, p95 ${row[1]}, p99 ${row[2]}, longest ${row[3]}`,
  );
  for (const [metric, { thresholds }] of Object.entries(metrics)) {
    for (const [rule, { ok }] of Object.entries(thresholds ?? {}))
      console.log(`${ok ? '✓' : '✗'} ${metric} ${rule}`);
  }
  return metrics.counted_visits?.values.count ?? 0;
}

async function printAccount(api, links, visits) {
  const ids = new Set(links.map((link) => link.id));
  let counted = 0;
  await until('The account', COUNTED_LIMIT_MS, async () => {
    const { data } = await api.smartlinks.list();
    counted = data
      .filter((link) => ids.has(link.id))
      .reduce((sum, link) => sum + link.analytics.totalClicks, 0);
    return counted >= visits ? counted : null;
  }).catch(() => null);
  const balances = counted === visits;
  console.log(
    `${balances ? '✓' : '✗'} account: k6 saw ${visits} counted visits, analytics counts ${counted}`,
  );
  return balances;
}
