import { expect, test } from 'vitest';
import { colorTokens } from '@smartlink/pages/theme';
import page from '../../index.html?raw';

const sheets = import.meta.glob<string>('../**/*.css', { query: '?raw', import: 'default', eager: true });
const code = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });

test('the colours are those of hosted pages in default ink', () => {
  const light: Record<string, string | undefined> = colorTokens(undefined, 'light');
  const dark: Record<string, string | undefined> = colorTokens(undefined, 'dark');
  const declared = [...(sheets['./tokens.css'] ?? '').matchAll(/--(\w+): light-dark\((#\w+), (#\w+)\)/g)];
  expect(declared.length).toBeGreaterThan(10);
  for (const [, name = '', ...colors] of declared)
    expect([name, colors]).toEqual([name, [light[name], dark[name]]]);
});

test('components name the classes of their style sheets, and all of them', () => {
  for (const [file, sheet] of Object.entries(sheets).filter(([name]) => name.endsWith('.module.css'))) {
    const declared = new Set([...sheet.matchAll(/\.([a-z]\w*)(?=[\s,:.[{>])/gi)].map(([, name]) => name));
    const name = file.replace(/^.*\//, '');
    const users = Object.values(code).filter((text) => text.includes(`/${name}'`));
    const used = new Set(
      users.flatMap((text) => [...text.matchAll(/styles\.(\w+)/g)].map(([, each]) => each)),
    );
    const unknown = [...used].filter((each) => !declared.has(each));
    // Classes that are computed are not seen here.
    const unused = users.some((text) => text.includes('styles['))
      ? []
      : [...declared].filter((each) => !used.has(each));
    expect({ file, unknown, unused }).toEqual({ file, unknown: [], unused: [] });
  }
});

test('no style is written in markup or fetched, as the policy of the page would block it', () => {
  for (const [file, sheet] of Object.entries(sheets)) {
    expect([file, /url\(|@import|!important|text-transform/.test(sheet)]).toEqual([file, false]);
  }
  expect(page).not.toMatch(/style=|<style|<script>/);
});
