import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { colorTokens } from '@smartlink/pages/theme';

const SRC = path.resolve(import.meta.dirname, '../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
const read = (file: string): string => readFileSync(path.join(SRC, file), 'utf8');
const code = files.filter((file) => file.endsWith('.tsx')).map(read);

test('the colours are those of hosted pages in default ink', () => {
  const light: Record<string, string | undefined> = colorTokens(undefined, 'light');
  const dark: Record<string, string | undefined> = colorTokens(undefined, 'dark');
  const declared = [...read('app/tokens.css').matchAll(/--(\w+): light-dark\((#\w+), (#\w+)\)/g)];
  expect(declared.length).toBeGreaterThan(10);
  for (const [, name = '', ...colors] of declared)
    expect([name, colors]).toEqual([name, [light[name], dark[name]]]);
});

test('components name the classes of their style sheets, and all of them', () => {
  for (const file of files.filter((each) => each.endsWith('.module.css'))) {
    const declared = new Set(
      [...read(file).matchAll(/\.([a-z]\w*)(?=[\s,:.[{>])/gi)].map(([, name]) => name),
    );
    const users = code.filter((text) => text.includes(`/${path.basename(file)}'`));
    const used = new Set(
      users.flatMap((text) => [...text.matchAll(/styles\.(\w+)/g)].map(([, name]) => name)),
    );
    const unknown = [...used].filter((name) => !declared.has(name));
    // Computed class names are invisible here.
    const isComputed = users.some((text) => text.includes('styles['));
    const unused = isComputed ? [] : [...declared].filter((name) => !used.has(name));
    expect({ file, unknown, unused }).toEqual({ file, unknown: [], unused: [] });
  }
});

test('no style is written in markup or fetched, as the policy of the page would block it', () => {
  for (const file of files.filter((each) => each.endsWith('.css'))) {
    expect([file, /url\(|@import|!important|text-transform/.test(read(file))]).toEqual([file, false]);
  }
  const page = readFileSync(path.join(SRC, '../index.html'), 'utf8');
  expect(page).not.toMatch(/style=|<style|<script>/);
});
