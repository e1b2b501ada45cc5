import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const IMPACTS = ['critical', 'serious', 'moderate', 'minor'] as const;
export type AxeCounts = Record<(typeof IMPACTS)[number], number>;

type AxeFinding = {
  readonly impact: (typeof IMPACTS)[number];
  readonly places: number;
  readonly line: string;
};

/** Runs axe on the page. */
export async function runAxe(page: Page): Promise<readonly AxeFinding[]> {
  // Evaluated from outside of the page, where its policy does not reach.
  await page.evaluate(AXE);
  const results = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`);
  return results.violations.map(({ id, impact, nodes }) => {
    const known = impact ?? 'minor';
    const where = nodes.slice(0, 2).map(({ html }) => html.slice(0, 120));
    return { impact: known, places: nodes.length, line: `axe ${known} ${id}: ${where.join(' | ')}` };
  });
}

/** Counts what axe finds on the page by impact into `counts`, and returns the findings of the two worst. */
export async function findWithAxe(page: Page, counts: AxeCounts): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const { impact: known, places, line } of await runAxe(page)) {
    counts[known] += places;
    if (known === 'critical' || known === 'serious') findings.push(line);
    else process.stdout.write(`${line}\n`);
  }
  return findings;
}
