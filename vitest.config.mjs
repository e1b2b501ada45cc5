import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

// Libraries are read from their sources (`source` condition), so a test never runs against a stale build.
const resolve = { conditions: ['source', 'node', 'development|production'] };
const ssr = { resolve };

// `npm run verify:full`: every trial at its full size, and the files named *.full.test.ts beside the others.
const isFull = process.env.SMARTLINK_TEST_SIZE === 'full';
const integration = '{libs,services,clients,dashboard,deploy,tools}/**/test/**';

// Files that take long, the longest first. Workers begin with them: one that is begun last keeps a worker busy
// while the others have nothing left to do.
const LONG_FILES = [
  'browser-pages',
  'dashboard',
  'xss',
  'events-service',
  'launcher',
  'failures',
  'webhooks-fairness',
  'redis-groups',
  'large-links',
  'unlock',
  'rolling-restart',
  'hostile-resources',
  'browser-menus',
  'lifecycle',
  'fuzz',
  'rollups',
  'purge',
  'upgrade',
  'rotation',
  'regions',
  'migrate-command',
  'postgres-replica',
  'events-shipping',
  'events-crash',
  'bulk',
  'changes',
  'changes-api',
  'browser-visits',
  'real-input',
  'api-reference',
  'process',
  'stack',
  'hostile-texts',
].flatMap((name) => [`/${name}.int.test.ts`, `/${name}.full.test.ts`]);

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => {
      const place = LONG_FILES.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? LONG_FILES.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// `isolate: false`: a worker keeps what it has loaded and compiled for its next file. That saves a quarter of a second of
// processor time a unit test file and 0.4 s an integration test file. In return a file takes its spies back and closes
// what it opened.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          isolate: false,
          // A limit against hanging, for a busy machine too: some tests draw pictures or hash passwords.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
          include: [
            '{libs,services,clients,dashboard,deploy,tools}/**/src/**/*.test.ts',
            'loadtest/{src,scenarios}/**/*.test.{ts,js}',
            'libs/*/test/*.test.ts',
            'dashboard/test/styles.test.ts',
            'services/redirect/test/visit/*.test.ts',
          ],
          exclude: ['**/dist/**', '**/node_modules/**'],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'integration',
          // After the unit tests, when one run has both.
          sequence: { groupOrder: 1 },
          include: [`${integration}/*.int.test.ts`, ...(isFull ? [`${integration}/*.full.test.ts`] : [])],
          exclude: ['**/dist/**', '**/node_modules/**'],
          setupFiles: ['tools/test-support/src/end-with-runner.ts'],
          globalSetup: [
            'deploy/embedded/test/start-test-stack.ts',
            'tools/test-support/src/find-chromium.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Files wait as much as they compute.
          maxWorkers: 3,
          isolate: false,
        },
      },
    ],
  },
});
