import { expect, test } from 'vitest';
import { fileOf } from './file-of.js';

test.each([
  ['links.csv', '/home/ann', '/home/ann/links.csv'],
  ['../links.csv', '/home/ann', '/home/links.csv'],
  ['/srv/links.csv', '/home/ann', '/srv/links.csv'],
  ['-', '/home/ann', '-'],
  // As it was typed, where that says the same.
  ['links.csv', process.cwd(), 'links.csv'],
  ['links.csv', undefined, 'links.csv'],
])('%s named in %s is %s', (name, calledFrom, file) => {
  expect(fileOf({ env: { INIT_CWD: calledFrom } }, name)).toBe(file);
});
