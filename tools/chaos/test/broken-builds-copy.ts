import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What the service consists of, by the folder of each package. */
const PACKAGES = {
  'link-resolver': 'libs/link-resolver',
  pages: 'libs/pages',
  process: 'libs/process',
  'qr-code': 'libs/qr-code',
  smartlink: 'libs/smartlink',
  'visit-events': 'libs/visit-events',
  'visit-routing': 'libs/visit-routing',
  redirect: 'services/redirect',
} as const;
const NOT_COPIED = new Set(['src', 'test', 'bench', 'browser', 'samples', 'node_modules']);

export type PackageName = keyof typeof PACKAGES;

/** A text of a compiled file that stands there exactly once, and what is put in its place. */
export type Edit = {
  readonly package: PackageName;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

export type Build = {
  /** Where a package's compiled files stand. */
  readonly dist: (name: PackageName) => string;
  /** Returns a compiled module (`events/shipper.js`) of a package, with its own copies of all it imports of ours. */
  readonly load: <Module>(name: PackageName, file: string) => Promise<Module>;
  readonly remove: () => void;
};

/**
 * Copies the compiled packages to a folder of their own and makes one edit there; everything that is not ours is a
 * link to what is installed. Throws, with the edit's place, unless its text stands there exactly once: a trial whose
 * breakage no longer breaks anything would show nothing. The packages must be compiled; the caller removes the copy.
 */
export function copyBuild(edit: Edit | null): Build {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-build-'));
  const ours = join(folder, 'node_modules', '@smartlink');
  mkdirSync(ours, { recursive: true });
  for (const [name, source] of Object.entries(PACKAGES)) {
    cpSync(join(ROOT, source), join(ours, name), {
      recursive: true,
      filter: (path) => isCopied(relative(join(ROOT, source), path)),
    });
    leaveSourcesOut(join(ours, name, 'package.json'));
  }
  const installed = join(ROOT, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '@smartlink' && !name.startsWith('.')) {
      symlinkSync(join(installed, name), join(folder, 'node_modules', name));
    }
  }
  const build: Build = {
    dist: (name) => join(ours, name, 'dist'),
    // A folder named node_modules is left to Node by the test runner, which would otherwise look for sources.
    load: async (name, file) => (await import(/* @vite-ignore */ join(ours, name, 'dist', file))) as never,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (edit !== null) {
    try {
      makeEdit(join(build.dist(edit.package), edit.file), edit);
    } catch (err) {
      build.remove();
      throw err;
    }
  }
  return build;
}

/** Replaces the one place of a compiled file that an edit names. Throws when there is none or more than one. */
function makeEdit(path: string, edit: Edit): void {
  const text = readFileSync(path, 'utf8');
  const parts = text.split(edit.find);
  if (parts.length !== 2) {
    throw new Error(
      `${edit.package}/dist/${edit.file} has ${parts.length - 1} places with the text that is to be replaced. ` +
        `It was written anew: so must this edit be.\n${edit.find}`,
    );
  }
  writeFileSync(path, parts.join(edit.replace));
}

/** The tests' own condition would lead from a compiled file of the copy to a source that is not in it. */
function leaveSourcesOut(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"source": "[^"]*",/g, ''));
}

function isCopied(path: string): boolean {
  return !NOT_COPIED.has(path) && !/\.(?:d\.ts|map|test\.js|tsbuildinfo)$/.test(path);
}
