import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Client } from 'pg';
import type { Child } from '../child.js';
import { postgresAccount } from './account.js';
import { findPostgresBinaries } from './binaries.js';
import { placePostgres } from './place.js';
import { runCluster } from './start-postgres.js';
import type { RunningPostgres } from './start-postgres.js';

/**
 * Starts a streaming replica of an embedded primary on a free port of the loopback address, from a copy of its files that
 * is made while it runs, and waits until it answers. `dataDir` must hold no Postgres yet. The caller stops `child`; the
 * primary keeps its log for it until it has a slot of that name no more. Throws StackError when it cannot run here.
 */
export async function startReplica(options: {
  readonly primary: RunningPostgres;
  readonly password: string;
  readonly dataDir: string;
  readonly dataId: string;
  readonly logFile: string;
  /** Name of its replication slot on the primary: lower case, digits and underscores. */
  readonly slot: string;
  readonly report: (line: string) => void;
  readonly onStart: (child: Child) => void;
}): Promise<RunningPostgres> {
  const { primary, slot } = options;
  const account = postgresAccount();
  const place = placePostgres({ ...options, account, binaries: findPostgresBinaries() });
  const cluster = join(place.home, 'cluster');
  await copyCluster({ primary, slot, cluster });
  const { hostname, port, username, password } = new URL(primary.databaseUrl);
  const access = { host: hostname, port, user: username, password: decodeURIComponent(password) };
  const primaryInfo = Object.entries(access).map(([name, value]) => `${name}=${value}`);
  // In a file that only its owner reads: arguments are for everybody to see.
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${primaryInfo.join(' ')}'\nprimary_slot_name = '${slot}'\n`,
  );
  writeFileSync(join(cluster, 'standby.signal'), '', { mode: 0o600 });
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
  return runCluster({ ...options, durable: false }, place, cluster, account);
}

// What is the running primary's own, and its log, which comes over the wire.
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_replslot']);

/** Copies the files of a running cluster between the marks that make of them a base backup. */
async function copyCluster(options: {
  readonly primary: RunningPostgres;
  readonly slot: string;
  readonly cluster: string;
}): Promise<void> {
  const { primary, slot, cluster } = options;
  const source = join(primary.home, 'cluster');
  // The marks hold as long as the connection that set the first.
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
