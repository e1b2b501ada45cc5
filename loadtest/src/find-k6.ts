import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { buildK6, whyGoCannot } from './build-k6.js';

/** The version that is built, or run as a container. One in PATH is taken as it is. */
export const K6_VERSION = 'v1.8.1';
const IMAGE = `grafana/k6:${K6_VERSION.slice(1)}`;
const INSTALL_HINT =
  'Install k6 (https://grafana.com/docs/k6/latest/set-up/install-k6/), or a Go that can build it.';
const PROBE_TIMEOUT_MS = 10_000;

/** How k6 is run. */
export type K6 = {
  readonly from: string;
  /** Returns what to execute; `env` is what a script reads, `folders` those that k6 reads and writes. */
  readonly command: (
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
    folders: readonly string[],
  ) => readonly [string, ...string[]];
};

export type FindOptions = {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Returns k6: that of PATH, else the one built by Go before or now, else the container image where an engine answers.
 * Returns null where it cannot be had, having reported why and what would help.
 */
export async function findK6(options: FindOptions): Promise<K6 | null> {
  const { report } = options;
  if (succeeds('k6', ['version'])) return program('k6', 'PATH');
  const folder = cacheFolder();
  const built = path.join(folder, 'k6');
  if (existsSync(built)) return program(built, folder);
  const reasons = ['k6 is not in PATH'];
  const goReason = whyGoCannot();
  if (goReason === null) {
    const failure = await buildK6({ ...options, version: K6_VERSION, folder });
    if (failure === null) return program(built, folder);
    reasons.push(`Go could not build it: ${failure}`);
  } else {
    reasons.push(goReason);
  }
  for (const engine of ['docker', 'podman']) {
    // A client without an engine answers `version`, so what only the engine knows is asked for.
    if (succeeds(engine, ['info', '--format', '{{.ID}}'])) return container(engine);
  }
  reasons.push('neither docker nor podman has an engine that answers');
  report(`There is no k6 to be had: ${reasons.join('; ')}. ${INSTALL_HINT}`);
  return null;
}

function program(file: string, from: string): K6 {
  return { from, command: (argv) => [file, ...argv] };
}

// On the host's network, for the target and k6's own address are on 127.0.0.1. As our user, who owns the reports.
function container(engine: string): K6 {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    from: `${engine}, ${IMAGE}`,
    command: (argv, env, folders) => [
      engine,
      ...['run', '--rm', '--network=host', '--user', user],
      ...folders.flatMap((folder) => ['--volume', `${folder}:${folder}`]),
      ...Object.keys(env).flatMap((name) => ['--env', name]),
      IMAGE,
      ...argv,
    ],
  };
}

/** Returns the user's own folder, so that a second checkout does not build again (XDG Base Directory Specification). */
function cacheFolder(): string {
  const { XDG_CACHE_HOME = '' } = process.env;
  const caches = XDG_CACHE_HOME === '' ? path.join(homedir(), '.cache') : XDG_CACHE_HOME;
  return path.join(caches, 'smartlink', `k6-${K6_VERSION}`);
}

function succeeds(command: string, argv: readonly string[]): boolean {
  return spawnSync(command, argv, { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS }).status === 0;
}
