import { withRollupLock } from '@smartlink/visit-analytics/rollup-lock';
import type { HoldsLock } from '@smartlink/visit-analytics/rollup-lock';
import { Problem } from './problem.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

/**
 * Runs `work` while no rollup runs and none begins; says so when it has to wait for one, which takes minutes at most.
 * Throws Problem when the lock was lost meanwhile: what a rollup has written then may be from before.
 */
export async function withoutRollups(
  terminal: Terminal,
  { addresses }: Session,
  work: () => Promise<void>,
): Promise<void> {
  const run = async (holdsLock: HoldsLock) => {
    await work();
    if (!(await holdsLock()))
      throw new Problem('Postgres went away meanwhile, and a rollup may have run: do it again.');
    return 'done' as const;
  };
  if ((await withRollupLock(addresses.databaseUrl, run)) !== null) return;
  terminal.stderr('Visits are being rolled up: waiting until that is done.\n');
  await withRollupLock(addresses.databaseUrl, run, { wait: true });
}
