import { expect, test } from 'vitest';
import { readAllConfig } from './read-all-config.js';

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
