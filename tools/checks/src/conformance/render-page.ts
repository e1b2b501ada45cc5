import path from 'node:path';
import { holdersOf } from './statement.js';
import type { Part, Section, Statement, TestReference } from './statement.js';

const HEAD = `# The API and its two documents

What the specification of the management API says, statement by statement, and the tests that hold it. The second part
does the same for our decisions where the specification is silent. The statements are in our words.

Made by \`npm run docs:conformance\` from [tools/checks/src/conformance](../tools/checks/src/conformance): \`npm test\` fails
when a test that is named here is gone or did not pass, when a statement has none, or when this page says anything else.
A name that ends in … stands for every test that begins so.

Left out is what visitors meet (redirects, pages, unlocking, the routing of an App, what is counted as a visit), except
where the API shows it, and what the specification itself says is “not shown”. “Not yet” is what is not built.
`;

/** Returns docs/api-conformance.md. It does not depend on a run: what it claims is for findProblems to check. */
export function renderPage(parts: readonly Part[]): string {
  // Prettier would make every row as wide as the widest.
  const body = parts.map(renderPart).join('\n\n');
  return `${HEAD}\n${renderCount(parts)}\n\n<!-- prettier-ignore-start -->\n\n${body}\n\n<!-- prettier-ignore-end -->\n`;
}

/** Returns how many statements there are, and how they are held. */
export function renderCount(parts: readonly Part[]): string {
  const sections = parts.flatMap((part) => part.sections);
  const holders = sections.flatMap(({ statements }) => Object.values(statements).map(holdersOf));
  const notYet = holders.filter((holder) => holder.notYet !== null).length;
  const tests = holders.flatMap((holder) => holder.tests);
  const names = new Set(tests.map(({ file, name }) => `${file} ${name}`));
  const files = new Set(tests.map(({ file }) => file));
  return `${holders.length} statements: ${holders.length - notYet} held by ${names.size} tests or tables of tests in ${files.size} files, ${notYet} not yet.`;
}

function renderPart({ title, sections }: Part): string {
  return [`## ${title}`, ...sections.map(renderSection)].join('\n\n');
}

function renderSection({ title, statements }: Section): string {
  const rows = Object.entries(statements).map(renderRow);
  return [`### ${title}`, '', '| id | statement | held by |', '|---|---|---|', ...rows].join('\n');
}

function renderRow([id, statement]: [string, Statement]): string {
  const { tests, notYet } = holdersOf(statement);
  const heldBy = notYet === null ? renderTests(tests) : `_Not yet_: ${escape(notYet)}`;
  return `| \`${id}\` | ${escape(statement[0])} | ${heldBy} |`;
}

/** The file once, then a line for each of its tests. */
function renderTests(tests: readonly TestReference[]): string {
  const files = [...new Set(tests.map(({ file }) => file))];
  const lines = files.map((file) => {
    const title = path.posix.basename(file).replace(/(?:\.int)?\.test\.ts$/, '');
    const names = tests.filter((test) => test.file === file).map(({ name }) => escape(name));
    return `[${title}](../${file}): ${names.join('<br>')}`;
  });
  return lines.join('<br>');
}

function escape(text: string): string {
  return text.replace(/[\\`*_<>|[\]]/g, '\\$&');
}
