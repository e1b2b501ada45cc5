import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DECISIONS } from './decisions.js';
import { findProblems } from './find-problems.js';
import { renderCount, renderPage } from './render-page.js';
import { SPECIFICATION } from './specification.js';
import { holdersOf } from './statement.js';
import { readOutcomes } from './test-outcomes.js';

// `npm test` calls `check <unit report> <integration report>`; `npm run docs:conformance` calls `write`, with reports or
// without: then it runs the files that are named.
const ROOT = path.resolve(import.meta.dirname, '../../../..');
const PAGE = path.join(ROOT, 'docs/api-conformance.md');
const PARTS = [SPECIFICATION, DECISIONS];

const [command, ...reports] = process.argv.slice(2);
process.exitCode = command === 'write' ? write() : check();

function check(): number {
  const lost = reports.filter((report) => !existsSync(report));
  if (lost.length > 0) return tell(lost.map((report) => `${report}: the run has left no report`));
  const problems = findProblems(PARTS, readOutcomes(ROOT, reports));
  if (readFileSync(PAGE, 'utf8') !== renderPage(PARTS)) {
    problems.push('docs/api-conformance.md is not what its statements make: run npm run docs:conformance');
  }
  return tell(problems);
}

function write(): number {
  const problems = findProblems(PARTS, reports.length > 0 ? readOutcomes(ROOT, reports) : runNamedTests());
  // A page is written only when it is true.
  if (problems.length === 0) writeFileSync(PAGE, renderPage(PARTS));
  return tell(problems);
}

function tell(problems: readonly string[]): number {
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0 ? renderCount(PARTS) : `${problems.length} statements or tests are wrong`,
  );
  return problems.length === 0 ? 0 : 1;
}

function runNamedTests() {
  const sections = PARTS.flatMap((part) => part.sections);
  const statements = sections.flatMap((section) => Object.values(section.statements));
  const files = new Set(
    statements.flatMap((statement) => holdersOf(statement).tests.map(({ file }) => file)),
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-conformance-'));
  try {
    const report = path.join(folder, 'report.json');
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report];
    // A test that fails is told by the report.
    spawnSync(process.execPath, [vitest, 'run', ...files, ...reporters], { cwd: ROOT, stdio: 'inherit' });
    return readOutcomes(ROOT, [report]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
