import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { claimDataFolder, startStack } from '../src/stack.js';
import type { Stack } from '../src/stack.js';
import type {} from '../src/test-databases.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let stack: Stack | undefined;

/** Vitest's global setup of the integration tests: one embedded stack on free ports, in a folder of its own. */
export async function setup(project: TestProject): Promise<void> {
  // The process of the embedded ClickHouse runs from its build. This takes a second when nothing has changed.
  const build = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'deploy/embedded'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (build.status !== 0) throw new Error(`deploy/embedded does not compile:\n${build.stdout}`);
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
