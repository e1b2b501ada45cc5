import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres } from '@smartlink/migrate/migrate';
import type { Child } from '../child.js';
import { startPostgres } from './start-postgres.js';
import type { RunningPostgres } from './start-postgres.js';
import { startReplica } from './start-replica.js';

export type PostgresPair = {
  /** Migrated. */
  readonly primary: RunningPostgres;
  readonly replica: RunningPostgres;
  /** Stops both and removes what they wrote. */
  readonly close: () => Promise<void>;
};

/** Starts a primary and a streaming replica of it, for trials. The caller closes them. Rejects with StackError. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-pair-'));
  const homes = new Set([folder]);
  const children: Child[] = [];
  const close = async (): Promise<void> => {
    for (const child of children.toReversed()) if (!child.hasExited()) await child.stop();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  };
  const password = randomBytes(18).toString('base64url');
  const room = (name: string) => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    return {
      dataDir,
      dataId: `${randomBytes(6).toString('hex')}-${name}`,
      logFile: join(folder, `${name}.log`),
      password,
      report: () => undefined,
      onStart: (child: Child) => {
        children.push(child);
      },
    };
  };
  try {
    const primary = await startPostgres({ ...room('primary'), durable: false });
    homes.add(primary.home);
    await migratePostgres({ databaseUrl: primary.databaseUrl });
    const replica = await startReplica({ ...room('replica'), primary, slot: 'replica' });
    homes.add(replica.home);
    return { primary, replica, close };
  } catch (err) {
    await close();
    throw err;
  }
}
