import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The last commit before people, scopes of keys, tags and the second snapshot format. */
export const OLD_COMMIT = '6fff76d0';

/** Whether the commit is in the history of this copy: an archive and a shallow clone have none. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Compiles the services and commands of a commit in a folder of their own, with the packages installed here. Takes a minute. */
export function buildCommit(commit: string): {
  /** The program of a workspace, such as `services/redirect`. */
  readonly mainOf: (workspace: string) => string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-old-'));
  const archive = join(folder, 'commit.tar');
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  execFileSync('tar', ['xf', archive, '-C', folder]);
  linkPackages(folder);
  const compiler = join(folder, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const programs = ['services/management', 'services/redirect', 'deploy/migrate', 'tools/admin'];
  execFileSync(process.execPath, [compiler, '-b', ...programs], { cwd: folder, stdio: 'inherit' });
  return {
    mainOf: (workspace) => join(folder, workspace, 'dist', 'main.js'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Links to the packages of npm installed here, and to the workspaces of the folder itself. */
function linkPackages(folder: string): void {
  const installed = join(ROOT, 'node_modules');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@smartlink'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== '@smartlink' && !name.startsWith('.'))
      symlinkSync(join(installed, name), join(modules, name));
  }
  const { workspaces } = readManifest(folder) as { workspaces: readonly string[] };
  for (const pattern of workspaces) {
    const parent = pattern.replace(/\/\*$/, '');
    const names = pattern === parent ? [''] : readdirSync(join(folder, parent));
    for (const workspace of names.map((name) => join(folder, parent, name))) {
      if (!existsSync(join(workspace, 'package.json'))) continue;
      const { name } = readManifest(workspace) as { name: string };
      symlinkSync(workspace, join(modules, name));
    }
  }
}

const readManifest = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
