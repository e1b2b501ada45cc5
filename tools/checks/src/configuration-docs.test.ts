import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listVariables, renderEnvExample, renderTable } from './configuration-docs.js';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');

// To bring both up to date: npm run docs:configuration
test('.env.example lists exactly the variables of the schemas', () => {
  expect(read('.env.example')).toBe(renderEnvExample());
});

test('the table of docs/configure.md lists exactly the variables of the schemas', () => {
  const cells = (markdown: string) =>
    markdown
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
  const marked = read('docs/configure.md').split(/<!-- \/?configuration -->/)[1] ?? '';
  expect(cells(marked)).toEqual(cells(renderTable()));
});

test('every variable says what it means', () => {
  for (const variable of listVariables()) expect(variable.description).not.toBe('');
});
