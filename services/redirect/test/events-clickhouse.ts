import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child } from '@smartlink/embedded/child';
import { startClickhouse } from '@smartlink/embedded/start-clickhouse';
import { migrateClickhouse } from '@smartlink/migrate/migrate';

export type OwnClickhouse = {
  /** Changes with every start. */
  readonly clickhouseUrl: () => string;
  /** Kills the process with SIGKILL and waits until it is gone. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Kills it and removes its data. */
  readonly remove: () => Promise<void>;
};

/** Starts a ClickHouse for this test alone, migrated, that may be killed and started again on the same data. */
export async function startOwnClickhouse(): Promise<OwnClickhouse> {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-events-'));
  let child: Child | undefined;
  let url = '';
  const start = async () => {
    const started = await startClickhouse({
      dataDir: folder,
      logFile: join(folder, 'log'),
      password: 'test',
      onStart: (each) => (child = each),
    });
    url = started.clickhouseUrl;
  };
  const kill = async () => {
    child?.process.kill('SIGKILL');
    await child?.exited;
  };
  await start();
  await migrateClickhouse({ clickhouseUrl: url });
  return {
    clickhouseUrl: () => url,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SmallDisk = { readonly folder: string; readonly remove: () => void };

/** Returns a tmpfs of its own of that size, or null, with the reason printed, where it may not be mounted. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/bin/mount')) {
    process.stdout.write('skipped: a small disk can be mounted on Linux as root only\n');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-disk-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mount.status !== 0) {
    rmSync(folder, { recursive: true });
    process.stdout.write(`skipped: a small disk cannot be mounted here: ${mount.stderr.trim()}\n`);
    return null;
  }
  return {
    folder,
    remove: () => {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
