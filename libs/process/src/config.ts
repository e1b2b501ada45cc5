import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseNetworks } from './client-address.js';
import { addressSecretProblem } from './config-secrets.js';

export { addressSecretProblem, isLoopback, placeholderProblem, secretProblem } from './config-secrets.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** All that is wrong with the environment, one line a variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * The configuration that `schema` (keys are the names of variables) reads from `env`, frozen.
 * `X_FILE` may be set instead of `X` and names a file whose content, without its last line break, is the value; both at once
 * are refused, since one of them would be ignored. An empty value counts as not given. Throws ConfigError with every
 * problem at once; so that rules over several variables are among them, give them to the schema with RUN_ALWAYS.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Env,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  // Their file could not be read; do not also report a missing value.
  const unread = new Set<string>();
  for (const name of Object.keys(schema.shape)) {
    try {
      const value = readVariable(name, env);
      if (value !== undefined) values[name] = value;
    } catch (err) {
      problems.push(`${name}_FILE ${err instanceof Error ? err.message : String(err)}`);
      unread.add(name);
    }
  }
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path.map(String).join('.');
      if (unread.has(name)) continue;
      if (name in values) problems.push(`${name}: ${issue.message}`);
      // A rule over several variables says itself why one of them is needed.
      else if (issue.code === 'custom')
        problems.push(`${name} is not set: ${describe(schema, name)} (${issue.message})`);
      else problems.push(`${name} is not set: ${describe(schema, name)}`);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return Object.freeze(parsed.data);
}

/** For `superRefine`: a rule over several variables is looked at also when some of them are wrong, which it must bear. */
export const RUN_ALWAYS = { when: () => true } as const;

/** A warning for each variable whose name looks like a misspelling of one of the schema's. */
export function misspeltNames(schema: z.ZodObject, env: Env): readonly string[] {
  return misspeltVariables(Object.keys(schema.shape), env);
}

/**
 * Like readConfig, but prints every problem to standard error, with the names that look misspelt, and ends the process
 * with 1.
 */
export function readConfigOrExit<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Env,
): Readonly<z.output<z.ZodObject<Shape>>> {
  try {
    return readConfig(schema, env);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const lines = [...err.problems, ...misspeltNames(schema, env)];
    const shown = lines.map((line) => `  ${line.replaceAll(/\p{Cc}/gu, '?')}\n`);
    process.stderr.write(`The configuration is not usable:\n${shown.join('')}`);
    process.exit(1);
  }
}

/** A TCP port; 0 asks the system for a free one. */
export const portVariable = (fallback: number) =>
  wholeNumber(fallback, 0, 65_535, 'expected a port, 0 to 65535');

/** A whole number within bounds. */
export const integerVariable = (fallback: number, min: number, max: number) =>
  wholeNumber(fallback, min, max, `expected a whole number from ${min} to ${max}`);

// Digits alone: Number also takes 1e3, 0x50 and a space.
const wholeNumber = (fallback: number, min: number, max: number, expected: string) =>
  z
    .string()
    .default(String(fallback))
    .transform((text) => (/^-?\d+$/.test(text) ? Number(text) : NaN))
    .pipe(z.number(expected).refine((value) => value >= min && value <= max, expected));

/** `true` or `false`. */
export const flagVariable = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'expected true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

