// `npm test`: all checks of the project, then a summary. With `--full` (`npm run verify:full`) trials run at full size, and
// the files named *.full.test.ts and the load test are added.
// A failed check does not stop the others, so that one run shows all failures. Two lanes run in parallel, because tests
// wait as much as they compute; checks that only read sources have a lower priority.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SLOWEST_SHOWN = 10;

// Tests that take samples read it; FUZZ_CASES and similar variables override it.
if (process.argv.includes('--full')) process.env.SMARTLINK_TEST_SIZE ??= 'full';
const isFull = process.env.SMARTLINK_TEST_SIZE === 'full';

const reports = mkdtempSync(path.join(tmpdir(), 'smartlink-test-'));
// Results of the reliability trials, one per line.
const figures = path.join(reports, 'figures.jsonl');
// A line per missing tool, by reportSkip of tools/test-support.
const skips = path.join(reports, 'skips.txt');
writeFileSync(skips, '');

// `argv` is a program in the project with its arguments.
const FORMAT = { title: 'format', argv: ['node_modules/oxfmt/bin/oxfmt', '--check'], isLowPriority: true };
const TYPES = { title: 'types', argv: ['node_modules/typescript-native/bin/tsc', '-b'] };
// Its rules read the types of built packages. Their program is written in Go, whose collector otherwise takes a sixth of the
// processor time.
const LINT = {
  title: 'lint',
  argv: ['node_modules/oxlint/bin/oxlint'],
  env: { GOGC: '200', GOMEMLIMIT: '2GiB' },
  needs: TYPES,
  isLowPriority: true,
};
const IMPORTS = { title: 'dependency rule', argv: ['tools/checks/dependency-rule.mjs'], isLowPriority: true };
const UNIT_TESTS = vitestCheck('unit');
const INTEGRATION_TESTS = { ...vitestCheck('integration'), needs: TYPES };
const RELIABILITY = {
  title: 'reliability',
  argv: ['tools/chaos/dist/main.js', '--check', figures],
  needs: TYPES,
};
// Checks the account of visits, not the speed. Skipped if k6 cannot be built in time.
const LOAD_TEST = {
  title: 'load test',
  argv: [
    ...['loadtest/dist/main.js', 'mixed', '--target=', '--user-agents='],
    ...['--links', '2000', '--rate', '200', '--duration-seconds', '30'],
    ...['--p99-ms', '10000', '--dropped-percent', '50'],
  ],
  onlyIf: ['loadtest/dist/main.js', '--prepare', '--within', '330'],
  needs: TYPES,
};

// Output of the first lane is shown live; that of the second between two checks of the first.
const LANES = [
  [TYPES, INTEGRATION_TESTS, RELIABILITY],
  [UNIT_TESTS, FORMAT, IMPORTS, LINT, ...(isFull ? [LOAD_TEST] : [])],
];

const testFiles = [];
const failedTests = [];
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

function vitestCheck(project) {
  const report = path.join(reports, `${project}.json`);
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report];
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters];
  return { title: `${project} tests`, argv, report };
}

async function runLane(lane, isLive) {
  const print = (text) => (isLive ? process.stdout.write(text) : heldOutput.push(text));
  for (const check of lane) {
    await check.needs?.ended;
    if (isStopped) break;
    const startedAt = performance.now();
    check.ended = runCheck(check, print, isLive);
    const result = await check.ended;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    for (const key of Object.keys(total)) total[key] += result[key] ?? 0;
    if (result.failed > 0) failedChecks.add(check.title);
    print(`${result.failed > 0 ? '✗' : '✓'} ${check.title}, ${seconds} s\n\n`);
    if (isLive) printHeldOutput();
  }
}

function printHeldOutput() {
  for (const text of heldOutput.splice(0)) process.stdout.write(text);
}

function printSummary() {
  const slowest = testFiles.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  if (slowest.length > 0) console.log('Slowest test files:');
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const reasons = [
    ...new Set(readFileSync(skips, 'utf8').split('\n')),
    ...testFiles.map(({ name, skipped }) => (skipped > 0 ? `${skipped} tests of ${name}` : '')),
  ].filter((reason) => reason !== '');
  if (reasons.length > 0) console.log(['Skipped:', ...reasons].join('\n  '));
  if (failedChecks.size > 0) console.log(`Failed: ${[...failedChecks].join(', ')}`);
  for (const test of failedTests) console.log(`  ${test}`);
  const cpuSeconds = countCpuSeconds();
  if (cpuSeconds !== null) console.log(`Processor time: ${cpuSeconds.toFixed(0)} s`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  if (total.failed > 0) process.exitCode = 1;
}

/** Of this process and of all that have ended below it; null without /proc. */
function countCpuSeconds() {
  if (!existsSync('/proc/self/stat')) return null;
  // After the name, which may contain spaces: utime, stime, cutime and cstime in hundredths of a second (proc(5)).
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
}

async function runCheck(check, print, isLive) {
  if (failedChecks.has(check.needs?.title)) {
    print(`${check.title} not run: ${check.needs.title} failed\n`);
    return { failed: 1 };
  }
  if (check.onlyIf) {
    const { code, output } = await run(check.onlyIf, check, false);
    print(output);
    if (code !== 0) {
      appendFileSync(skips, `${check.title}: ${output.trim().split('\n').at(-1)}\n`);
      return { skipped: 1 };
    }
  }
  const { code, output } = await run(check.argv, check, isLive);
  print(output);
  if (check.report) return readVitestReport(check.report, code);
  return code === 0 ? { passed: 1 } : { failed: 1 };
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
      for (const { status, fullName } of assertionResults) {
        if (status === 'failed') failedTests.push(`${path.relative(ROOT, name)}: ${fullName}`);
      }
    }
    const failed = result.numFailedTests;
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { failed: 1 };
  }
}

/** Runs a program; its exit code, and its output unless that is live. */
async function run([program, ...argv], { isLowPriority, env = {} }, isLive) {
  const stdio = isLive ? 'inherit' : 'pipe';
  // A low priority that still lets it end before the other lane does.
  const nice = isLowPriority ? ['nice', '-n', '8'] : [];
  const [command, ...rest] = [...nice, process.execPath, path.join(ROOT, program), ...argv];
  const child = spawn(command, rest, {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
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
  return { code, output: Buffer.concat(chunks).toString() };
}
