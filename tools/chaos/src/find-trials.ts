import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type TrialFile = {
  /** Relative to the root. */
  readonly file: string;
  /** The promises whose figures it records, as they stand in it: `promise: 'E1'`. */
  readonly promises: readonly string[];
};

const FOLDERS = ['services/redirect/test', 'services/management/test', 'tools/chaos/test'];

/** Returns the test files that record figures, by name. What they say of themselves is the only list of them. */
export function findTrials(root: string): TrialFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.int.test.ts'))
      .toSorted()
      .map((name) => ({
        file: `${folder}/${name}`,
        promises: readPromises(readFileSync(path.join(root, folder, name), 'utf8')),
      })),
  ).filter(({ promises }) => promises.length > 0);
}

/** Returns the ids of the promises of which a test's source records figures, each once. */
export function readPromises(source: string): readonly string[] {
  return [...new Set(Array.from(source.matchAll(/\bpromise: '([A-Z]\d+)'/g), ([, id = '']) => id))];
}
