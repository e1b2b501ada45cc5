import { configSchema as managementConfigSchema } from '@smartlink/management/config';
import { ConfigError, misspeltNames, readConfig } from '@smartlink/process/config';
import type { Env } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { launcherConfigSchema } from './launcher-config.js';
import type { LauncherConfig } from './launcher-config.js';
import { StackError } from './stack-error.js';

// What the launcher gives the services, in a form that their schemas accept.
const GIVEN_BY_LAUNCHER = {
  DATABASE_URL: 'postgres://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1',
  // Made once, see secrets.ts.
  COOKIE_SECRETS: 'the launcher makes one of 32 bytes and keeps it',
};

/**
 * Returns the launcher's configuration. Throws StackError with every fault of the launcher's and of both services'
 * variables at once, so that nothing is started for a service that would refuse to run.
 */
export function readAllConfig(env: Env): LauncherConfig {
  const given = withoutEmpty(env);
  const stillMissing = Object.entries(GIVEN_BY_LAUNCHER).filter(([name]) => !(`${name}_FILE` in given));
  const serviceEnv = { ...Object.fromEntries(stillMissing), ...given };
  const problems = [
    ...problemsOf(() => readConfig(launcherConfigSchema, env)),
    ...problemsOf(() => readConfig(managementConfigSchema, serviceEnv)),
    ...problemsOf(() => readConfig(redirectConfigSchema, serviceEnv)),
  ];
  if (problems.length > 0) {
    const lines = [...new Set(problems), ...misspeltInAll(env)];
    throw new StackError(`The configuration is not usable:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  return readConfig(launcherConfigSchema, env);
}

/** Returns a line for each variable that looks like a slip for one of the launcher's or a service's, for a warning. */
export function misspeltInAll(env: Env): readonly string[] {
  const schemas = [launcherConfigSchema, managementConfigSchema, redirectConfigSchema];
  return [...new Set(schemas.flatMap((schema) => misspeltNames(schema, env)))];
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.problems;
    throw err;
  }
}

function withoutEmpty(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
