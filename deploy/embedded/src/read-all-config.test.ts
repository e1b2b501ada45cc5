import { expect, test } from 'vitest';
import { misspeltInAll, readAllConfig } from './read-all-config.js';

test('names every bad variable of the launcher and of both services, once', () => {
  const env = {
    REDIRECT_PORT: 'abc',
    LOG_LEVEL: 'loud',
    POSTGRES_CONNECTIONS_MAX: '1',
    REDIRECT_STATUS: '999',
  };
  let message = '';
  try {
    readAllConfig(env);
  } catch (err) {
    message = String(err);
  }
  expect(message.match(/^ {2}\w+/gm)?.toSorted()).toEqual([
    '  LOG_LEVEL',
    '  POSTGRES_CONNECTIONS_MAX',
    '  REDIRECT_PORT',
    '  REDIRECT_STATUS',
  ]);
});

test('needs nothing to be given', () => {
  expect(readAllConfig({ DATABASE_URL: '' }).MANAGEMENT_PORT).toBe(3000);
});

test('takes an address in a file, without a value of its own beside it', () => {
  const none = '/a/file/that/is/not/there';
  expect(() => readAllConfig({ DATABASE_URL_FILE: none })).toThrow(
    `The configuration is not usable:\n  DATABASE_URL_FILE names ${none}, which does not exist`,
  );
});

test('needs keys of cookies to be good ones where they are given', () => {
  expect(() => readAllConfig({ COOKIE_SECRETS: 'short' })).toThrow('COOKIE_SECRETS: each needs 32 bytes');
  expect(readAllConfig({ REDIRECT_HOST: '0.0.0.0' }).REDIRECT_HOST).toBe('0.0.0.0');
});

test('asks about names that look misspelt, whoever would read them', () => {
  expect(misspeltInAll({ REDIRECT_PROT: '1', MANAGEMENT_PORTS: '1', SMARTLINK_DATADIR: 'x' })).toHaveLength(
    3,
  );
  expect(misspeltInAll({ REDIRECT_PORT: '1', HOME: '/root' })).toEqual([]);
});
