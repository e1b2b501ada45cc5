import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Client } from 'pg';
import type { Child } from '@smartlink/embedded/child';
import { placePostgres, runCluster, type RunningPostgres, startPostgres } from '@smartlink/embedded/postgres';
import { migratePostgres } from '@smartlink/migrate/migrate';

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;

/** A migrated primary and a streaming replica. The caller closes them. Rejects with StackError. */
export async function startPostgresPair() {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-pair-'));
  const homes = new Set([folder]);
  const children: Child[] = [];
  /** Stops both and removes their files. */
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

/**
 * Starts a streaming replica of a running primary on a free loopback port, from a copy of its files. `dataDir` must be
 * empty. The caller stops `child`; the primary keeps its log while it has the slot. Throws StackError.
 */
async function startReplica(
  options: Parameters<typeof placePostgres>[0] &
    Omit<Parameters<typeof startPostgres>[0], 'durable'> & { primary: RunningPostgres; slot: string },
): Promise<RunningPostgres> {
  const { primary, slot } = options;
  const place = placePostgres(options);
  const { account } = place;
  const cluster = join(place.home, 'cluster');
  await copyCluster(primary, slot, cluster);
  const { hostname, port, username, password } = new URL(primary.databaseUrl);
  const access = { host: hostname, port, user: username, password: decodeURIComponent(password) };
  const primaryInfo = Object.entries(access).map(([name, value]) => `${name}=${value}`);
  // A file that only its owner can read: arguments are visible to all.
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${primaryInfo.join(' ')}'\nprimary_slot_name = '${slot}'\n`,
  );
  writeFileSync(join(cluster, 'standby.signal'), '', { mode: 0o600 });
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
  return runCluster({ ...options, durable: false }, place, cluster);
}

// Files of the running primary, and its log, which is streamed.
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_replslot']);

/** Base backup: the files of a running cluster, copied between pg_backup_start and pg_backup_stop. */
async function copyCluster(primary: RunningPostgres, slot: string, cluster: string): Promise<void> {
  const source = join(primary.home, 'cluster');
  // A backup is bound to its connection.
  const client = new Client({ connectionString: primary.databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_create_physical_replication_slot($1, true)', [slot]);
    await client.query(`select pg_backup_start('replica', fast => true)`);
    rmSync(cluster, { recursive: true, force: true });
    cpSync(source, cluster, {
      recursive: true,
      filter: (file) => {
        const path = relative(source, file);
        return !NOT_COPIED.has(path) && !/^pg_wal[/\\]/.test(path);
      },
    });
    for (const folder of ['pg_replslot', 'pg_wal/archive_status', 'pg_wal/summaries']) {
      mkdirSync(join(cluster, folder), { recursive: true, mode: 0o700 });
    }
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    const [label] = rows as { labelfile: string }[];
    writeFileSync(join(cluster, 'backup_label'), label?.labelfile ?? '', { mode: 0o600 });
  } finally {
    await client.end();
  }
}
