import { expect, test } from 'vitest';
import { parseInternalPath, parseVisitPath } from './link-address.js';

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

test.each([
  ['/-/preview/Docs', { kind: 'preview', slug: 'Docs' }],
  ['/-/preview/docs/', { kind: 'preview', slug: 'docs' }],
  ['/-/card/leyla.vcf', { kind: 'vcard', slug: 'leyla' }],
  ['/-/qr/docs.svg', { kind: 'qr', slug: 'docs', format: 'svg' }],
  ['/-/qr/docs.png', { kind: 'qr', slug: 'docs', format: 'png' }],
  ['/-/ipad/app', { kind: 'chosen', slug: 'app', isScan: false, platform: 'ipad' }],
  ['/-/mac/q/app', { kind: 'chosen', slug: 'app', isScan: true, platform: 'mac' }],
  ['/-/ipad/q', { kind: 'chosen', slug: 'q', isScan: false, platform: 'ipad' }],
  ['/-/preview/a-b', null],
  ['/-/preview/', null],
  ['/-/preview/a/b', null],
  ['/-/preview/%61', null],
  ['/-/card/leyla', null],
  ['/-/card/leyla.vcf/', null],
  ['/-/qr/docs.gif', null],
  ['/-/qr/.svg', null],
  ['/-/ipad/q/', null],
  ['/-/android/app', null],
  [`/-/qr/${'a'.repeat(65)}.png`, null],
  ['/preview/docs', null],
])('the internal address %j', (path, address) => {
  expect(parseInternalPath(path)).toEqual(address);
});
