import { expect, test } from 'vitest';
import { misspeltVariables } from './config.js';

const NAMES = ['REDIRECT_PORT', 'DATABASE_URL', 'COOKIE_SECRETS'];
const meantBy = (given: string): string | undefined =>
  /is (\w+) meant/.exec(misspeltVariables(NAMES, { [given]: 'a value' })[0] ?? '')?.[1];

test.each([
  ['REDIRECT_PROT', 'REDIRECT_PORT'],
  ['REDIRECT_PORTS', 'REDIRECT_PORT'],
  ['REDIRCT_PORT', 'REDIRECT_PORT'],
  ['REDIRECTPORT', 'REDIRECT_PORT'],
  ['redirect_port', 'REDIRECT_PORT'],
  ['COOKIE_SECRET', 'COOKIE_SECRETS'],
  ['DATABASE_URL_FLIE', 'DATABASE_URL_FILE'],
])('%s may mean %s', (given, meant) => {
  expect(meantBy(given)).toBe(meant);
});

test.each(['PATH', 'REDIRECT_HOST', 'DATABASE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'PORT'])(
  'says nothing about %s',
  (given) => {
    expect(meantBy(given)).toBeUndefined();
  },
);

test('says nothing about an empty one, and never a value', () => {
  expect(misspeltVariables(NAMES, { REDIRECT_PROT: '' })).toEqual([]);
  expect(misspeltVariables(NAMES, { DATABASE_URI: 'postgres://u:secret@h/d' })[0]).not.toContain('secret');
});
