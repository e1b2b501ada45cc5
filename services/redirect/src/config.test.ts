import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from './config.js';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1/x',
};
const SECRET = '0123456789abcdef'.repeat(2);

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(redirectConfigSchema, { ...NEEDED, ...env });
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.problems;
    throw err;
  }
}

test('beyond loopback the keys of cookies must be given, which is told with all else that is wrong', () => {
  expect(problemsOf({ REDIRECT_HOST: '127.0.0.1' })).toEqual([]);
  expect(problemsOf({ REDIRECT_HOST: '0.0.0.0', COOKIE_SECRETS: SECRET })).toEqual([]);
  const problems = problemsOf({ REDIRECT_HOST: '0.0.0.0', REDIRECT_PORT: 'x' });
  expect(problems).toHaveLength(2);
  expect(problems[1]).toMatch(/^COOKIE_SECRETS is not set: .*required unless REDIRECT_HOST is loopback/);
});

test('each of the keys must be a good one, and none is told', () => {
  const [problem = ''] = problemsOf({ COOKIE_SECRETS: `${SECRET},not-so-long` });
  expect(problem).toMatch(/^COOKIE_SECRETS: each needs 32 bytes/);
  expect(problem).not.toContain('not-so-long');
});

test('a Redis beyond this machine may lack a password, the databases may not', () => {
  expect(problemsOf({ REDIS_URL: 'redis://cache' })).toEqual([]);
  expect(problemsOf({ REDIS_URL: 'redis://:redis@cache' })).toHaveLength(1);
  const urls = { DATABASE_URL: 'postgres://app@db/x', CLICKHOUSE_URL: 'http://events:8123/x' };
  expect(problemsOf(urls)).toEqual([
    'DATABASE_URL: has no password, which only an address of this machine may lack',
    'CLICKHOUSE_URL: has no password, which only an address of this machine may lack',
  ]);
});
