import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { configSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { ConfigError, misspeltNames, readConfig } from '@smartlink/process/config';
import { readStackFile } from '@smartlink/process/database';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { formatTable } from '../cli/table.js';
import { type Env, print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { dataFolderOf } from '../engines/session.js';

/** How the texts of variables are printed. A new variable that is missing here counts as a secret. */
const SHOWN = {
  whole: `ABUSE_CONTACT_URL APPLE_APP_SITE_ASSOCIATION ASSET_LINKS CLICKHOUSE_CLUSTER CLICKHOUSE_ENGINE_PREFIX
    CLICKHOUSE_LOCAL_DATABASE CORS_ORIGINS COUNTRY_DATABASE COUNTRY_HEADER DEFAULT_LANGUAGE LOG_LEVEL MANAGEMENT_HOST
    METRICS_HOST OTEL_SERVICE_NAME REDIRECT_HOST REDIS_KEY_PREFIX SAFETY_BLOCKLIST_FILES SAFETY_PROVIDER SPOOL_DIR
    TRUSTED_PROXIES WEBHOOK_ALLOWED_NETWORKS`.split(/\s+/),
  address: ['CLICKHOUSE_URL', 'DATABASE_REPLICA_URL', 'DATABASE_URL', 'PUBLIC_BASE_URL', 'REDIS_URL'],
  origin: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ROOT_REDIRECT_URL', 'SAFETY_API_BASE_URL', 'SAFETY_HTTP_URL'],
};

export const SHOWN_NAMES: readonly string[] = Object.values(SHOWN).flat();

/**
 * The printable part of a variable's value, null when it has no value. Numbers and booleans are printed whole, texts as
 * SHOWN says. `isMasked`: something is left out.
 */
export function printValue(name: string, value: unknown): { text: string | null; isMasked: boolean } {
  if (typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), isMasked: false };
  const isText = typeof value === 'string' || Array.isArray(value);
  // Element by element: what follows a comma would be taken for a path.
  const parts = isText ? [value].flat().map(String) : Object.keys(value ?? {});
  const text = parts.join(',');
  if (text === '') return { text: null, isMasked: false };
  if (!isText) return { text: `set, ${plural(parts.length, 'value')}`, isMasked: true };
  if (SHOWN.whole.includes(name)) return { text, isMasked: false };
  if (!SHOWN_NAMES.includes(name)) {
    const lengths = parts.map((part) => Buffer.byteLength(part));
    return { text: `set, ${lengths.join(' and ')} bytes`, isMasked: true };
  }
  const shown = parts.map(SHOWN.address.includes(name) ? maskAddress : originOf).join(',');
  return { text: shown, isMasked: shown !== text };
}

// No secrets; of all other parameters only the names are printed.
const PLAIN_PARAMETERS = new Set(['sslmode', 'application_name', 'target_session_attrs']);

const ADDRESS = new RegExp(
  String.raw`^(?<scheme>[a-z][a-z\d+.-]*://)(?:(?<login>[^/?#]*)@)?(?<hosts>[^@/?#]*)` +
    String.raw`(?<path>[^@?#]*)(?:\?(?<query>[^@#]*))?(?:#[^@]*)?$`,
  'i',
);

/**
 * An address without passwords and unknown parameters. Not with URL, since addresses of Redis may name several hosts. An
 * address that cannot be read, or whose password has characters that end it early, is left out whole.
 */
export function maskAddress(url: string): string {
  const { scheme, login, hosts, path, query } = ADDRESS.exec(url)?.groups ?? {};
  if (scheme === undefined) return `set, ${Buffer.byteLength(url)} bytes`;
  // Without a colon the login may be a token.
  const shownLogin = login?.includes(':') ? login.replace(/:.*/s, ':***') : '***';
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => `${name}=${PLAIN_PARAMETERS.has(name) ? value : '***'}`,
  );
  const shownQuery = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${scheme}${login === undefined ? '' : `${shownLogin}@`}${hosts}${path}${shownQuery}`;
}

/** Scheme and host: paths of webhooks and collectors often are secret. */
function originOf(url: string): string {
  const masked = maskAddress(url);
  const [origin = masked] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(masked) ?? [];
  return origin === url || `${origin}/` === url ? url : origin.includes('://') ? `${origin}/…` : origin;
}

export const SERVICES = {
  redirect: redirectConfigSchema,
  management: configSchema,
  migrate: migrateConfigSchema,
};
export type ServiceName = keyof typeof SERVICES;

/**
 * A service's configuration as it would start with `env`; `stack` is the part that npm start gives. Problems are those of the
 * start, one line each, without values; warnings are about names that look misspelt.
 */
export function readServiceConfig(service: ServiceName, env: Env, stack: Env) {
  const schema = SERVICES[service];
  const all = { ...stack, ...env };
  const variables = Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    // An unusable value is not shown: its fault may be that it is another variable's secret.
    const { config, problems } = tryConfig(z.object({ [name]: field }), all);
    const { text: value, isMasked } = printValue(name, config?.[name]);
    const source = sourceOf(name, env, stack);
    return {
      service,
      name,
      /** null when it has no value, or an unusable one. */
      value,
      source: source === 'default' && value === null ? ('none' as const) : source,
      isMasked,
      isUsable: problems.length === 0,
    };
  });
  const problems = tryConfig(schema, all).problems.map((problem) => ({ service, problem }));
  return { variables, problems, warnings: misspeltNames(schema, env) };
}

/** `given` in the environment, in a `file`, by the running `stack` of npm start, or by `default`. */
function sourceOf(name: string, env: Env, stack: Env): 'given' | 'file' | 'stack' | 'default' {
  if (given(env, `${name}_FILE`) !== null) return 'file';
  if (given(env, name) !== null) return 'given';
  return given(stack, name) === null ? 'default' : 'stack';
}

type Shape<Service extends ServiceName> = (typeof SERVICES)[Service]['shape'];

/** The value of a variable, with its default; undefined when it has none or an unusable one. */
export function valueOf<Service extends ServiceName, Name extends keyof Shape<Service> & string>(
  service: Service,
  name: Name,
  env: Env,
) {
  const field = (SERVICES[service].shape as Shape<Service>)[name] as z.core.$ZodType;
  return tryConfig(z.object({ [name]: field }), env).config?.[name] as
    | z.output<Shape<Service>[Name]>
    | undefined;
}

function tryConfig(
  schema: z.ZodObject,
  env: Env,
): { config: Readonly<Record<string, unknown>> | null; problems: readonly string[] } {
  try {
    return { config: readConfig(schema, env), problems: [] };
  } catch (err) {
    if (err instanceof ConfigError) return { config: null, problems: err.problems };
    throw err;
  }
}

/** The environment with the content of readable files in place of their names. */
export function resolveFiles(env: Env): Env {
  const names = new Set(Object.values(SERVICES).flatMap((schema) => Object.keys(schema.shape)));
  const resolved = { ...env };
  for (const name of names) {
    if (given(env, `${name}_FILE`) === null || given(env, name) !== null) continue;
    const { config } = tryConfig(z.object({ [name]: z.string() }), env);
    if (config === null) continue;
    resolved[name] = String(config[name]);
    resolved[`${name}_FILE`] = undefined;
  }
  return resolved;
}

/** The value of a variable; null when it is not set or empty. */
export function given(env: Env, name: string): string | null {
  const value = env[name] ?? '';
  return value === '' ? null : value;
}

/** The variables that the stack of npm start gives its services; none when DATABASE_URL is set or no stack runs. */
export function readStackVariables(env: Env): Env {
  if (given(env, 'DATABASE_URL') !== null || given(env, 'DATABASE_URL_FILE') !== null) return {};
  const stack = readStackFile(dataFolderOf(env));
  if (stack === null) return {};
  return {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    CLICKHOUSE_URL: stack.clickhouseUrl,
    PUBLIC_BASE_URL: stack.publicBaseUrl,
    MANAGEMENT_PORT: portOf(stack.managementUrl),
    REDIRECT_PORT: portOf(stack.publicBaseUrl),
    METRICS_PORT: portOf(stack.metricsUrl),
    // A stack that is starting does not name it yet.
    SPOOL_DIR: stack.spoolDir ?? join(dataFolderOf(env), 'spool'),
  };
}

function portOf(url: string | undefined): string | undefined {
  const port = url === undefined || !URL.canParse(url) ? '' : new URL(url).port;
  return port === '' ? undefined : port;
}

const NAMES: readonly string[] = Object.keys(SERVICES);

export function addConfigCommands(program: Command, terminal: Terminal): void {
  program
    .command('config')
    .description('show the configuration of the services')
    .command('print')
    .description('print every variable with its value, its source and its faults, without secrets')
    .option('--service <name>', `one of ${NAMES.join(', ')}; all of them by default`)
    .option('-j, --json', 'print {"variables", "problems", "warnings"}')
    .addHelpText(
      'after',
      `
It reads the environment and the files named by variables ending in _FILE, as a service does at startup. Without DATABASE_URL
it reads the variables that the stack of npm start gives its services. Secrets are printed as their length. The exit code is 1
if a service would refuse to start.
${examples('config print', 'config print --service redirect --json')}`,
    )
    .action((options: Options) => {
      printConfig(terminal, options);
    });
}

const NOT_THE_STACKS =
  'Values from the stack are those of npm start. All others are of this shell\nand may differ there.\n';

type Options = { service?: string; json?: true };

function printConfig(terminal: Terminal, options: Options): void {
  const services = NAMES.filter((name): name is ServiceName => (options.service ?? name) === name);
  if (services.length === 0) {
    // The value is not repeated: it may have been meant for another option.
    throw new Problem(`--service: expected one of ${NAMES.join(', ')}.`);
  }
  const stack = readStackVariables(terminal.env);
  const configs = services.map((service) => readServiceConfig(service, terminal.env, stack));
  const variables = configs.flatMap((config) => config.variables);
  const problems = configs.flatMap((config) => config.problems);
  const warnings = [...new Set(configs.flatMap((config) => config.warnings))];
  const lines = [
    ...(stack['DATABASE_URL'] === undefined ? [] : [NOT_THE_STACKS]),
    ...warnings.map((line) => `warning: ${line}\n`),
    ...problems.map(({ service, problem }) => `problem: ${service}: ${problem}\n`),
  ];
  const rows = variables.map(({ service, name, value, source, isUsable }) => [
    service,
    name,
    isUsable ? (value ?? '-') : '(not usable)',
    source === 'none' ? '-' : source,
  ]);
  const table = formatTable(terminal, ['service', 'variable', 'value', 'from'], rows);
  print(terminal, options.json, { variables, problems, warnings }, table + lines.join(''));
  if (problems.length > 0) {
    throw new Problem(
      `${plural(problems.length, 'problem')}: a service with this configuration refuses to start.`,
    );
  }
}
