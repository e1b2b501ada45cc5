// `npm test`: every check of the project, and one closing line over all of them.
// A check that fails does not stop the others, so that one run shows everything; only tests of processes need a build.
// Two lanes run beside each other, so that both of two cores always have something to do: tests wait as much as they
// work. What only reads the sources steps back for them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const reports = mkdtempSync(path.join(tmpdir(), 'smartlink-test-'));
// What the trials of promises have shown, a line each.
const figures = path.join(reports, 'figures.jsonl');
const bin = (name) => path.join(ROOT, 'node_modules', name);

const FORMAT = {
  title: 'format',
  argv: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  stepsBack: true,
};
const TYPES = { title: 'types', argv: [bin('typescript/bin/tsc'), '-b'] };
const LINT = {
  title: 'lint',
  argv: [bin('eslint/bin/eslint.js'), '--cache', '--cache-location', 'node_modules/.cache/eslint', '.'],
  // Its rules ask for types, of packages as they were built.
  after: TYPES,
  stepsBack: true,
};
const DEPENDENCY_RULE = {
  title: 'dependency rule',
  argv: [path.join(ROOT, 'tools/checks/dependency-rule.mjs')],
  stepsBack: true,
};
const UNIT_TESTS = { title: 'unit tests', vitestProject: 'unit' };
const INTEGRATION_TESTS = { title: 'integration tests', vitestProject: 'integration', needs: TYPES };
// What a test that failed above held is named here, so this does not need them to pass.
const CONFORMANCE = {
  title: 'API conformance',
  argv: [
    path.join(ROOT, 'tools/checks/dist/conformance/main.js'),
    'check',
    ...[reportOf('unit'), reportOf('integration')],
  ],
  needs: TYPES,
};
const RELIABILITY = {
  title: 'reliability',
  argv: [path.join(ROOT, 'tools/chaos/dist/check.js'), figures],
  needs: TYPES,
};

// Small, so that it is over in three quarters of a minute: whether the account balances is what it tells, not how fast
// anything is. Building k6 would take longer than all of the rest.
const LOADTEST = path.join(ROOT, 'loadtest/dist/main.js');
const LOAD_TEST = {
  title: 'load test',
  argv: [
    ...[LOADTEST, 'mixed', '--target=', '--user-agents='],
    ...['--links', '2000', '--rate', '200', '--duration-seconds', '30'],
    ...['--p99-ms', '10000', '--dropped-percent', '50'],
  ],
  onlyIf: [LOADTEST, '--prepare', '--within', '330'],
  needs: TYPES,
};

// The lanes at once; the checks of a lane one after another. The first is shown as it goes on, and what the others say
// is told whenever it is between two checks.
const LANES = [
  [TYPES, UNIT_TESTS, INTEGRATION_TESTS, CONFORMANCE, RELIABILITY],
  [FORMAT, DEPENDENCY_RULE, LINT, LOAD_TEST],
];

const total = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = new Set();
const running = new Set();
const untold = [];
let isStopped = false;
let endTypes;
TYPES.ended = new Promise((resolve) => (endTypes = resolve));

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });
}

await Promise.all(
  LANES.map(async (lane, index) => {
    const isShown = index === 0;
    for (const check of lane) {
      if (isStopped) break;
      await runAndTell(check, isShown);
      if (check === TYPES) endTypes();
      if (isShown) tellUntold();
    }
    // Stopped before it came to its end: nobody is to wait for it.
    if (isShown) endTypes();
  }),
);
tellUntold();
rmSync(reports, { recursive: true, force: true });

if (failedChecks.size > 0) console.log(`Failed: ${[...failedChecks].join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (total.failed > 0) process.exitCode = 1;

async function runAndTell(check, isShown) {
  const before = check.after ?? check.needs;
  if (before) await before.ended;
  // While it waited.
  if (isStopped) return;
  const startedAt = performance.now();
  const told = [];
  const tell = (text) => (isShown ? process.stdout.write(text) : told.push(text));
  const result = await runCheck(check, tell, isShown);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  if (result.failed > 0) failedChecks.add(check.title);
  tell(`${result.failed === 0 ? '✓' : '✗'} ${check.title}, ${seconds} s\n\n`);
  untold.push(...told);
}

function tellUntold() {
  for (const text of untold.splice(0)) process.stdout.write(text);
}

async function runCheck(check, tell, isShown) {
  if (check.needs && failedChecks.has(check.needs.title)) {
    tell(`${check.title} not run: ${check.needs.title} failed\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const runHere = (argv) => run(argv, { tell, isShown, stepsBack: check.stepsBack });
  // The program itself says why not.
  if (check.onlyIf && !isStopped && (await runHere(check.onlyIf)) !== 0) {
    return { passed: 0, failed: 0, skipped: 1 };
  }
  if (!check.vitestProject) {
    const code = await runHere(check.argv);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  const report = reportOf(check.vitestProject);
  const code = await runHere([
    bin('vitest/vitest.mjs'),
    'run',
    ...['--project', check.vitestProject],
    ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report],
  ]);
  return readVitestReport(report, code);
}

function reportOf(vitestProject) {
  return path.join(reports, `${vitestProject}.json`);
}

/** A run that ended badly without a failed test (a file that did not load, a leaked handle) counts as one failure. */
function readVitestReport(report, code) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const failed = result.numFailedTests;
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Runs a program and returns its exit code. What is not shown as it goes on is told when it has ended. */
async function run(argv, { tell, isShown, stepsBack }) {
  const output = isShown ? 'inherit' : 'pipe';
  // Not so far that it ends last, when one of two cores would have nothing else to do.
  const command = [...(stepsBack ? ['nice', '-n', '8'] : []), process.execPath, ...argv];
  const child = spawn(command[0], command.slice(1), {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    // Tests start what TYPES has built.
    env: { ...process.env, SMARTLINK_FIGURES: figures, SMARTLINK_IS_BUILT: 'true' },
  });
  running.add(child);
  const said = [];
  child.stdout?.on('data', (chunk) => said.push(chunk));
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (ended) => resolve(ended ?? 1));
  });
  running.delete(child);
  if (said.length > 0) tell(Buffer.concat(said).toString());
  return code;
}
