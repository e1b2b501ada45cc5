import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DECISIONS } from './decisions.js';
import { findProblems } from './find-problems.js';
import { renderCount, renderPage } from './render-page.js';
import { SPECIFICATION } from './specification.js';
import { notYet, testsIn } from './statement.js';
import type { Statement } from './statement.js';
import { readOutcomes } from './test-outcomes.js';

const tests = testsIn('services/x/test/x.int.test.ts');
const part = (statements: Record<string, Statement>) => ({
  title: 'P',
  sections: [{ title: 'S', statements }],
});
const ran = (...outcomes: [name: string, passed: boolean][]) =>
  new Map([['services/x/test/x.int.test.ts', outcomes.map(([name, passed]) => ({ name, passed }))]]);

test('a statement is held by a test that passed, by a table of them, or marked as not yet built', () => {
  const parts = [
    part({
      one: ['x', tests('is one')],
      two: ['x', tests('a table of …'), tests('is one')],
      three: ['x', notYet('nobody needs it')],
    }),
  ];
  const outcomes = ran(['is one', true], ['a table of 1', true], ['a table of 2', true], ['fails', false]);
  expect(findProblems(parts, outcomes)).toEqual([]);
});

test.each<[string, Statement, string]>([
  ['a test that is gone', ['x', tests('is two')], '“is two” does not exist'],
  ['a beginning of a name without its mark', ['x', tests('is')], '“is” does not exist'],
  ['a table that is gone', ['x', tests('a row of …')], '“a row of …” does not exist'],
  ['a test that failed or was skipped', ['x', tests('fails')], '“fails” did not pass'],
  ['a table with one failure', ['x', tests('a table …')], '“a table …” did not pass: 1 of 2 tests'],
  ['a file that was not run', ['x', testsIn('y.test.ts')('is one')], 'was not run'],
  ['no test', ['x'], 'no test holds it'],
])('%s is a problem', (_name, statement, problem) => {
  const outcomes = ran(['is one', true], ['fails', false], ['a table of 1', true], ['a table of 2', false]);
  const found = findProblems([part({ id: statement })], outcomes);
  expect(found).toEqual([expect.stringContaining(problem)]);
  expect(found[0]).toMatch(/^id: /);
});

test('an id that is used twice is a problem', () => {
  const parts = [part({ id: ['x', notYet('')] }), part({ id: ['x', notYet('')] })];
  expect(findProblems(parts, ran())).toEqual(['id: the id is used twice']);
});

test('reads the reports of vitest together, with paths from the root', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-reports-'));
  const write = (name: string, file: string, status: string) => {
    const assertionResults = [{ fullName: 'is one', status, title: 'one' }];
    writeFileSync(
      path.join(folder, name),
      JSON.stringify({ testResults: [{ name: path.join(folder, file), assertionResults }] }),
    );
    return path.join(folder, name);
  };
  try {
    const reports = [write('a.json', 'a/b.test.ts', 'passed'), write('b.json', 'c.test.ts', 'skipped')];
    expect([...readOutcomes(folder, reports)]).toEqual([
      ['a/b.test.ts', [{ name: 'is one', passed: true }]],
      ['c.test.ts', [{ name: 'is one', passed: false }]],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page shows every statement with what holds it, and no text of ours as markup', () => {
  const page = renderPage([part({ one: ['a|b <i>', tests('*_x_ …')], two: ['c', notYet('later')] })]);
  expect(page).toContain(
    '| `one` | a\\|b \\<i\\> | [x](../services/x/test/x.int.test.ts): \\*\\_x\\_ … |\n| `two` | c | _Not yet_: later |',
  );
  expect(page).toContain('2 statements: 1 held by 1 tests or tables of tests in 1 files, 1 not yet.');
});

test('each statement is one line, and there are hundreds', () => {
  const sections = [SPECIFICATION, DECISIONS].flatMap((known) => known.sections);
  const statements = sections.flatMap((section) => Object.values(section.statements));
  for (const [text] of statements) expect(text).toMatch(/^[^\n]{4,}$/);
  expect(renderCount([SPECIFICATION, DECISIONS])).toMatch(/^\d{3} statements/);
});
