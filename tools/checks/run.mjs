// `npm test`: all checks of the project, then a summary. With `--full` (`npm run verify:full`) trials run at full size, and
// the files named *.full.test.ts, the load test and the typed lint rules for tests and tools are added.
// A failed check does not stop the others, so that one run shows all failures. Two lanes run in parallel, because tests
// wait as much as they compute; checks that only read sources have a lower priority.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SLOWEST_SHOWN = 10;
const bin = (name) => path.join(ROOT, 'node_modules', name);

// Tests that take samples read it; FUZZ_CASES and similar variables override it.
if (process.argv.includes('--full')) process.env.SMARTLINK_TEST_SIZE ??= 'full';
const isFull = process.env.SMARTLINK_TEST_SIZE === 'full';

const reports = mkdtempSync(path.join(tmpdir(), 'smartlink-test-'));
// Results of the reliability trials, one per line.
const figures = path.join(reports, 'figures.jsonl');
// A line per missing tool, by reportSkip of tools/test-support.
const skips = path.join(reports, 'skips.txt');
writeFileSync(skips, '');

const FORMAT = { title: 'format', argv: [bin('oxfmt/bin/oxfmt'), '--check'], isLowPriority: true };
const TYPES = { title: 'types', argv: [bin('typescript-native/bin/tsc'), '-b'] };
// Its rules read the types of built packages.
const LINT = { title: 'lint', argv: [bin('oxlint/bin/oxlint')], after: TYPES, isLowPriority: true };
const DEPENDENCY_RULE = {
  title: 'dependency rule',
  argv: [path.join(ROOT, 'tools/checks/dependency-rule.mjs')],
  isLowPriority: true,
};
const UNIT_TESTS = { title: 'unit tests', vitestProject: 'unit' };
const INTEGRATION_TESTS = { title: 'integration tests', vitestProject: 'integration', needs: TYPES };
const RELIABILITY = {
  title: 'reliability',
  argv: [path.join(ROOT, 'tools/chaos/dist/main.js'), '--check', figures],
  needs: TYPES,
};
// Small: it checks that every visit is accounted for, not the speed. Skipped when k6 cannot be built in time.
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

// Output of the first lane is shown live; that of the second between two checks of the first.
const LANES = [
  [TYPES, INTEGRATION_TESTS, RELIABILITY],
  [UNIT_TESTS, FORMAT, DEPENDENCY_RULE, LINT, ...(isFull ? [LOAD_TEST] : [])],
];

const testFiles = [];
const total = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = new Set();
const running = new Set();
const heldOutput = [];
let isStopped = false;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });
}

await Promise.all(LANES.map((lane, index) => runLane(lane, index === 0)));
printHeldOutput();
printSummary();
rmSync(reports, { recursive: true, force: true });

async function runLane(lane, isLive) {
  const print = (text) => (isLive ? process.stdout.write(text) : heldOutput.push(text));
  for (const check of lane) {
    await (check.after ?? check.needs)?.ended;
    if (isStopped) break;
    const startedAt = performance.now();
    check.ended = runCheck(check, print, isLive);
    const result = await check.ended;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    for (const key of Object.keys(total)) total[key] += result[key];
    if (result.failed > 0) failedChecks.add(check.title);
    print(`${result.failed === 0 ? '✓' : '✗'} ${check.title}, ${seconds} s\n\n`);
    if (isLive) printHeldOutput();
  }
}

function printHeldOutput() {
  for (const text of heldOutput.splice(0)) process.stdout.write(text);
}

function printSummary() {
  if (testFiles.length > 0) console.log('Slowest test files:');
  const slowest = testFiles.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const files = testFiles.filter(({ skipped }) => skipped > 0);
  const reasons = new Set([
    ...readFileSync(skips, 'utf8').split('\n'),
    ...files.map(({ name, skipped }) => `${skipped} tests of ${name}`),
  ]);
  reasons.delete('');
  if (reasons.size > 0) console.log('Skipped:');
  for (const reason of reasons) console.log(`  ${reason}`);
  if (failedChecks.size > 0) console.log(`Failed: ${[...failedChecks].join(', ')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  if (total.failed > 0) process.exitCode = 1;
}

async function runCheck(check, print, isLive) {
  if (check.needs && failedChecks.has(check.needs.title)) {
    print(`${check.title} not run: ${check.needs.title} failed\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  if (check.onlyIf) {
    let text = '';
    const code = await run({ argv: check.onlyIf }, (output) => (text = output), false);
    print(text);
    if (code !== 0) {
      appendFileSync(skips, `${check.title}: ${text.trim().split('\n').at(-1)}\n`);
      return { passed: 0, failed: 0, skipped: 1 };
    }
  }
  if (!check.vitestProject) {
    const code = await run(check, print, isLive);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  const report = path.join(reports, `${check.vitestProject}.json`);
  const argv = [
    ...[bin('vitest/vitest.mjs'), 'run', '--project', check.vitestProject],
    ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report],
  ];
  return readVitestReport(report, await run({ argv }, print, isLive));
}

/** A failed run without a failed test (a file that did not load, a leaked handle) counts as one failure. */
function readVitestReport(report, code) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const isSkipped = ({ status }) => ['pending', 'skipped', 'todo'].includes(status);
    for (const { name, startTime, endTime, assertionResults } of result.testResults) {
      testFiles.push({
        name: path.relative(ROOT, name),
        seconds: (endTime - startTime) / 1000,
        skipped: assertionResults.filter(isSkipped).length,
      });
    }
    const failed = result.numFailedTests;
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Exit code of a program. Output that is not live is printed when it ends. */
async function run({ argv, env, isLowPriority }, print, isLive) {
  const output = isLive ? 'inherit' : 'pipe';
  // A low priority that still lets it end before the other lane does.
  const command = [...(isLowPriority ? ['nice', '-n', '8'] : []), process.execPath, ...argv];
  const child = spawn(command[0], command.slice(1), {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      SMARTLINK_FIGURES: figures,
      SMARTLINK_SKIPS: skips,
      // Integration tests wait for TYPES and need not build.
      SMARTLINK_IS_BUILT: 'true',
      ...env,
    },
  });
  running.add(child);
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (ended) => resolve(ended ?? 1));
  });
  running.delete(child);
  if (chunks.length > 0) print(Buffer.concat(chunks).toString());
  return code;
}
