import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type TrialFile = {
  /** Relative to the root. */
  readonly file: string;
  /** The promises whose figures it records, as they stand in it: `promise: 'E1'`. */
  readonly promises: readonly string[];
  /** The same, once for each place that records a figure. */
  readonly figures: readonly string[];
};

const FOLDERS = ['services/redirect/test', 'services/management/test', 'tools/chaos/test'];

/** Returns the test files that record figures, by name. What they say of themselves is the only list of them. */
export function findTrials(root: string): TrialFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.int.test.ts'))
      .toSorted()
      .map((name) => {
        const source = readFileSync(path.join(root, folder, name), 'utf8');
        return { file: `${folder}/${name}`, promises: readPromises(source), figures: readFigures(source) };
      }),
  ).filter(({ promises }) => promises.length > 0);
}

/** Returns the ids of the promises of which a test's source records figures, each once. */
export function readPromises(source: string): readonly string[] {
  return [...new Set(Array.from(source.matchAll(/\bpromise: '([A-Z]\d+)'/g), ([, id = '']) => id))];
}

/** Returns the id of the promise of each place in a test's source that records a figure, in order. */
export function readFigures(source: string): readonly string[] {
  return Array.from(source.matchAll(/\brecordFigure\(\{\s*promise: '([A-Z]\d+)'/g), ([, id = '']) => id);
}

/**
 * Returns for each promise how many places record a figure of it: so many figures at least has a run without a gap. A
 * place that several cases share counts as one.
 */
export function countTrials(trials: readonly TrialFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of trials.flatMap(({ figures }) => figures)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
