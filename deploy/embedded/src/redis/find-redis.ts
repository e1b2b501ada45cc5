import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StackError } from '../stack-error.js';

const PROGRAMS = ['redis-server', 'valkey-server'];
const APT_TIMEOUT_MS = 300_000;

/**
 * Returns the path of redis-server or valkey-server. As root on Debian or Ubuntu it is installed when there is none.
 * Throws StackError that names the command to run otherwise.
 */
export async function findRedis(report: (line: string) => void): Promise<string> {
  const found = findProgram(PROGRAMS);
  if (found) return found;
  const os = readOsRelease();
  if (os === 'debian' && process.getuid?.() === 0) {
    report('Installing redis-server with apt-get, once');
    await installByApt();
    const installed = findProgram(PROGRAMS);
    if (installed) return installed;
  }
  throw new StackError(
    `There is no redis-server or valkey-server: ${INSTALL_HINTS[os]}, or set REDIS_URL to one that runs.`,
  );
}

type Os = 'debian' | 'fedora' | 'alpine' | 'darwin' | 'other';

const INSTALL_HINTS: Readonly<Record<Os, string>> = {
  debian: 'run "sudo apt-get install -y redis-server"',
  fedora: 'run "sudo dnf install -y valkey"',
  alpine: 'run "sudo apk add redis"',
  darwin: 'run "brew install redis"',
  other: 'install Redis 7 or newer with your package manager',
};

function findProgram(names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readOsRelease(): Os {
  if (process.platform === 'darwin') return 'darwin';
  if (!existsSync('/etc/os-release')) return 'other';
  const text = readFileSync('/etc/os-release', 'utf8');
  const words = [...text.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].flatMap((match) =>
    (match[1] ?? '').replaceAll('"', '').split(' '),
  );
  if (words.includes('debian') || words.includes('ubuntu')) return 'debian';
  if (words.includes('fedora') || words.includes('rhel')) return 'fedora';
  return words.includes('alpine') ? 'alpine' : 'other';
}

// Packages of Debian start their service when installed, unless this program says no (policy-rc.d, code 101). We need
// the program only; a service that somebody wants can be switched on afterwards.
const POLICY = '/usr/sbin/policy-rc.d';
const POLICY_TEXT =
  '#!/bin/sh\n# Written by the Smartlink launcher while it installs redis-server; remove it when nothing is being installed.\nexit 101\n';

async function installByApt(): Promise<void> {
  // One that an earlier run of ours left behind when it was killed is told by its text.
  const ours = !existsSync(POLICY) || readFileSync(POLICY, 'utf8') === POLICY_TEXT;
  if (ours) writeFileSync(POLICY, POLICY_TEXT, { mode: 0o755 });
  try {
    const install = ['install', '--yes', '--no-install-recommends', 'redis-server'];
    if ((await aptGet(install)) === null) return;
    // The package lists of a fresh machine or container are often missing or old.
    await aptGet(['update']);
    const failure = await aptGet(install);
    if (failure !== null) {
      throw new StackError(
        `apt-get could not install redis-server (${failure}): install it by hand, or set REDIS_URL.`,
      );
    }
  } finally {
    if (ours) rmSync(POLICY, { force: true });
  }
  // Where the machine runs systemd the service would start with the next boot.
  spawnSync('systemctl', ['disable', 'redis-server'], { stdio: 'ignore' });
}

/** Returns null when apt-get succeeded, else the last of its words. Ctrl-C does not reach it: half a package is worse. */
async function aptGet(args: readonly string[]): Promise<string | null> {
  const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=60', ...args], {
    timeout: APT_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  return new Promise<string | null>((resolve) => {
    child.once('error', (err) => {
      resolve(err.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? null : (words.trim().split('\n').at(-1) ?? 'no reason given'));
    });
  });
}
