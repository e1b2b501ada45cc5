import { z } from 'zod';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { configSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';

type Variable = {
  readonly name: string;
  readonly readers: string;
  /** null: required. */
  readonly defaultValue: string | null;
  readonly description: string;
};

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

/**
 * Each variable of both services, of the migrations and of `npm start` once, in the order of the schemas. `npm start` is
 * named as the reader of variables that nothing else reads.
 */
export function listVariables(): Variable[] {
  const variables = new Map<string, Variable>();
  for (const [reader, schema] of READERS) {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    });
    for (const [name, property] of Object.entries(properties)) {
      const known = variables.get(name);
      if (known && reader === 'npm start') continue;
      const { description = '', default: given } = property as { description?: string; default?: unknown };
      variables.set(name, {
        name,
        readers: known ? joinReaders(known.readers, reader) : reader,
        defaultValue: required.includes(name)
          ? null
          : (COMPUTED_DEFAULTS[name] ?? (text(given) === '' ? (known?.defaultValue ?? '') : text(given))),
        description: known?.description ?? description,
      });
    }
  }
  return [...variables.values()];
}

function joinReaders(known: string, reader: string): string {
  return known === 'redirect' && reader === 'management' ? 'both' : `${known}, ${reader}`;
}

/** The table in docs/configure.md. */
export function renderTable(): string {
  const rows = listVariables().map(({ name, readers, defaultValue, description }) => {
    const shown = defaultValue === null ? '_required_' : defaultValue === '' ? '' : `\`${defaultValue}\``;
    return `| \`${name}\` | ${readers} | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| variable | read by | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The content of `.env.example`; variables with a default are commented out. */
export function renderEnvExample(): string {
  const lines = listVariables().map(({ name, readers, defaultValue, description }) => {
    const assignment = defaultValue === null ? `${name}=` : `# ${name}=${defaultValue}`;
    return `# ${readers}: ${description}\n${assignment}\n`;
  });
  return `# Every variable of both services, of the migrations (migrate) and of npm start. X_FILE may stand for X and names a file that holds the value.\n\n${lines.join('\n')}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
