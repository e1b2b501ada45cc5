import { expect, test } from 'vitest';
import { parseVisitPath } from './visit-path.js';

test.each([
  ['/Docs', 'Docs', false],
  ['/Docs/', 'Docs', false],
  ['/q/Docs', 'Docs', true],
  ['/Q/DOCS/', 'DOCS', true],
  ['/q', 'q', false],
  ['/q/', 'q', false],
  ['/q/q', 'q', true],
  [`/${'a'.repeat(64)}`, 'a'.repeat(64), false],
])('%s is the slug %s', (path, slug, isScan) => {
  expect(parseVisitPath(path)).toEqual({ slug, isScan });
});

test.each([
  '/',
  '//',
  '//evil.com',
  '//Docs',
  '/Docs//',
  '/slug/x',
  '/q/Docs/x',
  '/q//Docs',
  `/${'a'.repeat(65)}`,
  '/a+b',
  '/a%2Bb',
  '/%00',
  '/..',
  '/../Docs',
  '/%2e%2e',
  '/D%6Fcs',
  '/ä',
  '/ſ',
  '/-/live',
  '/favicon.ico',
  '/Docs ',
  '',
])('%j is no slug', (path) => {
  expect(parseVisitPath(path)).toBeNull();
});
