import { z } from 'zod';
import { redisAddressProblem } from '@smartlink/links/redis';
import { configSchema as managementConfigSchema } from '@smartlink/management/config';
import {
  baseUrlVariable,
  checkedVariable,
  ConfigError,
  type Env,
  misspeltNames,
  portVariable,
  readConfig,
  urlVariable,
} from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { StackError } from './stack-error.js';

/** Variables that `npm start` itself reads. All others are passed to the services unchanged. */
export const launcherConfigSchema = z.object({
  DATABASE_URL: urlVariable('postgres:', 'postgresql:')
    .optional()
    .describe('address of the Postgres database; embedded when not given'),
  REDIS_URL: checkedVariable(redisAddressProblem)
    .optional()
    .describe('address of Redis; embedded when not given'),
  CLICKHOUSE_URL: urlVariable('http:', 'https:')
    .optional()
    .describe('address of ClickHouse, with the database as its path; embedded when not given'),
  SMARTLINK_DATA_DIR: z
    .string()
    .default('.data')
    .describe('folder of the embedded engines, logs and secrets'),
  SPOOL_DIR: z
    .string()
    .optional()
    .describe('folder of events on their way to ClickHouse; <data>/spool by default'),
  MEDIA_DIR: z.string().optional().describe('folder of uploaded pictures; <data>/media by default'),
  MANAGEMENT_PORT: portVariable(3000).describe('port of the API; 0 takes a free one'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  REDIRECT_PORT: portVariable(8080).describe('port of the public side; 0 takes a free one'),
  REDIRECT_HOST: z.string().default('127.0.0.1').describe('address the public side listens on'),
  METRICS_PORT: portVariable(9464).describe("port of the redirect service's metrics; 0 takes a free one"),
  MANAGEMENT_METRICS_PORT: portVariable(9465).describe(
    'port of the metrics of management; 0 takes a free one',
  ),
  PUBLIC_BASE_URL: baseUrlVariable()
    .optional()
    .describe('address visitors see; http://127.0.0.1:$REDIRECT_PORT by default'),
  COOKIE_SECRETS: z
    .string()
    .optional()
    .describe('comma-separated keys of unlock cookies; made once when not given'),
});

export type LauncherConfig = Readonly<z.output<typeof launcherConfigSchema>>;

// Placeholders for values from the launcher, in a form that the services' schemas accept.
const GIVEN_BY_LAUNCHER = {
  DATABASE_URL: 'postgres://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1',
  COOKIE_SECRETS: 'created by the launcher: 32 random bytes',
};

/**
 * Configuration of the launcher. Throws StackError with all faults in variables of the launcher and of both services, so
 * that no engine is started for a service that would refuse its configuration.
 */
export function readLauncherConfig(env: Env): LauncherConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const stillMissing = Object.entries(GIVEN_BY_LAUNCHER).filter(([name]) => !(`${name}_FILE` in given));
  const serviceEnv = { ...Object.fromEntries(stillMissing), ...given };
  const readings = [
    () => readConfig(launcherConfigSchema, env),
    () => readConfig(managementConfigSchema, serviceEnv),
    () => readConfig(redirectConfigSchema, serviceEnv),
  ];
  const problems = new Set<string>();
  for (const read of readings) {
    try {
      read();
    } catch (err) {
      if (!(err instanceof ConfigError)) throw err;
      for (const problem of err.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) {
    const lines = [...problems, ...findMisspeltNames(env)].map((line) => `  ${line}`);
    throw new StackError(`The configuration is not usable:\n${lines.join('\n')}`);
  }
  return readConfig(launcherConfigSchema, env);
}

/** A warning for each variable that resembles one of the launcher or of a service. */
export function findMisspeltNames(env: Env): readonly string[] {
  const schemas = [launcherConfigSchema, managementConfigSchema, redirectConfigSchema];
  return [...new Set(schemas.flatMap((schema) => misspeltNames(schema, env)))];
}
