import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderEnvExample, renderTable } from './configuration-docs.js';

// `npm run docs:configuration`: writes .env.example and the table in docs/configure.md.
const root = path.resolve(import.meta.dirname, '../../..');
const page = path.join(root, 'docs/configure.md');
const MARKED = /(<!-- configuration -->\n)[\s\S]*?(\n<!-- \/configuration -->)/;

writeFileSync(path.join(root, '.env.example'), renderEnvExample());
const before = readFileSync(page, 'utf8');
if (!MARKED.test(before)) throw new Error('docs/configure.md has no marks around its configuration table');
writeFileSync(
  page,
  before.replace(MARKED, (_all, begin: string, end: string) => `${begin}\n${renderTable()}\n${end}`),
);
