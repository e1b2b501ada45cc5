// `npm test`: every check of the project, and one closing line over all of them.
// A check that fails does not stop the others, so that one run shows everything; only tests of processes need a build.
// Checks that use one core run beside each other, in lanes: half a minute less on two cores.
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
};
const TYPES = { title: 'types', argv: [bin('typescript/bin/tsc'), '-b'] };
const LINT = {
  title: 'lint',
  argv: [bin('eslint/bin/eslint.js'), '--cache', '--cache-location', 'node_modules/.cache/eslint', '.'],
};
const DEPENDENCY_RULE = {
  title: 'dependency rule',
  argv: [path.join(ROOT, 'tools/checks/dependency-rule.mjs')],
};
const UNIT_TESTS = { title: 'unit tests', vitestProject: 'unit' };
const INTEGRATION_TESTS = { title: 'integration tests', vitestProject: 'integration', needs: 'types' };
// What a test that failed above held is named here, so this does not need them to pass.
const CONFORMANCE = {
  title: 'API conformance',
  argv: [
    path.join(ROOT, 'tools/checks/dist/conformance/main.js'),
    'check',
    ...[reportOf('unit'), reportOf('integration')],
  ],
  needs: 'types',
};
const RELIABILITY = {
  title: 'reliability',
  argv: [path.join(ROOT, 'tools/chaos/dist/check.js'), figures],
  needs: 'types',
};

// Small, so that it is over in three quarters of a minute: whether the account balances is what it tells, not how fast
// anything is. Building k6 would take longer than all of the rest.
const LOADTEST = path.join(ROOT, 'loadtest/dist/main.js');
const LOAD_TEST = {
  title: 'load test',
  argv: [
    ...[LOADTEST, 'mixed', '--target=', '--user-agents=', '--reports-dir', reports],
    ...['--links', '2000', '--rate', '200', '--duration-seconds', '30'],
    ...['--p99-ms', '10000', '--dropped-percent', '50'],
  ],
  onlyIf: [LOADTEST, '--has-k6'],
  needs: 'types',
};

// One stage after another; the lanes of a stage at once; the checks of a lane one after another.
const STAGES = [
  [[TYPES], [FORMAT]],
  [[LINT, DEPENDENCY_RULE], [UNIT_TESTS]],
  [[INTEGRATION_TESTS]],
  [[CONFORMANCE, RELIABILITY]],
  [[LOAD_TEST]],
];

const total = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = new Set();
const running = new Set();
let isStopped = false;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });
}

for (const lanes of STAGES) {
  // What several checks say at once is told check by check.
  const isAlone = lanes.length === 1;
  await Promise.all(
    lanes.map(async (lane) => {
      for (const check of lane) if (!isStopped) await runAndTell(check, isAlone);
    }),
  );
}
rmSync(reports, { recursive: true, force: true });

if (failedChecks.size > 0) console.log(`Failed: ${[...failedChecks].join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (total.failed > 0) process.exitCode = 1;

async function runAndTell(check, isAlone) {
  const startedAt = performance.now();
  const result = await runCheck(check, isAlone);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  if (result.failed > 0) failedChecks.add(check.title);
  console.log(`${result.failed === 0 ? '✓' : '✗'} ${check.title}, ${seconds} s\n`);
}

async function runCheck(check, isAlone) {
  if (check.needs && failedChecks.has(check.needs)) {
    console.log(`${check.title} not run: ${check.needs} failed`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // The program itself says why not.
  if (check.onlyIf && !isStopped && (await run(check.onlyIf, isAlone)) !== 0) {
    return { passed: 0, failed: 0, skipped: 1 };
  }
  if (!check.vitestProject) {
    const code = await run(check.argv, isAlone);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  const report = reportOf(check.vitestProject);
  const code = await run(
    [
      bin('vitest/vitest.mjs'),
      'run',
      ...['--project', check.vitestProject],
      ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report],
    ],
    isAlone,
  );
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

/** Runs a program and returns its exit code. One that is not alone is heard when it has ended. */
async function run(argv, isAlone) {
  const output = isAlone ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, argv, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: { ...process.env, SMARTLINK_FIGURES: figures },
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
  process.stdout.write(Buffer.concat(said));
  return code;
}
