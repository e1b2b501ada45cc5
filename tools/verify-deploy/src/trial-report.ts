import { readFileSync } from 'node:fs';
import type { Outcome } from './check.js';

/** What vitest's reporter `json` writes, as far as it is looked at. */
export type TrialReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    /** The file's whole path. */
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** Returns the report, or null when there is none, or a part of one only. */
export function readTrialReport(file: string): TrialReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TrialReport;
  } catch {
    return null;
  }
}

/**
 * Judges a run of vitest over `files`, by their paths in the checkout. `words` is what it printed, of which the end is shown
 * where nothing else says why the run failed: an unhandled rejection fails it without failing a test.
 */
export function judgeTrial(run: {
  readonly report: TrialReport | null;
  readonly code: number | null;
  readonly words: string;
  readonly files: readonly string[];
}): Outcome {
  const { report, code, files } = run;
  const words = run.words.trim().slice(-1_000);
  if (report === null) return { kind: 'failed', problems: [`vitest wrote no report: ${words}`] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report;
  const missing = files
    .filter((file) => !testResults.some(({ name }) => name.endsWith(`/${file}`)))
    .map((file) => `${file} was not run: there is no such test`);
  const broken = testResults
    .filter(({ message }) => message !== '')
    .map(({ message }) => message.split('\n', 3).join(' '));
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages: [why = ''] }) => `${title}: ${why.split('\n', 1)[0] ?? ''}`),
  );
  const problems = [...missing, ...broken, ...failed];
  if (problems.length > 0) return { kind: 'failed', problems };
  if (code !== 0 || numFailedTests > 0)
    return { kind: 'failed', problems: [`vitest ended with ${code ?? 'a signal'}: ${words}`] };
  if (numPassedTests === 0)
    return { kind: 'skipped', reason: `all ${numPendingTests} of its tests were skipped` };
  const skipped = numPendingTests === 0 ? '' : `, ${numPendingTests} skipped`;
  return { kind: 'held', figure: `${numPassedTests} tests passed${skipped}` };
}
