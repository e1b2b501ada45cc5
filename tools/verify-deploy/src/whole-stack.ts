import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { launch } from '@smartlink/embedded/launcher';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { readRunningStack } from '@smartlink/embedded/running-stack';
import type { RunningStack } from '@smartlink/embedded/running-stack';
import type { CheckContext } from './check.js';

export type WholeStack = RunningStack & {
  /** The folder that the commands find it by, as SMARTLINK_DATA_DIR. */
  readonly dataDir: string;
  /** Stops the services, then the engines. Safe to call again. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts what `npm start` does, on free ports, in the check's own folder, and waits until it is ready. `env` is added to
 * the services' environment. The caller stops it.
 */
export async function startWholeStack(
  { root, folder, signal }: CheckContext,
  env: Readonly<Record<string, string>> = {},
): Promise<WholeStack> {
  const dataDir = path.join(folder, 'stack');
  mkdirSync(dataDir, { recursive: true });
  const running = await launch({
    config: launcherConfigSchema.parse({
      SMARTLINK_DATA_DIR: dataDir,
      MANAGEMENT_PORT: '0',
      REDIRECT_PORT: '0',
      METRICS_PORT: '0',
    }),
    env: { ...process.env, ...env },
    root,
    report: () => undefined,
    signal,
  });
  try {
    return { ...readRunningStack(dataDir), dataDir, stop: running.stop };
  } catch (err) {
    await running.stop();
    throw err;
  }
}
