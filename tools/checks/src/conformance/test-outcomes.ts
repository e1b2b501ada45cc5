import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What became of the tests of each file, by the file's path from the root. A name may stand for several tests. */
export type TestOutcomes = ReadonlyMap<
  string,
  readonly { readonly name: string; readonly passed: boolean }[]
>;

// The part of vitest's JSON report (vitest 4, reporters/json) that is read.
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Returns what several reports tell together. Throws on a file that is no report of vitest. */
export function readOutcomes(root: string, reports: readonly string[]): TestOutcomes {
  const outcomes = new Map<string, { name: string; passed: boolean }[]>();
  for (const report of reports) {
    const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
    for (const { name, assertionResults } of testResults) {
      const file = path.relative(root, name).replaceAll(path.sep, '/');
      const known = outcomes.get(file) ?? [];
      known.push(
        ...assertionResults.map((test) => ({ name: test.fullName, passed: test.status === 'passed' })),
      );
      outcomes.set(file, known);
    }
  }
  return outcomes;
}
