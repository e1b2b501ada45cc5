import path from 'node:path';
import type { Check } from '../check.js';
import { runProgram } from '../run-program.js';
import { judgeTrial, readTrialReport } from '../trial-report.js';

/** Tests over real engines that a deployment stands on. `npm test` runs them too; here they have the machine to themselves. */
export const TRIALS: readonly Check[] = [
  trial('upgrade', 'a release runs on through the migrations of the next, and starts on its schema', [
    'tools/chaos/test/upgrade.int.test.ts',
  ]),
  trial(
    'clickhouse-shards',
    'on shards of ClickHouse, rows are rolled up, forgotten and dropped where they are',
    ['deploy/embedded/test/clickhouse-shards.int.test.ts'],
  ),
  trial('redis-groups', 'Redis Cluster and Sentinel fail over under visits', [
    'tools/chaos/test/redis-groups.int.test.ts',
  ]),
  trial('rotation', 'logins and secrets are replaced under visits', [
    'services/redirect/test/rotation.int.test.ts',
  ]),
  trial('rolling-restart', 'workers are replaced under visits', [
    'services/redirect/test/rolling-restart.int.test.ts',
  ]),
  trial(
    'postgres-replica',
    'misses are read from a streaming replica, whichever server goes',
    [
      'services/redirect/test/postgres-replica.int.test.ts',
      'services/redirect/test/change-follower.int.test.ts',
    ],
    'full',
  ),
  trial(
    'regions',
    'a region with its own Redis follows every change',
    ['tools/chaos/test/regions.int.test.ts'],
    'full',
  ),
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
      const { code, stdout, stderr } = await runProgram(argv, {
        cwd: root,
        signal,
        env: { SMARTLINK_TEST_SIZE: size },
      });
      return judgeTrial({ report: readTrialReport(output), code, words: stderr || stdout, files });
    },
  };
}
