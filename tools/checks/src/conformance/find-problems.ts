import { holdersOf } from './statement.js';
import type { Part, TestReference } from './statement.js';
import type { TestOutcomes } from './test-outcomes.js';

/** Returns in what the parts and what was run differ, one line each; none when every statement is held. */
export function findProblems(parts: readonly Part[], outcomes: TestOutcomes): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const sections = parts.flatMap((part) => part.sections);
  for (const { statements } of sections) {
    for (const [id, statement] of Object.entries(statements)) {
      if (seen.has(id)) problems.push(`${id}: the id is used twice`);
      seen.add(id);
      const { tests, notYet } = holdersOf(statement);
      if (notYet === null && tests.length === 0) {
        problems.push(`${id}: no test holds it, and it is not marked as not yet built`);
      }
      for (const reference of tests) {
        const problem = findProblem(reference, outcomes);
        if (problem !== null) problems.push(`${id}: ${reference.file}: “${reference.name}” ${problem}`);
      }
    }
  }
  return problems;
}

const EVERY_TEST_THAT_BEGINS_SO = ' …';

function findProblem({ file, name }: TestReference, outcomes: TestOutcomes): string | null {
  const tests = outcomes.get(file);
  if (tests === undefined) return 'was not run: no report knows the file';
  const isNamed = name.endsWith(EVERY_TEST_THAT_BEGINS_SO)
    ? (test: { name: string }) => test.name.startsWith(name.slice(0, -EVERY_TEST_THAT_BEGINS_SO.length))
    : (test: { name: string }) => test.name === name;
  const named = tests.filter(isNamed);
  if (named.length === 0) return 'does not exist';
  const failed = named.filter((test) => !test.passed).length;
  if (failed === 0) return null;
  return named.length === 1 ? 'did not pass' : `did not pass: ${failed} of ${named.length} tests`;
}
