import { z } from 'zod';
import { addressSecretProblem } from './config-secrets.js';
import { misspeltVariables } from './config-typos.js';
import { readVariableFile } from './variable-file.js';

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
 * Returns the configuration that `schema` (keys are the names of variables) reads from `env`, frozen.
 * `X_FILE` may stand for `X` and names a file whose content, without its last line break, is the value; both at once
 * are refused, since one of them would be ignored. An empty value counts as not given. Throws ConfigError with every
 * problem at once; so that rules over several variables are among them, give them to the schema with RUN_ALWAYS.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Env,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  // Of these the file is what is wrong, and not that they have no value.
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

/** Returns a line for each variable that looks like a slip for one of the schema's (config-typos.ts), for a warning. */
export function misspeltNames(schema: z.ZodObject, env: Env): readonly string[] {
  return misspeltVariables(Object.keys(schema.shape), env);
}

/**
 * As readConfig, but prints every problem to standard error, with the names that look misspelt, and ends the process
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

/** As urlVariable, for the address of a database: without a password, or with one that everybody knows, it is refused. */
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
 * The http or https origin that addresses begin with: scheme, host and port, without a slash at its end. Anything behind
 * them, and a user before them, would stand in every address that is printed.
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

/** What keys of a store that others use too begin with. */
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
