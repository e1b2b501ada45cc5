import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '4.32.5';
const INSTALL_DEADLINE_MS = 120_000;
const FOLDER = fileURLToPath(
  new URL(`../../../node_modules/.cache/schemathesis-${VERSION}`, import.meta.url),
);

/**
 * Returns the path of schemathesis, which is installed from PyPI once; null, with the reason printed, where it cannot be
 * had.
 */
export function findSchemathesis(): string | null {
  const program = path.join(FOLDER, 'bin/schemathesis');
  // Made last by pip, so an installation that was cut short does not look complete.
  if (existsSync(program)) return program;
  rmSync(FOLDER, { recursive: true, force: true });
  process.stdout.write(`installing schemathesis ${VERSION} …\n`);
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', FOLDER],
    // What is not compiled here is compiled when it is first used, which most of it never is.
    [path.join(FOLDER, 'bin/pip'), 'install', '--quiet', '--no-compile', `schemathesis==${VERSION}`],
  ] as const) {
    const { status, stderr, error } = spawnSync(command, args, {
      encoding: 'utf8',
      timeout: INSTALL_DEADLINE_MS,
    });
    if (status === 0) continue;
    rmSync(FOLDER, { recursive: true, force: true });
    const reason = error?.message ?? `${command}: ${stderr.trim().split('\n').at(-1) ?? ''}`;
    process.stdout.write(`schemathesis is skipped: it cannot be installed: ${reason}\n`);
    return null;
  }
  return program;
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
