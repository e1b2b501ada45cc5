import { readFileSync } from 'node:fs';
import path from 'node:path';

export type ServiceVariables = {
  readonly known: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
};

/**
 * Returns the variables of both services from the table of docs/configure.md, which a test holds equal to the schemas that
 * read them. Throws when the table is not there.
 */
export function readVariables(root: string): Readonly<Record<'management' | 'redirect', ServiceVariables>> {
  const text = readFileSync(path.join(root, 'docs/configure.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)`\s*\| ([^|]+?)\s*\| (.*?)\s*\|/gm)];
  if (rows.length < 20) throw new Error('docs/configure.md has no table of variables');
  const of = (service: string): ServiceVariables => {
    const own = rows.filter(([, , readers = '']) =>
      readers.split(', ').some((reader) => reader === 'both' || reader === service),
    );
    const names = (some: typeof own) => new Set(some.map(([, name]) => name ?? ''));
    return { known: names(own), required: names(own.filter((row) => row[3]?.includes('required'))) };
  };
  return { management: of('management'), redirect: of('redirect') };
}
