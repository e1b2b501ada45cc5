import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './settings.js';

/** Makes the folder of reports, tries whether a file can be made in it, and returns its path. Throws UsageError if not. */
export function makeReportsFolder(wanted: string): string {
  const folder = path.resolve(wanted);
  try {
    makeFolder(folder);
    rmdirSync(mkdtempSync(path.join(folder, '.try-')));
  } catch (err) {
    throw new UsageError(
      `--reports-dir ${wanted}: reports cannot be put there (${err instanceof Error ? err.message : String(err)})`,
    );
  }
  return folder;
}

// One by one: a recursive mkdir of Node tries for ever where a parent is there and mkdir says ENOENT, as under /proc.
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}
