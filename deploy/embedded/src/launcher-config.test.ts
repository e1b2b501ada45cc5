import { expect, test } from 'vitest';
import { findMisspeltNames, readLauncherConfig } from './launcher-config.js';

test('reports every invalid variable of the launcher and of both services once', () => {
  const env = {
    REDIRECT_PORT: 'abc',
    LOG_LEVEL: 'loud',
    POSTGRES_CONNECTIONS_MAX: '1',
    REDIRECT_STATUS: '999',
  };
  let message = '';
  try {
    readLauncherConfig(env);
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

test('requires no variable', () => {
  expect(readLauncherConfig({ DATABASE_URL: '' }).MANAGEMENT_PORT).toBe(3000);
});

test('accepts X_FILE for a variable that services require', () => {
  const none = '/a/file/that/is/not/there';
  expect(() => readLauncherConfig({ DATABASE_URL_FILE: none })).toThrow(
    `The configuration is not usable:\n  DATABASE_URL_FILE names ${none}, which does not exist`,
  );
});

test('refuses short cookie keys', () => {
  expect(() => readLauncherConfig({ COOKIE_SECRETS: 'short' })).toThrow(
    'COOKIE_SECRETS: each needs 32 bytes',
  );
  expect(readLauncherConfig({ REDIRECT_HOST: '0.0.0.0' }).REDIRECT_HOST).toBe('0.0.0.0');
});

test('warns of misspelt names of every reader', () => {
  expect(
    findMisspeltNames({ REDIRECT_PROT: '1', MANAGEMENT_PORTS: '1', SMARTLINK_DATADIR: 'x' }),
  ).toHaveLength(3);
  expect(findMisspeltNames({ REDIRECT_PORT: '1', HOME: '/root' })).toEqual([]);
});
