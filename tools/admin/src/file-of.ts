import { resolve } from 'node:path';
import type { Terminal } from './terminal.js';

/**
 * Returns where a file is that somebody has named: seen from where they have called npm, which says so in INIT_CWD
 * (docs.npmjs.com, npm run) and has gone to the project's folder since. `-` stays what it is.
 */
export function fileOf({ env }: Pick<Terminal, 'env'>, name: string): string {
  const calledFrom = env['INIT_CWD'] ?? '';
  if (name === '-' || calledFrom === '' || resolve(calledFrom) === process.cwd()) return name;
  return resolve(calledFrom, name);
}
