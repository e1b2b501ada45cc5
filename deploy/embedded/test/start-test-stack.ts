import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type {} from '@smartlink/test-support/test-databases';
import { claimDataFolder, type Stack, startStack } from '../src/stack.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

// Programs that tests start as processes, which run from their builds.
const BUILT = [
  'deploy/embedded',
  'services/management',
  'services/redirect',
  'tools/admin',
  'tools/test-support',
];

let stack: Stack | undefined;

/** Vitest's global setup of the integration tests: builds, and one embedded stack on free ports, in a folder of its own. */
export async function setup(project: TestProject): Promise<void> {
  // `npm test` has built everything. Otherwise it takes three seconds if nothing has changed.
  if (process.env['SMARTLINK_IS_BUILT'] !== 'true') build();
  buildDashboard();
  project.onTestsRerun(build);
  const report = () => undefined;
  const dataFolder = await claimDataFolder(mkdtempSync(join(tmpdir(), 'smartlink-test-')), report);
  stack = await startStack({ dataFolder, external: {}, durable: false, report });
  const { databaseUrl, redisUrl, clickhouseUrl } = stack;
  project.provide('stack', { databaseUrl, redisUrl, clickhouseUrl });
}

/** Stops the engines and removes what they wrote. */
export async function teardown(): Promise<void> {
  await stack?.stop();
  for (const folder of stack?.dataDirs ?? []) rmSync(folder, { recursive: true, force: true });
}

function build(): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '-b', ...BUILT],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The programs of the tests do not compile:\n${stdout}`);
}

/** Takes no time when nothing of it has changed. */
function buildDashboard(): void {
  const argv = ['dashboard/build.mjs'];
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The dashboard does not build:\n${stderr}`);
}