/** An absolute URL with one of the given protocols (`https:` and the like). The value itself is never printed. */
export const urlVariable = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      try {
        return protocols.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    `expected a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  );

/** Like urlVariable, for a database: rejects URLs without a password or with a well-known one. */
export const databaseUrlVariable = (...protocols: string[]) =>
  urlVariable(...protocols).superRefine((value, context) => {
    const message = addressSecretProblem(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** A text in which `findProblem` finds nothing wrong (null); what it finds must not hold the value, which is never printed. */
export const checkedVariable = (findProblem: (value: string) => string | null) =>
  z.string().superRefine((value, context) => {
    const message = findProblem(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/**
 * The http or https origin that addresses begin with: scheme, host and port, without a slash at its end. A path
 * or a user would appear in every printed address.
 */
export const baseUrlVariable = () =>
  z.string().transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.host !== '' && url.href === `${url.origin}/`) {
      return url.origin;
    }
    context.addIssue({
      code: 'custom',
      message: 'expected http or https, host and port alone, as in https://sl.example.com',
    });
    return z.NEVER;
  });

/** Prefix of all keys in a shared store. */
export const keyPrefixVariable = (fallback: string) =>
  z
    .string()
    .regex(/^[\w:{}.-]{0,64}$/, 'expected at most 64 letters, digits and any of _ : { } . -')
    .default(fallback);

/** A comma-separated list; empty by default. */
export const listVariable = () =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    );

/** pino's levels. */
export const logLevelVariable = () =>
  z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'expected fatal, error, warn, info, debug, trace or silent',
    )
    .default('info');

function readVariable(name: string, env: Env): string | undefined {
  const file = env[`${name}_FILE`] ?? '';
  const value = env[name] ?? '';
  if (file === '') return value === '' ? undefined : value;
  if (value !== '') throw new Error(`and ${name} are both set: keep one of them`);
  return readVariableFile(file);
}

function describe<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, name: string): string {
  const field = schema.shape[name];
  return (field && z.globalRegistry.get(field)?.description) ?? 'a value is required';
}

/**
 * A line for each unused variable that is one typo from one in `names`: a letter too many, too few or wrong, two letters
 * swapped, other case, a missing underscore. Never names a value.
 */
export function misspeltVariables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const known = new Map(names.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, plain(name)]));
  const lines: string[] = [];
  for (const given of Object.keys(env)) {
    if (known.has(given) || (env[given] ?? '') === '') continue;
    const letters = plain(given);
    const [meant] = [...known].find(([, name]) => isSlipOf(letters, name)) ?? [];
    if (meant !== undefined) lines.push(`${given} is set and nothing reads it: is ${meant} meant?`);
  }
  return lines;
}

function isSlipOf(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) &&
      restA.charAt(0) + restA.charAt(1) === restB.charAt(1) + restB.charAt(0))
  );
}

const plain = (name: string): string => name.toUpperCase().replace(/[_-]/g, '');

const BYTES_MAX = 1024 * 1024;

/**
 * The content of the file named by a variable `X_FILE`, without its last line break. Throws for an unreadable or empty file,
 * and for one above 1 MiB, with a message that follows the variable's name.
 */
export function readVariableFile(file: string): string {
  const place = describePlace(file);
  const text = read(file, place).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`names ${place}, which is empty`);
  return text;
}

function read(file: string, place: string): string {
  try {
    const stats = statSync(file);
    // Reading a pipe might block for ever.
    if (!stats.isFile()) {
      throw new Error(`names ${place}, which is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`);
    }
    if (stats.size > BYTES_MAX) throw new Error(`names ${place}, which is larger than 1 MiB`);
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (!(err instanceof Error) || !('code' in err)) throw err;
    const code = String(err.code);
    throw new Error(`names ${place}, ${UNREADABLE[code] ?? `which cannot be read (${code})`}`, {
      cause: err,
    });
  }
}

// A secret given instead of its file's path must not appear in a log.
function describePlace(file: string): string {
  const isPath = /^\.{0,2}\/[\w./@+ -]{1,256}$/.test(file) && !file.includes('//');
  return isPath ? file : 'something that is no path of a file';
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  ENOTDIR: 'which does not exist',
  ENAMETOOLONG: 'which does not exist',
  EACCES: 'which this user may not read',
};

/** METRICS_HOST, common to the services. */
export function metricsHostVariable() {
  return z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'address the metrics listen on; beyond loopback only on an internal network: they need no password',
    );
}

/** A comma-separated list of addresses and CIDR ranges. */
export function networksVariable() {
  return listVariable().refine(
    (ranges) => parseNetworks(ranges) !== null,
    'expected addresses or CIDR ranges',
  );
}

/** Addresses of name servers with or without a port, as `Resolver.setServers` takes them. */
export function dnsServersVariable() {
  return listVariable().refine(
    (servers) => servers.every(isDnsServer),
    'expected addresses like 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
  );
}

function isDnsServer(text: string): boolean {
  const [, address = '', port] = /^([\d.]+|\[[\da-f:.]+\])(?::([1-9]\d{0,4}))?$/i.exec(text) ?? [text, text];
  return isIP(address.replace(/^\[|\]$/g, '')) !== 0 && Number(port ?? 53) <= 65_535;
}

/** TRUSTED_PROXIES, common to the services. */
export function trustedProxiesVariable() {
  return networksVariable().describe(
    'comma-separated CIDR ranges of proxies whose X-Forwarded-For is trusted; none by default',
  );
}

/** The variables of countries, common to the services. */
export const countryVariables = {
  /** In lower case, as requests are read; '' for none. */
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z\d-]{0,64}$/, 'expected the name of a header')
    .default('')
    .transform((name) => name.toLowerCase())
    .describe("header in which a trusted proxy names the client's country (CF-IPCountry); none by default"),
  COUNTRY_DATABASE: z
    .string()
    .min(1)
    .optional()
    .describe('country database in MaxMind format (GeoLite2-Country.mmdb); one is built in'),
};

/** ABUSE_CONTACT_URL, common to the services. */
export function abuseContactVariable() {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^(?:https:\/\/.|mailto:[^@?]+@[^@?]+)/.test(new URL(text).href),
      'expected a URL that starts with https://, or mailto: and an address',
    )
    .transform((text) => new URL(text).href)
    .optional()
    .describe('https or mailto address at which visitors report a page; every page links to it');
}
