import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { succeedsAs } from './account.js';
import type { Account } from './account.js';
import { binariesIn } from './binaries.js';
import type { PostgresBinaries } from './binaries.js';

const FALLBACK_ROOT = '/var/lib/smartlink';

export type PostgresPlace = {
  readonly binaries: PostgresBinaries;
  /** Holds the cluster; owned by the account. */
  readonly home: string;
};

/**
 * Returns where the account can run the binaries and keep data: in place if it can get there, else below
 * /var/lib/smartlink, which happens when a folder above the checkout or the data folder lets only root in. A copy of
 * the binaries is made there once per version. Tells `report` when the data lives outside the data folder.
 */
export function placePostgres(options: {
  binaries: PostgresBinaries;
  account: Account | null;
  dataDir: string;
  dataId: string;
  report: (line: string) => void;
}): PostgresPlace {
  const { account, binaries } = options;
  const home = join(options.dataDir, 'postgres');
  if (!account) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { binaries, home };
  }
  const usable = succeedsAs(account, binaries.postgres, ['--version'])
    ? binaries
    : copyBinaries(binaries, account);
  if (canUse(account, home)) return { binaries: usable, home };
  rmSync(home, { recursive: true, force: true });
  const elsewhere = join(FALLBACK_ROOT, options.dataId);
  makeFallbackRoot();
  if (!canUse(account, elsewhere)) throw new Error(`${account.name} cannot use ${elsewhere}`);
  options.report(`Only root can enter ${options.dataDir}, so Postgres keeps its data in ${elsewhere}`);
  return { binaries: usable, home: elsewhere };
}

function canUse(account: Account, folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, account.uid, account.gid);
  return succeedsAs(account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder]);
}

function copyBinaries(binaries: PostgresBinaries, account: Account): PostgresBinaries {
  const copy = join(FALLBACK_ROOT, `postgres-${binaries.version}`);
  if (!existsSync(copy)) {
    makeFallbackRoot();
    const draft = `${copy}.${process.pid}.new`;
    cpSync(binaries.nativeDir, draft, { recursive: true, verbatimSymlinks: true });
    // Under a umask of 077 the files are for their owner alone.
    spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, draft]);
    renameSync(draft, copy);
  }
  return binariesIn(copy, binaries.version);
}

function makeFallbackRoot(): void {
  mkdirSync(FALLBACK_ROOT, { recursive: true });
  chmodSync(FALLBACK_ROOT, 0o755);
}
