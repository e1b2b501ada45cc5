import { configSchema as managementConfigSchema } from '@smartlink/management/config';
import { ConfigError, readConfig } from '@smartlink/process/config';
import type { Env } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { launcherConfigSchema } from './launcher-config.js';
import type { LauncherConfig } from './launcher-config.js';
import { StackError } from './stack-error.js';

// What the launcher gives the services, in a form that their schemas accept.
const GIVEN_BY_LAUNCHER = {
  DATABASE_URL: 'postgres://embedded',
  REDIS_URL: 'redis://embedded',
  CLICKHOUSE_URL: 'http://embedded',
};

/**
 * Returns the launcher's configuration. Throws StackError with every fault of the launcher's and of both services'
 * variables at once, so that nothing is started for a service that would refuse to run.
 */
export function readAllConfig(env: Env): LauncherConfig {
  const serviceEnv = { ...GIVEN_BY_LAUNCHER, ...withoutEmpty(env) };
  const problems = [
    ...problemsOf(() => readConfig(launcherConfigSchema, env)),
    ...problemsOf(() => readConfig(managementConfigSchema, serviceEnv)),
    ...problemsOf(() => readConfig(redirectConfigSchema, serviceEnv)),
  ];
  if (problems.length > 0) {
    throw new StackError(
      `The configuration is not usable:\n${[...new Set(problems)].map((p) => `  ${p}`).join('\n')}`,
    );
  }
  return readConfig(launcherConfigSchema, env);
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
