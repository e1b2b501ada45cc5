import { configSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { ConfigError, misspeltNames, readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { z } from 'zod';
import type { Env } from './addresses.js';
import { printValue } from './config-mask.js';

export const SERVICES = {
  redirect: redirectConfigSchema,
  management: configSchema,
  migrate: migrateConfigSchema,
};
export type ServiceName = keyof typeof SERVICES;

export type Variable = {
  readonly service: ServiceName;
  readonly name: string;
  /** What may be shown; null when it has no value, or one that is not usable. */
  readonly value: string | null;
  /** `given` in the environment, in a `file`, by the running `stack` of npm start, by `default`, or not at all. */
  readonly source: 'given' | 'file' | 'stack' | 'default' | 'none';
  readonly isMasked: boolean;
  readonly isUsable: boolean;
};

export type ServiceConfig = {
  readonly variables: readonly Variable[];
  /** As at the start of the service, one line each, without values. */
  readonly problems: readonly string[];
  /** Names that look like a slip. */
  readonly warnings: readonly string[];
};

/** Returns a service's configuration as it would start with `env`; `stack` says which of it npm start has given. */
export function readServiceConfig(service: ServiceName, env: Env, stack: Env): ServiceConfig {
  const schema = SERVICES[service];
  const all = { ...stack, ...env };
  const variables = Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    const source = sourceOf(name, env, stack);
    const read = readAlone(name, field, all);
    const printed = printValue(name, read.value);
    return {
      service,
      name,
      value: printed.text,
      source: source === 'default' && printed.text === null ? ('none' as const) : source,
      isMasked: printed.isMasked,
      isUsable: read.isUsable,
    };
  });
  return { variables, problems: problemsOf(schema, all), warnings: misspeltNames(schema, env) };
}

function sourceOf(name: string, env: Env, stack: Env): 'given' | 'file' | 'stack' | 'default' {
  if ((env[`${name}_FILE`] ?? '') !== '') return 'file';
  if ((env[name] ?? '') !== '') return 'given';
  return (stack[name] ?? '') === '' ? 'default' : 'stack';
}

/** A value that is not usable is not returned: what is wrong with it may be that it is another variable's secret. */
function readAlone(name: string, field: z.core.$ZodType, env: Env): { value: unknown; isUsable: boolean } {
  try {
    const config: Readonly<Record<string, unknown>> = readConfig(z.object({ [name]: field }), env);
    return { value: config[name], isUsable: true };
  } catch (err) {
    if (err instanceof ConfigError) return { value: undefined, isUsable: false };
    throw err;
  }
}

function problemsOf(schema: z.ZodObject, env: Env): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.problems;
    throw err;
  }
}

/** Returns the environment with the content of files in place of their names, for who only looks: what cannot be read stays. */
export function resolveFiles(env: Env): Env {
  const names = [...new Set(Object.values(SERVICES).flatMap((schema) => Object.keys(schema.shape)))];
  const read = names.flatMap((name) => {
    if ((env[`${name}_FILE`] ?? '') === '' || (env[name] ?? '') !== '') return [];
    try {
      const config = readConfig(z.object({ [name]: z.string() }), env);
      return [[name, config[name]] as const];
    } catch (err) {
      if (err instanceof ConfigError) return [];
      throw err;
    }
  });
  const files = new Set(read.map(([name]) => `${name}_FILE`));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !files.has(name))),
    ...Object.fromEntries(read),
  };
}
