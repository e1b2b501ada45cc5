import { configSchema } from '@smartlink/management/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { z } from 'zod';

type Variable = {
  readonly name: string;
  readonly readers: string;
  /** null: it must be given. */
  readonly defaultValue: string | null;
  readonly description: string;
};

// Defaults that depend on the machine; everything else is read from the schemas.
const COMPUTED_DEFAULTS: Readonly<Record<string, string>> = {
  REDIRECT_PROCESSES: 'one per core',
};

/** Returns the variables of both services in the order of their schemas, each once. */
export function listVariables(): Variable[] {
  const variables = new Map<string, Variable>();
  for (const [reader, schema] of [
    ['redirect', redirectConfigSchema],
    ['management', configSchema],
  ] as const) {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    });
    for (const [name, property] of Object.entries(properties)) {
      const known = variables.get(name);
      const { description = '', default: given } = property as { description?: string; default?: unknown };
      variables.set(name, {
        name,
        readers: known ? 'both' : reader,
        defaultValue: required.includes(name)
          ? null
          : (COMPUTED_DEFAULTS[name] ?? (text(given) === '' ? (known?.defaultValue ?? '') : text(given))),
        description: known?.description ?? description,
      });
    }
  }
  return [...variables.values()];
}

/** Returns the table of variables in docs/configure.md. */
export function renderTable(): string {
  const rows = listVariables().map(({ name, readers, defaultValue, description }) => {
    const shown = defaultValue === null ? '_required_' : defaultValue === '' ? '' : `\`${defaultValue}\``;
    return `| \`${name}\` | ${readers} | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| variable | service | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** Returns the content of `.env.example`: what must be given stands bare, what has a default behind a comment sign. */
export function renderEnvExample(): string {
  const lines = listVariables().map(({ name, readers, defaultValue, description }) => {
    const assignment = defaultValue === null ? `${name}=` : `# ${name}=${defaultValue}`;
    return `# ${readers}: ${description}\n${assignment}\n`;
  });
  return `# Every variable of both services. X_FILE may stand for X and names a file that holds the value.\n\n${lines.join('\n')}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
