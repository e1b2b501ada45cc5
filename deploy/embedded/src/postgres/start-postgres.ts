import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { lastLines, startChild } from '../child.js';
import type { Child } from '../child.js';
import { freePort } from '../ports.js';
import { processStart } from '../process-identity.js';
import { StackError } from '../stack-error.js';
import { postgresAccount } from './account.js';
import type { Account } from './account.js';
import { findPostgresBinaries } from './binaries.js';
import { placePostgres } from './place.js';
import type { PostgresPlace } from './place.js';

export type PostgresOptions = {
  readonly dataDir: string;
  readonly dataId: string;
  readonly logFile: string;
  readonly password: string;
  /** False for data that may be lost with the machine, as in tests: nothing waits for the disk. */
  readonly durable: boolean;
  readonly report: (line: string) => void;
  /** Called with each process as soon as it runs, so that a killed launcher's successor can find it. */
  readonly onStart: (child: Child) => void;
};

export type RunningPostgres = { readonly child: Child; readonly databaseUrl: string; readonly home: string };

const USER = 'smartlink';
const DATABASE = 'smartlink';
const INITDB_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 60_000;
const START_ATTEMPTS_MAX = 3;
const POLL_MS = 50;
/** SIGINT is Postgres' fast shutdown: it ends sessions and writes a checkpoint, which a busy disk can slow down. */
const STOP_GRACE_MS = 30_000;

/**
 * Starts Postgres on a free port of the loopback address, making its cluster on the first start, and waits until it
 * answers. The caller stops `child`. Throws StackError when it cannot run here; the message holds its last words.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const account = postgresAccount();
  const place = placePostgres({ ...options, account, binaries: findPostgresBinaries() });
  const cluster = join(place.home, 'cluster');
  if (!existsSync(cluster)) await createCluster(options, place, cluster, account);
  return runCluster(options, place, cluster, account);
}

/** As startPostgres, of a cluster that is there. */
export async function runCluster(
  options: Pick<PostgresOptions, 'logFile' | 'password' | 'durable' | 'onStart'>,
  place: PostgresPlace,
  cluster: string,
  account: Account | null,
): Promise<RunningPostgres> {
  requireSameMajor(cluster, place.binaries.version);
  removeStalePidFile(cluster);
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryStart(options, place, cluster, account);
    if (started) return { ...started, home: place.home };
    if (attempt === START_ATTEMPTS_MAX) {
      throw new StackError(
        `Postgres did not start; ${options.logFile} ends with:\n${lastLines(options.logFile, 10)}`,
      );
    }
    await sleep(500);
  }
}

async function createCluster(
  options: PostgresOptions,
  place: PostgresPlace,
  cluster: string,
  account: Account | null,
): Promise<void> {
  // Made under another name and renamed when complete, so that a killed first start leaves nothing half made.
  const draft = `${cluster}.new`;
  const passwordFile = join(place.home, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  try {
    const child = await startChild({
      name: 'initdb',
      command: place.binaries.initdb,
      args: [
        `--pgdata=${draft}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        // Upper and lower case of every alphabet, without any locale of the system.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      env: postgresEnv(),
      logFile: options.logFile,
      account,
      stopSignal: 'SIGINT',
      graceMs: 1_000,
    });
    const timer = setTimeout(() => void child.stop(), INITDB_TIMEOUT_MS);
    const ended = await child.exited;
    clearTimeout(timer);
    if (ended !== 'exit code 0') {
      throw new StackError(`Postgres could not make its cluster (${ended}):\n${child.lastLines(10)}`);
    }
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Returns null when it ended by itself: the port may have been taken meanwhile, or an old process still ends. */
async function tryStart(
  options: Pick<PostgresOptions, 'logFile' | 'password' | 'durable' | 'onStart'>,
  place: PostgresPlace,
  cluster: string,
  account: Account | null,
): Promise<Omit<RunningPostgres, 'home'> | null> {
  const port = await freePort();
  const settings = { ...SETTINGS, port, ...(options.durable ? {} : VOLATILE_SETTINGS) };
  const child = await startChild({
    name: 'postgres',
    command: place.binaries.postgres,
    args: ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: postgresEnv(),
    logFile: options.logFile,
    account,
    stopSignal: 'SIGINT',
    graceMs: STOP_GRACE_MS,
  });
  options.onStart(child);
  const address = (database: string) =>
    `postgres://${USER}:${options.password}@127.0.0.1:${port}/${database}`;
  try {
    if (!(await waitUntilReady(child, address('postgres')))) return null;
    return { child, databaseUrl: address(DATABASE) };
  } catch (err) {
    await child.stop();
    throw err;
  }
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
};

const VOLATILE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

// Only what it needs: a locale of the environment that the system does not have would stop initdb.
function postgresEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

async function waitUntilReady(child: Child, databaseUrl: string): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.hasExited()) return false;
    try {
      await ensureDatabase(databaseUrl);
      return true;
    } catch (err) {
      const code = (err as { code?: string }).code ?? '';
      if (code === '28P01') {
        throw new StackError('The embedded Postgres does not accept the password kept in the data folder.');
      }
      if (Date.now() > deadline) {
        throw new StackError(
          `Postgres did not answer within ${READY_TIMEOUT_MS / 1000} s (${code || String(err)}).`,
        );
      }
    }
    await sleep(POLL_MS);
  }
}

async function ensureDatabase(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function requireSameMajor(cluster: string, version: string): void {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version.startsWith(`${major}.`)) return;
  throw new StackError(
    `${cluster} was made by Postgres ${major}, the installed one is ${version}: start the old version of Smartlink and move the data with pg_dump.`,
  );
}

// After a crash the file names a process number that may belong to anybody by now, most of all in a container, and
// Postgres would then refuse to start. Our own lock on the data folder says that no Postgres of ours runs.
function removeStalePidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (processStart(pid) === null || commandOf(pid) !== 'postgres') rmSync(file, { force: true });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // Without /proc nothing is known about it, so the file stays and Postgres decides.
    return 'postgres';
  }
}
