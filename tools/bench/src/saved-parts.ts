import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type SavedParts = {
  /** Returns what `measure` finds, and keeps it; or what an interrupted run has kept of this part. */
  readonly part: <Found>(name: string, measure: () => Promise<Found>) => Promise<Found>;
  /** Forgets everything: the run is over. */
  readonly clear: () => void;
};

const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * Returns the parts of a run of benchmark `name` as an interrupted run has left them under `.data/bench`, when it was
 * of the same `size` and of the same commit and `resumes` is set; otherwise none are there yet.
 */
export function openSavedParts(name: string, size: object, { resumes }: { resumes: boolean }): SavedParts {
  const key = createHash('sha256')
    .update(`${commit()} ${JSON.stringify(size)}`)
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(ROOT, '.data/bench', name);
  const fileOf = (part: string) => path.join(folder, `${part}-${key}.json`);
  return {
    async part(part, measure) {
      if (resumes) {
        const kept = readJson(fileOf(part));
        if (kept !== undefined) return kept as Awaited<ReturnType<typeof measure>>;
      }
      const found = await measure();
      mkdirSync(folder, { recursive: true });
      writeFileSync(fileOf(part), JSON.stringify(found));
      return found;
    },
    clear() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Changes that are not committed do not count: who resumes knows what they have done meanwhile. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return 'no repository';
  }
}
