import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '@smartlink/process/config';
import { configSchema } from './config.js';

test('missing variables of a safety provider are reported together with all other faults', () => {
  let problems: readonly string[] = [];
  try {
    readConfig(configSchema, {
      DATABASE_URL: 'postgres://app:change-me@db/x',
      REDIS_URL: 'redis://127.0.0.1',
      MANAGEMENT_PORT: 'x',
      SAFETY_PROVIDER: 'http',
      SAFETY_HTTP_TOKEN: '<token>',
    });
  } catch (err) {
    if (err instanceof ConfigError) problems = err.problems;
  }
  expect(problems.map((problem) => problem.split(/:| is/, 1)[0])).toEqual([
    'DATABASE_URL',
    'CLICKHOUSE_URL',
    'MANAGEMENT_PORT',
    'SAFETY_HTTP_TOKEN',
    'SAFETY_HTTP_URL',
  ]);
});
