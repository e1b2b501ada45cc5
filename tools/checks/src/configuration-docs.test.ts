import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { configSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';

// `npm run docs:configuration` updates both files.

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGE = path.join(ROOT, 'docs/configure.md');
const MARKED = /(?<=<!-- configuration -->\n)[\s\S]*?(?=\n<!-- \/configuration -->)/;

// Depend on the machine; other defaults are in the schemas.
const COMPUTED_DEFAULTS: Readonly<Record<string, string>> = {
  REDIRECT_PROCESSES: 'one per core',
};

const READERS = [
  ['redirect', redirectConfigSchema],
  ['management', configSchema],
  ['migrate', migrateConfigSchema],
  ['npm start', launcherConfigSchema],
] as const;

type Variable = {
  readonly name: string;
  readonly readers: string;
  /** null: required. */
  readonly defaultValue: string | null;
  readonly description: string;
};

const variables = listVariables();

test('.env.example lists the variables of the schemas; those with a default are commented out', async () => {
  const lines = variables.map(({ name, readers, defaultValue, description }) => {
    const assignment = defaultValue === null ? `${name}=` : `# ${name}=${defaultValue}`;
    return `# ${readers}: ${description}\n${assignment}\n`;
  });
  const head =
    '# Every variable of both services, of the migrations (migrate) and of npm start. X_FILE may stand for X and names a file that holds the value.';
  await expect(`${head}\n\n${lines.join('\n')}`).toMatchFileSnapshot(path.join(ROOT, '.env.example'));
});

test('the table of docs/configure.md lists the variables of the schemas', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(MARKED);
  const updated = page.replace(MARKED, () => `\n${renderTable()}\n`);
  await expect(updated).toMatchFileSnapshot(PAGE);
});

test('every variable has a description', () => {
  for (const variable of variables) expect(variable.description).not.toBe('');
});

/** Each variable once, in the order of the schemas. `npm start` is the reader of variables that nothing else reads. */
function listVariables(): Variable[] {
  const found = new Map<string, Variable>();
  for (const [reader, schema] of READERS) {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    });
    for (const [name, property] of Object.entries(properties)) {
      const known = found.get(name);
      if (known && reader === 'npm start') continue;
      const { description = '', default: given } = property as { description?: string; default?: unknown };
      found.set(name, {
        name,
        readers: known ? joinReaders(known.readers, reader) : reader,
        defaultValue: required.includes(name)
          ? null
          : (COMPUTED_DEFAULTS[name] ?? (textOf(given) === '' ? (known?.defaultValue ?? '') : textOf(given))),
        description: known?.description ?? description,
      });
    }
  }
  return [...found.values()];
}

function joinReaders(known: string, reader: string): string {
  return known === 'redirect' && reader === 'management' ? 'both' : `${known}, ${reader}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** A Markdown table, with columns aligned as oxfmt does it. */
function renderTable(): string {
  const rows = variables.map(({ name, readers, defaultValue, description }) => {
    const shown = defaultValue === null ? '_required_' : defaultValue === '' ? '' : `\`${defaultValue}\``;
    return [`\`${name}\``, readers, shown, description.replaceAll('|', '\\|')];
  });
  const table = [['variable', 'read by', 'default', 'meaning'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
