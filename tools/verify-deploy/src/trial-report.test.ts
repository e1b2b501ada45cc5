import { expect, test } from 'vitest';
import { judgeTrial } from './trial-report.js';
import type { TrialReport } from './trial-report.js';

const FILES = ['tools/one.int.test.ts', 'tools/two.int.test.ts'];

const resultOf = (file: string, status = 'passed', message = '') => ({
  name: `/checkout/${file}`,
  message,
  assertionResults: [{ status, title: `${file} does what it should`, failureMessages: ['no\nat 1'] }],
});

function reportOf(testResults: TrialReport['testResults']): TrialReport {
  const count = (wanted: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted)
      .length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    testResults,
  };
}

const judge = (report: TrialReport | null, code: number | null = 0) =>
  judgeTrial({ report, code, words: 'last words', files: FILES });

test('a run whose files were all run, and which ended well, held', () => {
  const report = reportOf(FILES.map((file) => resultOf(file)));
  expect(judge(report)).toEqual({ kind: 'held', figure: '2 tests passed' });
});

test('a run that ended badly failed, though each of its tests passed', () => {
  const report = reportOf(FILES.map((file) => resultOf(file)));
  expect(judge(report, 1)).toEqual({ kind: 'failed', problems: ['vitest ended with 1: last words'] });
  expect(judge(report, null)).toMatchObject({ kind: 'failed' });
});

test('a file that no test came of is named, whether or not others were run', () => {
  const one = reportOf([resultOf('tools/one.int.test.ts')]);
  expect(judge(one)).toEqual({
    kind: 'failed',
    problems: ['tools/two.int.test.ts was not run: there is no such test'],
  });
  expect(judge(reportOf([]), 1)).toMatchObject({
    problems: [expect.stringContaining('one.int'), expect.stringContaining('two.int')],
  });
});

test('a test that failed is named, and so is a file that could not be loaded', () => {
  const report = reportOf([
    resultOf('tools/one.int.test.ts', 'failed'),
    { name: '/checkout/tools/two.int.test.ts', message: 'cannot be read\nat line 1', assertionResults: [] },
  ]);
  expect(judge(report, 1)).toEqual({
    kind: 'failed',
    problems: ['cannot be read at line 1', 'tools/one.int.test.ts does what it should: no'],
  });
});

test('a run without a report failed, and one that skipped every test is skipped', () => {
  expect(judge(null)).toEqual({ kind: 'failed', problems: ['vitest wrote no report: last words'] });
  const report = reportOf(FILES.map((file) => resultOf(file, 'pending')));
  expect(judge(report)).toEqual({ kind: 'skipped', reason: 'all 2 of its tests were skipped' });
});
