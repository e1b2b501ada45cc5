import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';

export type TrialRun = {
  /** Whether every test of the file passed. */
  readonly ended: Promise<boolean>;
  readonly stop: () => void;
};

/** Runs one test file alone, with engines of its own, its output on ours. `figures` is the file it adds its lines to. */
export function runTrial(
  root: string,
  file: string,
  settings: { readonly figures: string; readonly size: 'short' | 'full' },
): TrialRun {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const argv = [vitest, 'run', '--project', 'integration', '--maxWorkers=1', file];
  const { SMARTLINK_TEST_SIZE: _inherited, ...env } = process.env;
  const child: ChildProcess = spawn(process.execPath, argv, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...env,
      SMARTLINK_FIGURES: settings.figures,
      // Nobody else sets it: a trial that is too long for `npm test` asks for it.
      SMARTLINK_CHAOS: 'true',
      ...(settings.size === 'full' ? { SMARTLINK_TEST_SIZE: 'full' } : {}),
    },
  });
  return {
    ended: new Promise((resolve) => {
      child.once('error', () => {
        resolve(false);
      });
      child.once('exit', (code) => {
        resolve(code === 0);
      });
    }),
    stop: () => child.kill('SIGTERM'),
  };
}
