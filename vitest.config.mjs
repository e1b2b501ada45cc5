import { defineConfig } from 'vitest/config';

// Libraries are read from their sources (`source` condition), so a test never runs against a stale build.
const resolve = { conditions: ['source', 'module', 'node', 'development|production'] };
const ssr = { resolve };

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['{libs,services,deploy,tools}/**/src/**/*.test.ts'],
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
          include: ['{libs,services,deploy,tools}/**/test/**/*.int.test.ts'],
          exclude: ['**/dist/**', '**/node_modules/**'],
          globalSetup: [
            'deploy/embedded/test/start-test-stack.ts',
            'tools/test-support/src/find-chromium.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
