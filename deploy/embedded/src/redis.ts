import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRedis, whenReady } from '@smartlink/links/redis';
import { type Child, type EngineOptions, runProgram, startOnFreePort } from './child.js';
import { StackError } from './stack-error.js';

export type RunningRedis = { readonly child: Child; readonly redisUrl: string };

const STOP_GRACE_MS = 10_000;
const ANSWER_TIMEOUT_MS = 2_000;
const EXTERNAL_TIMEOUT_MS = 5_000;
const APT_TIMEOUT_MS = 600_000;

/**
 * Starts redis-server (or valkey-server) on a free port of the loopback address and waits until it answers. The
 * caller stops `child`. Throws StackError when the program is missing or ends; the message says what to do.
 */
export async function startRedis(
  options: Pick<EngineOptions, 'dataDir' | 'logFile' | 'password' | 'port' | 'report' | 'onStart'>,
): Promise<RunningRedis> {
  const command = await findRedis(options.report);
  const folder = join(options.dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const configFile = join(folder, 'redis.conf');
  const urlOf = (port: number) => `redis://:${options.password}@127.0.0.1:${port}`;
  const { child, port } = await startOnFreePort(
    (freePort) => {
      writeFileSync(configFile, configuration(freePort, options.password, folder), { mode: 0o600 });
      return {
        name: 'redis',
        command,
        args: [configFile],
        env: { PATH: process.env['PATH'], TZ: 'UTC' },
        logFile: options.logFile,
        stopSignal: 'SIGTERM',
        graceMs: STOP_GRACE_MS,
      };
    },
    (usedPort) => ping(urlOf(usedPort), ANSWER_TIMEOUT_MS),
    options,
  );
  return { child, redisUrl: urlOf(port) };
}

// A file that only its owner can read holds the password: every user can read arguments.
function configuration(port: number, password: string, folder: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'daemonize no',
    'supervised no',
    'appendonly no',
    // Nothing is persisted: snapshots on disk may be older than those published later.
    'save ""',
    'maxmemory 512mb',
    'maxmemory-policy volatile-lru',
    '',
  ].join('\n');
}

/** Throws StackError when an external Redis, or group of them, does not answer or refuses the login. */
export async function requireRedis(redisUrl: string): Promise<void> {
  try {
    await ping(redisUrl, EXTERNAL_TIMEOUT_MS);
  } catch {
    throw new StackError('Redis does not answer, or refuses this user and password: check REDIS_URL.');
  }
}

// Refused connections are expected here.
const SILENT = { info: () => undefined, warn: () => undefined };

async function ping(redisUrl: string, limitMs: number): Promise<void> {
  const redis = openRedis({ url: redisUrl, log: SILENT, commandTimeoutMs: limitMs });
  try {
    await whenReady(redis, limitMs);
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

/**
 * Path of redis-server or valkey-server. As root on Debian or Ubuntu, apt-get installs a missing one. Throws StackError
 * with the command to run.
 */
export async function findRedis(report: (line: string) => void): Promise<string> {
  const system = process.platform === 'darwin' ? 'darwin' : readSystems();
  if (findProgram() === '' && DEBIAN.test(system) && process.getuid?.() === 0) {
    report('Installing redis-server with apt-get, once');
    await installByApt();
  }
  const program = findProgram();
  if (program !== '') return program;
  const [, hint = ''] = INSTALL_HINTS.find(([pattern]) => pattern.test(system)) ?? [];
  throw new StackError(
    `redis-server and valkey-server are not installed: ${hint}, or set REDIS_URL to a running Redis.`,
  );
}

function findProgram(): string {
  const script = 'command -v redis-server || command -v valkey-server';
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.trim();
}

const DEBIAN = /\b(?:debian|ubuntu)\b/;
const INSTALL_HINTS: readonly (readonly [system: RegExp, hint: string])[] = [
  [DEBIAN, 'run "sudo apt-get install -y redis-server"'],
  [/\b(?:fedora|rhel)\b/, 'run "sudo dnf install -y valkey"'],
  [/\balpine\b/, 'run "sudo apk add redis"'],
  [/\bdarwin\b/, 'run "brew install redis"'],
  [/(?:)/, 'install Redis 7 or newer with your package manager'],
];

/** Names of this system and of those it derives from. */
function readSystems(): string {
  if (!existsSync('/etc/os-release')) return '';
  const text = readFileSync('/etc/os-release', 'utf8');
  return [...text.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].map(([, list = '']) => list).join(' ');
}

// Packages of Debian start their service on installation unless policy-rc.d exits with 101. Only the program is needed
// here.
const POLICY = '/usr/sbin/policy-rc.d';
const POLICY_TEXT =
  '#!/bin/sh\n# Written by the Smartlink launcher while it installs redis-server; remove it when nothing is being installed.\nexit 101\n';

async function installByApt(): Promise<void> {
  // A killed launcher may have left its file behind, which its text identifies.
  const ours = !existsSync(POLICY) || readFileSync(POLICY, 'utf8') === POLICY_TEXT;
  if (ours) writeFileSync(POLICY, POLICY_TEXT, { mode: 0o755 });
  // Out of reach of Ctrl-C, which would leave a half-installed package.
  const failure = await runProgram('sh', ['-c', APT_SCRIPT], {
    timeout: APT_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (ours) rmSync(POLICY, { force: true });
  if (failure === null) return;
  const reason = failure.split('\n').at(-1) ?? '';
  throw new StackError(
    `apt-get could not install redis-server (${reason}): install it by hand, or set REDIS_URL.`,
  );
}

// A fresh machine or container often has no package lists. systemd would start the service at the next boot.
const APT_SCRIPT = `
install() { apt-get -o DPkg::Lock::Timeout=60 install --yes --no-install-recommends redis-server; }
install || { apt-get -o DPkg::Lock::Timeout=60 update && install; } || exit
systemctl disable redis-server 2>/dev/null || true`;
