import { spawnSync } from 'node:child_process';
import { StackError } from '../stack-error.js';

export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

const ACCOUNT_NAME = 'smartlink';

/**
 * Returns the account that Postgres runs as, or null for our own. Postgres refuses to run as root, so for root a
 * system account is made on the first start; where that cannot be done, `nobody` takes its place.
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const existing = findAccount(ACCOUNT_NAME);
  if (existing) return existing;
  const shell = '/usr/sbin/nologin';
  spawnSync('useradd', [
    '--system',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    shell,
    ACCOUNT_NAME,
  ]);
  const account = findAccount(ACCOUNT_NAME) ?? findAccount('nobody');
  if (!account) {
    throw new StackError(
      'Postgres does not run as root and no account could be made for it: start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

/** Runs a program as the account and returns whether it succeeded. */
export function succeedsAs(account: Account, command: string, args: readonly string[]): boolean {
  const result = spawnSync(command, args, { cwd: '/', uid: account.uid, gid: account.gid, stdio: 'ignore' });
  return result.status === 0;
}

function findAccount(name: string): Account | null {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return null;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
