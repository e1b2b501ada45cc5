import { expect, test } from 'vitest';
import { readTarget } from './read-target.js';
import { SCENARIOS } from './scenarios.js';
import { readSettings, UsageError } from './settings.js';

const hot = SCENARIOS.find(({ name }) => name === 'hot')!;
const target = (env: Record<string, string>) => readTarget(readSettings(hot, [], env));
const GIVEN = { TARGET: 'http://127.0.0.1:1/', API_URL: 'https://127.0.0.1:2/base', API_KEY: 'key' };

test('takes an address with a slash at its end or without, and the API below a path', () => {
  expect(target(GIVEN)).toMatchObject({
    publicUrl: 'http://127.0.0.1:1',
    apiUrl: 'https://127.0.0.1:2/base',
  });
  expect(target({ ...GIVEN, TARGET: 'http://127.0.0.1:1' })?.publicUrl).toBe('http://127.0.0.1:1');
  expect(target({})).toBeNull();
});

test.each([
  [{ TARGET: 'example.org' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'ftp://127.0.0.1' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'javascript:1' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'http://127.0.0.1/path' }, 'without a path'],
  [{ TARGET: 'http://127.0.0.1/?' }, 'without a query or a fragment'],
  [{ TARGET: 'http://127.0.0.1#a' }, 'without a query or a fragment'],
  [{ TARGET: 'http://user:word@127.0.0.1' }, 'without a user or a password'],
  [{ API_URL: 'file:///etc' }, '--api-url: expected an address that begins with http'],
  [{ API_URL: 'http://user@127.0.0.1' }, 'without a user'],
  [{ API_URL: '' }, '--target needs --api-url and --api-key'],
  [{ CLICKHOUSE_URL: 'tcp://127.0.0.1' }, '--clickhouse-url: expected'],
  [{ METRICS_URL: 'metrics' }, '--metrics-url: expected'],
  [{ TARGET: '' }, 'API_URL is for a run with TARGET'],
])('refuses %j', (changed, message) => {
  const call = () => target({ ...GIVEN, ...changed });
  expect(call).toThrow(UsageError);
  expect(call).toThrow(message);
});
