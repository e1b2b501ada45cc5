import { readFileSync } from 'node:fs';
import { z } from 'zod';

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
 * `X_FILE` may stand for `X` and names a file whose content, without its last line break, is the value.
 * An empty value counts as not given. Throws ConfigError with every problem at once.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Env,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    try {
      const value = readVariable(name, env);
      if (value !== undefined) values[name] = value;
    } catch (err) {
      problems.push(`${name}_FILE: ${err instanceof Error ? err.message : String(err)}`);
    }
  }
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path.map(String).join('.');
      const missing = !(name in values);
      problems.push(missing ? `${name} is not set: ${describe(schema, name)}` : `${name}: ${issue.message}`);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return Object.freeze(parsed.data);
}

/** As readConfig, but prints every problem to standard error and ends the process with 1. */
export function readConfigOrExit<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Env,
): Readonly<z.output<z.ZodObject<Shape>>> {
  try {
    return readConfig(schema, env);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    process.stderr.write(`The configuration is not usable:\n${err.problems.map((p) => `  ${p}\n`).join('')}`);
    process.exit(1);
  }
}

/** A TCP port; 0 asks the system for a free one. */
export const portVariable = (fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .transform(Number)
    .pipe(z.int('expected a port, 0 to 65535').min(0).max(65_535));

/** A whole number within bounds. */
export const integerVariable = (fallback: number, min: number, max: number) =>
  z
    .string()
    .default(String(fallback))
    .transform(Number)
    .pipe(
      z
        .number(`expected a whole number from ${min} to ${max}`)
        .refine(
          (value) => Number.isInteger(value) && value >= min && value <= max,
          `expected a whole number from ${min} to ${max}`,
        ),
    );

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
  urlVariable('http:', 'https:')
    .refine((value) => {
      const { username, password, pathname, search, hash } = new URL(value);
      return username === '' && password === '' && pathname === '/' && search === '' && hash === '';
    }, 'expected scheme, host and port alone, as in https://sl.example.com')
    .transform((value) => new URL(value).origin);

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
  const file = env[`${name}_FILE`];
  const value = file ? readFileSync(file, 'utf8').replace(/\r?\n$/, '') : env[name];
  return value === '' ? undefined : value;
}

function describe<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, name: string): string {
  const field = schema.shape[name];
  return (field && z.globalRegistry.get(field)?.description) ?? 'a value is required';
}
