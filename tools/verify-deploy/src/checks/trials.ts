import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Check, Outcome } from '../check.js';
import { runProgram } from '../run-program.js';

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
};

/** Tests over real engines that a deployment stands on. `npm test` runs them too; here they have the machine to themselves. */
export const TRIALS: readonly Check[] = [
  trial('redis-groups', 'Redis Cluster and Sentinel fail over under visits', [
    'tools/chaos/test/redis-groups',
  ]),
  trial('rotation', 'logins and secrets are replaced under visits', ['services/redirect/test/rotation']),
  trial('rolling-restart', 'workers are replaced under visits', ['services/redirect/test/rolling-restart']),
  trial(
    'postgres-replica',
    'misses are read from a streaming replica, whichever server goes',
    ['services/redirect/test/postgres-replica', 'services/redirect/test/change-follower'],
    'full',
  ),
  trial('regions', 'a region with its own Redis follows every change', ['tools/chaos/test/regions'], 'full'),
];

function trial(id: string, title: string, files: readonly string[], size: 'short' | 'full' = 'short'): Check {
  return {
    id,
    title,
    async run({ root, folder, report, signal }) {
      report('Starting engines of its own');
      const output = path.join(folder, 'report.json');
      const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
      const options = ['run', '--project', 'integration', '--reporter=json', `--outputFile=${output}`];
      const argv = [process.execPath, vitest, ...options, ...files] as const;
      const { stdout, stderr } = await runProgram(argv, {
        cwd: root,
        signal,
        env: { SMARTLINK_TEST_SIZE: size },
      });
      return outcomeOf(
        readReport(output) ?? `vitest wrote no report: ${(stderr || stdout).trim().slice(-500)}`,
      );
    },
  };
}

function outcomeOf(report: Report | string): Outcome {
  if (typeof report === 'string') return { kind: 'failed', problems: [report] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report;
  const broken = testResults
    .filter(({ message }) => message !== '')
    .map(({ message }) => message.split('\n', 3).join(' '));
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  );
  const problems = [...broken, ...failed];
  if (problems.length > 0 || numFailedTests > 0) return { kind: 'failed', problems };
  if (numPassedTests === 0)
    return { kind: 'skipped', reason: `all ${numPendingTests} of its tests were skipped` };
  const skipped = numPendingTests === 0 ? '' : `, ${numPendingTests} skipped`;
  return { kind: 'held', figure: `${numPassedTests} tests passed${skipped}` };
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
