import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The version that is built, or run as a container. One in PATH is taken as it is. */
export const K6_VERSION = 'v1.8.1';
const IMAGE = `grafana/k6:${K6_VERSION.slice(1)}`;
const INSTALL_HINT =
  'Install k6 (https://grafana.com/docs/k6/latest/set-up/install-k6/), or Go 1.25 or newer, which can build it.';
const PROBE_TIMEOUT_MS = 10_000;
const PROGRESS_EVERY_MS = 10_000;
/** Packages that Go compiles for k6 v1.8.1, counted in a build from an empty cache. */
const PACKAGES_ABOUT = 780;
const BUILD_LIMIT_MS = 45 * 60_000;

/** How k6 is run. */
export type K6 = {
  readonly from: string;
  /** Command line; `env` is what a script reads, `folders` those that k6 reads and writes. */
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
 * k6 from PATH, else the one built by Go before or now, else the container image where an engine answers. Null where none
 * is available, after reporting why and what would help.
 */
export async function findK6(options: FindOptions): Promise<K6 | null> {
  if (succeeds('k6', ['version'])) return program('k6', 'PATH');
  // The user's own, so that a second checkout does not build again (XDG Base Directory Specification).
  const { XDG_CACHE_HOME: caches = '' } = process.env;
  const folder = path.join(caches || path.join(homedir(), '.cache'), 'smartlink', `k6-${K6_VERSION}`);
  const built = path.join(folder, 'k6');
  if (existsSync(built)) return program(built, folder);
  const failure = await buildK6(folder, options);
  if (failure === null) return program(built, folder);
  // A client without an engine answers `version`, but not this.
  const engine = ['docker', 'podman'].find((name) => succeeds(name, ['info', '--format', '{{.ID}}']));
  if (engine !== undefined) return container(engine);
  options.report(
    `There is no k6: it is not in PATH; Go could not build it (${failure}); neither docker nor podman answers. ${INSTALL_HINT}`,
  );
  return null;
}

function program(file: string, from: string): K6 {
  return { from, command: (argv) => [file, ...argv] };
}

// On the host's network, where the target and k6's own address are on 127.0.0.1. As the user who owns the reports.
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

function succeeds(command: string, argv: readonly string[]): boolean {
  return spawnSync(command, argv, { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS }).status === 0;
}

/**
 * Builds k6 into `folder` at low priority; null, or why it failed. Go keeps what was compiled before a failure or an
 * interruption. Rejects when `signal` aborts.
 */
async function buildK6(folder: string, { report, signal }: FindOptions): Promise<string | null> {
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(draft, { recursive: true });
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  report(
    `Building k6 ${K6_VERSION} with Go, once: two and a half minutes of processor time, at low priority`,
  );
  let packages = 0;
  const progress = setInterval(() => {
    report(`Building k6: ${seconds()} s, ${packages} of about ${PACKAGES_ABOUT} packages`);
  }, PROGRESS_EVERY_MS);
  try {
    const child = spawn('go', ['install', '-v', `go.k6.io/k6@${K6_VERSION}`], {
      env: { ...process.env, GOBIN: draft, GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_LIMIT_MS,
      // Go ends its compilers then.
      killSignal: 'SIGINT',
      signal,
    });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let last = '';
    createInterface(child.stderr).on('line', (line) => {
      last = line;
      if (!line.startsWith('go: downloading')) packages += 1;
    });
    const failure = await new Promise<string | null>((resolve) => {
      child.once('error', (err) => {
        resolve(err.message);
      });
      child.once('close', (code) => {
        resolve(code === 0 ? null : last || `exit code ${code ?? 'unknown'}`);
      });
    });
    signal.throwIfAborted();
    if (failure !== null) return failure;
    mkdirSync(folder, { recursive: true });
    renameSync(path.join(draft, 'k6'), path.join(folder, 'k6'));
    report(`Built k6 ${K6_VERSION} in ${seconds()} s; it is kept in ${folder}`);
    return null;
  } finally {
    clearInterval(progress);
    rmSync(draft, { recursive: true, force: true });
  }
}
