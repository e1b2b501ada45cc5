import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const IMPACTS = ['critical', 'serious', 'moderate', 'minor'] as const;
export type AxeCounts = Record<(typeof IMPACTS)[number], number>;

/** Counts what axe finds on the page by impact into `counts`, and returns the findings of the two worst. */
export async function findWithAxe(page: Page, counts: AxeCounts): Promise<readonly string[]> {
  // Evaluated from outside of the page, where its policy does not reach.
  await page.evaluate(AXE);
  const results = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`);
  const findings: string[] = [];
  for (const { id, impact, nodes } of results.violations) {
    const known = impact ?? 'minor';
    counts[known] += nodes.length;
    const where = nodes.slice(0, 2).map(({ html }) => html.slice(0, 120));
    const line = `axe ${known} ${id}: ${where.join(' | ')}`;
    if (known === 'critical' || known === 'serious') findings.push(line);
    else process.stdout.write(`${line}\n`);
  }
  return findings;
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // A matter of style: what the parser reads is the same.
    'doctype-style': 'off',
    'void-style': 'off',
    'attr-quotes': 'off',
    // Names of owners and of files are as long as they are; search engines cut titles themselves.
    'long-title': 'off',
    // A number is shown and copied as its owner wrote it; the style keeps it in one piece.
    'tel-non-breaking': 'off',
    // `role="list"`: VoiceOver takes lists without bullets for no lists.
    'no-redundant-role': 'off',
  },
});

/** Returns what html-validate has against a page as it was served. */
export async function findInHtml(html: string): Promise<readonly string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `html-validate ${ruleId}: ${message} (line ${line})`),
  );
}
