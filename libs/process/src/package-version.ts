import { readFileSync } from 'node:fs';

/** Returns the version in a package.json. Throws when the file cannot be read. */
export function readPackageVersion(packageFile: URL): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}
