import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const VERSION = '4.32.5';
const STEP_DEADLINE_MS = 300_000;
const CACHES = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
const FOLDER = path.join(CACHES, 'smartlink', `schemathesis-${VERSION}`);

/** How long `findSchemathesis` may take, in ms: on a busy machine pip alone takes minutes. */
export const INSTALL_DEADLINE_MS = 2 * STEP_DEADLINE_MS + 30_000;

/**
 * Returns the path of schemathesis, which is installed from PyPI once a user; null, with the reason printed, where it cannot be
 * had.
 */
export async function findSchemathesis(): Promise<string | null> {
  const program = path.join(FOLDER, 'bin/schemathesis');
  // One that was cut short, or whose Python is another by now, says nothing.
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.includes(VERSION)) return program;
  rmSync(FOLDER, { recursive: true, force: true });
  process.stdout.write(`installing schemathesis ${VERSION} …\n`);
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', FOLDER],
    // What is not compiled here is compiled when it is first used, which most of it never is.
    [path.join(FOLDER, 'bin/pip'), 'install', '--quiet', '--no-compile', `schemathesis==${VERSION}`],
  ] as const) {
    const reason = await runStep(command, args);
    if (reason === null) continue;
    rmSync(FOLDER, { recursive: true, force: true });
    process.stdout.write(`schemathesis is skipped: it cannot be installed: ${reason}\n`);
    return null;
  }
  return program;
}

/** Runs a step of the installation; returns why it failed, or null. When it returns nothing of the step is left running. */
async function runStep(command: string, args: readonly string[]): Promise<string | null> {
  // A group of its own, so that what it has started ends with it.
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let isLate = false as boolean;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, STEP_DEADLINE_MS);
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    if (status === 0) return null;
    return `${command}: ${isLate ? `not done after ${STEP_DEADLINE_MS} ms` : (said.trim().split('\n').at(-1) ?? '')}`;
  } catch (err) {
    return String(err);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs schemathesis in `folder`, where it leaves notes, and returns its exit code and everything that it said. */
export async function runSchemathesis(
  program: string,
  args: readonly string[],
  { folder, deadlineMs }: { readonly folder: string; readonly deadlineMs: number },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: deadlineMs,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { code, output };
}
