import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Run } from './target.js';

/** The version to build, or to run as a container. Any version in PATH is used. */
export const K6_VERSION = 'v1.8.1';
const IMAGE = `grafana/k6:${K6_VERSION.slice(1)}`;
const PROBE_TIMEOUT_MS = 10_000;
/** Packages that Go compiles for k6 v1.8.1 with an empty cache. */
const PACKAGES_ABOUT = 780;
const BUILD_LIMIT_MS = 45 * 60_000;
/** k6's exit code for a broken threshold. */
const THRESHOLDS_BROKEN = 99;
const LOG_LINES_SHOWN = 10;

export type K6 = {
  readonly source: string;
  /** Start of the command line; the script reads variables `names`, k6 reads and writes `folders`. */
  readonly command: (names: readonly string[], folders: readonly string[]) => readonly [string, ...string[]];
};

/**
 * k6 from PATH, or else built with Go, before or now, or else the container image if Docker or Podman runs. Null if none is
 * available, after reporting why and what would help.
 */
export async function findK6(run: Run): Promise<K6 | null> {
  if (succeeds('k6', ['version'])) return k6Program('k6', 'PATH');
  // Not in the checkout: a second one need not build again (XDG Base Directory Specification).
  const { XDG_CACHE_HOME: caches = '' } = process.env;
  const folder = path.join(caches || path.join(homedir(), '.cache'), 'smartlink', `k6-${K6_VERSION}`);
  const built = path.join(folder, 'k6');
  const failure = existsSync(built) ? null : await buildK6(folder, run);
  if (failure === null) return k6Program(built, folder);
  // A client without an engine answers `version`, but not this.
  const engine = ['docker', 'podman'].find((name) => succeeds(name, ['info', '--format', '{{.ID}}']));
  if (engine !== undefined) return k6Container(engine);
  run.report(
    `k6 is missing: it is not in PATH; Go could not build it (${failure}); neither docker nor podman answers. ` +
      'Install k6 (https://grafana.com/docs/k6/latest/set-up/install-k6/), or Go 1.25 or newer, which can build it.',
  );
  return null;
}

function k6Program(file: string, source: string): K6 {
  return { source, command: () => [file] };
}

// On the host's network, where the target listens on 127.0.0.1. As the user who owns the reports.
function k6Container(engine: string): K6 {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    source: `${engine}, ${IMAGE}`,
    command: (names, folders) => [
      engine,
      ...['run', '--rm', '--network=host', '--user', user],
      ...folders.flatMap((folder) => ['--volume', `${folder}:${folder}`]),
      ...names.flatMap((name) => ['--env', name]),
      IMAGE,
    ],
  };
}

function succeeds(command: string, argv: readonly string[]): boolean {
  return spawnSync(command, argv, { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS }).status === 0;
}

/** Builds k6 into `folder`; null, or the reason of a failure. After an interruption Go continues where it was. */
async function buildK6(folder: string, { report, signal }: Run): Promise<string | null> {
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(draft, { recursive: true });
  report(`Building k6 ${K6_VERSION} with Go, once: two and a half minutes of CPU time, at low priority`);
  try {
    const child = spawn('nice', ['-n', '10', 'go', 'install', '-v', `go.k6.io/k6@${K6_VERSION}`], {
      env: { ...process.env, GOBIN: draft, GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_LIMIT_MS,
      // Go then ends its compilers.
      killSignal: 'SIGINT',
      signal,
    });
    let lastLine = '';
    let packages = 0;
    createInterface(child.stderr).on('line', (line) => {
      lastLine = line;
      if (line.startsWith('go: downloading')) return;
      packages += 1;
      if (packages % 100 === 0) report(`Building k6: ${packages} of about ${PACKAGES_ABOUT} packages`);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) return lastLine || `exit code ${code ?? 'unknown'}`;
    mkdirSync(folder, { recursive: true });
    renameSync(path.join(draft, 'k6'), path.join(folder, 'k6'));
    report(`Built k6 ${K6_VERSION} in ${folder}`);
    return null;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** k6 ended because its output was closed. */
export class OutputClosedError extends Error {}

export type K6Run = {
  readonly k6: K6;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** k6 adds `.log`, and `.json` for its figures. */
  readonly reportFile: string;
  readonly signal: AbortSignal;
};

/**
 * Runs a k6 script, with k6's progress and summary on this terminal; whether all thresholds held. When `signal` aborts, it
 * rejects once k6 has ended. If k6 fails, it rejects with the end of k6's log.
 */
export async function runK6({ k6, script, env, folders, reportFile, signal }: K6Run): Promise<boolean> {
  const [command, ...argv] = [
    ...k6.command(Object.keys(env), folders),
    ...['run', '--address', '', '--log-output', `file=${reportFile}.log`],
    ...['--summary-export', `${reportFile}.json`],
    // Without a terminal k6 would print its progress every second.
    ...(process.stdout.isTTY ? [] : ['--quiet']),
    script,
  ];
  const child = spawn(command, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group of its own, which Ctrl-C does not reach: k6 gets one SIGINT, before the stack stops.
    detached: true,
  });
  signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
  signal.throwIfAborted();
  if (killedBy === 'SIGPIPE') throw new OutputClosedError('the output was closed');
  if (code === 0 || code === THRESHOLDS_BROKEN) return code === 0;
  const log = existsSync(`${reportFile}.log`) ? readFileSync(`${reportFile}.log`, 'utf8').trim() : '';
  const lines = log.split('\n').slice(-LOG_LINES_SHOWN);
  throw new Error([`k6 ended with ${code ?? killedBy}`, ...lines].join('\n'));
}

/** Figures of a run by metric, as k6 exports them. */
export type K6Summary = { readonly metrics: Readonly<Record<string, K6Metric | undefined>> };

type K6Metric = {
  readonly [figure: string]: number | Readonly<Record<string, boolean>> | undefined;
  /** True for broken thresholds. */
  readonly thresholds?: Readonly<Record<string, boolean>>;
};

/** Count of a metric, 0 if nothing was measured. */
export function countOf({ metrics }: K6Summary, metric: string): number {
  return Number(metrics[metric]?.['count'] ?? 0);
}

export function brokenThresholds({ metrics }: K6Summary): readonly string[] {
  return Object.entries(metrics).flatMap(([metric, { thresholds = {} } = {}]) =>
    Object.keys(thresholds).flatMap((rule) => (thresholds[rule] === true ? [`${metric}: ${rule}`] : [])),
  );
}
