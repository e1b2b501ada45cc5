import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PASSED_OVER = new Set(['node_modules', 'dist', '.git', '.data', 'reports']);
// What is written by a run, and may not be there yet.
const MADE_LATER = /^docs\/reliability\.md$/;

const pages = listPages(ROOT);

test('pages lead to files and headings that are there', () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap((page) => brokenLinks(page, readFileSync(path.join(ROOT, page), 'utf8')))).toEqual([]);
});

test('every alert links to its own section of the runbook', () => {
  const folder = path.join(ROOT, 'deploy/monitoring/prometheus/rules');
  const rules = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const alerts = rules.flatMap((text) => text.split(/^ +- alert: /m).slice(1));
  expect(alerts.length).toBeGreaterThan(40);
  const sections = headingsOf(readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8'));
  for (const alert of alerts) {
    const severity = /severity: (\w+)/.exec(alert)?.[1] ?? '';
    const name = `${/^\w+/.exec(alert)?.[0].toLowerCase() ?? ''}${severity === 'none' ? '' : `-${severity}`}`;
    expect(alert).toContain(`runbook.md#${name}'`);
    expect(sections).toContain(name);
  }
});

test('a file or a heading that is not there is found', () => {
  const text = '[a](docs/none.md) [b](README.md#no-such-heading) [c](README.md#smartlink) `[d](none)`';
  expect(brokenLinks('README.md', text)).toEqual([
    'README.md: docs/none.md',
    'README.md: README.md#no-such-heading',
  ]);
});

function brokenLinks(page: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))
    .map((link) => `${page}: ${link}`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#', 2);
  const target = file === '' ? page : path.normalize(path.join(path.dirname(page), decodeURI(file)));
  const absolute = path.join(ROOT, target);
  if (!existsSync(absolute)) return MADE_LATER.test(target);
  if (anchor === undefined || statSync(absolute).isDirectory()) return true;
  return headingsOf(readFileSync(absolute, 'utf8')).includes(anchor);
}

/** As forges make them: lower case, without punctuation, hyphens for spaces. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

function listPages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (PASSED_OVER.has(entry.name)) return [];
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return listPages(file);
    return entry.name.endsWith('.md') ? [path.relative(ROOT, file)] : [];
  });
}
