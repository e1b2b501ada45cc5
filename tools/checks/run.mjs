// `npm test`: every check of the project, one after another, and one closing line over all of them.
// A check that fails does not stop the others, so that one run shows everything; only tests of processes need a build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const reports = mkdtempSync(path.join(tmpdir(), 'smartlink-test-'));
// What the trials of promises have shown, a line each.
const figures = path.join(reports, 'figures.jsonl');
const bin = (name) => path.join(ROOT, 'node_modules', name);

const CHECKS = [
  { title: 'format', argv: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'] },
  { title: 'types', argv: [bin('typescript/bin/tsc'), '-b'] },
  {
    title: 'lint',
    argv: [bin('eslint/bin/eslint.js'), '--cache', '--cache-location', 'node_modules/.cache/eslint', '.'],
  },
  { title: 'dependency rule', argv: [path.join(ROOT, 'tools/checks/dependency-rule.mjs')] },
  { title: 'unit tests', vitestProject: 'unit' },
  { title: 'integration tests', vitestProject: 'integration', needs: 'types' },
  // What a test that failed above held is named here, so this does not need them to pass.
  {
    title: 'API conformance',
    argv: [
      path.join(ROOT, 'tools/checks/dist/conformance/main.js'),
      'check',
      ...[reportOf('unit'), reportOf('integration')],
    ],
    needs: 'types',
  },
  {
    title: 'reliability',
    argv: [path.join(ROOT, 'tools/chaos/dist/check.js'), figures],
    needs: 'types',
  },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = new Set();
let running = null;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    running?.kill(signal);
    process.exitCode = 1;
    CHECKS.length = 0;
  });
}

for (const check of [...CHECKS]) {
  if (CHECKS.length === 0) break;
  const startedAt = performance.now();
  const result = await runCheck(check);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  if (result.failed > 0) failedChecks.add(check.title);
  console.log(`${result.failed === 0 ? '✓' : '✗'} ${check.title}, ${seconds} s\n`);
}
rmSync(reports, { recursive: true, force: true });

if (failedChecks.size > 0) console.log(`Failed: ${[...failedChecks].join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (total.failed > 0) process.exitCode = 1;

async function runCheck(check) {
  if (check.needs && failedChecks.has(check.needs)) {
    console.log(`${check.title} not run: ${check.needs} failed`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  if (!check.vitestProject) {
    const code = await run(check.argv);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  const report = reportOf(check.vitestProject);
  const code = await run([
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

function run(argv) {
  return new Promise((resolve) => {
    running = spawn(process.execPath, argv, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, SMARTLINK_FIGURES: figures },
    });
    running.once('error', () => resolve(1));
    running.once('exit', (code) => resolve(code ?? 1));
  });
}
