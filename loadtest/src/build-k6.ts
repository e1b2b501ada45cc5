import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** What go.mod of k6 v1.8.1 asks for. */
const GO_OLDEST = [1, 25] as const;
const PROGRESS_EVERY_MS = 10_000;
/** Packages that Go compiles for k6 v1.8.1, counted in a build from an empty cache. */
const PACKAGES_ABOUT = 780;
const BUILD_LIMIT_MS = 45 * 60_000;

/** Returns why Go cannot build k6 here, null when it can. */
export function whyGoCannot(): string | null {
  const { status, stdout } = spawnSync('go', ['env', 'GOVERSION', 'GOTOOLCHAIN'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no Go in PATH';
  const [version = '', toolchain = ''] = stdout.split('\n');
  const [major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  const [oldestMajor, oldestMinor] = GO_OLDEST;
  const isRecent = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  // From 1.21 on Go fetches the toolchain that a module asks for, unless it is told not to.
  const fetches = (major > 1 || minor >= 21) && toolchain !== 'local' && !toolchain.startsWith('go');
  if (isRecent || fetches) return null;
  return `Go here is ${version || 'of an unknown version'}, k6 needs ${GO_OLDEST.join('.')} or newer`;
}

/**
 * Builds k6 into `folder`, at low priority, with a line of progress every 10 s; returns null, or why it failed. What was
 * compiled before a failure or an interruption is kept by Go. Rejects when `signal` aborts.
 */
export async function buildK6(options: {
  version: string;
  folder: string;
  report: (line: string) => void;
  signal: AbortSignal;
}): Promise<string | null> {
  const { version, folder, report, signal } = options;
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(draft, { recursive: true });
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  report(
    `Building k6 ${version} with Go, once: two and a half minutes of processor time, at low priority, when nothing of it was built before`,
  );
  let packages = 0;
  const progress = setInterval(() => {
    report(`Building k6: ${seconds()} s, ${packages} of about ${PACKAGES_ABOUT} packages`);
  }, PROGRESS_EVERY_MS);
  try {
    const child = spawn('go', ['install', '-v', `go.k6.io/k6@${version}`], {
      env: { ...process.env, GOBIN: draft, GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_LIMIT_MS,
      // Go ends its compilers then, and keeps what they have made.
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
    report(`Built k6 ${version} in ${seconds()} s; it is kept in ${folder}`);
    return null;
  } finally {
    clearInterval(progress);
    rmSync(draft, { recursive: true, force: true });
  }
}
