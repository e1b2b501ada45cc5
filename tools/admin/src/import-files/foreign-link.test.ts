import { expect, test } from 'vitest';
import { fromForeign, isYes, nameOf, slugOf, toCount } from './foreign-link.js';
import type { ForeignLink } from './foreign-link.js';

const now = new Date('2026-06-01');
const link: ForeignLink = { url: 'https://example.com/a', slug: 'a', title: 'A', createdAt: '', clicks: '' };

test('makes a link without date and counts of what has none', () => {
  expect(fromForeign(link, { now })).toEqual({
    body: {
      configuration: { smartlinkName: 'A', smartlinkUrl: 'a', smartlinkType: 'Url' },
      shortener: { url: 'https://example.com/a' },
    },
  });
});

test.each<[string, Partial<ForeignLink>]>([
  ['address', { url: ' ' }],
  ['address', { url: null }],
  ['date', { createdAt: '01/02/2026' }],
  ['date', { createdAt: true }],
  ['count', { clicks: '1,200' }],
  ['count', { clicks: -1 }],
  ['count', { scans: '1e3' }],
  ['count', { clicks: '9007199254740993' }],
  ['password', { hasPassword: true }],
])('refuses a link with a wrong %s: %j', (word, members) => {
  expect(fromForeign({ ...link, ...members }, { now })).toMatchObject({
    reason: expect.stringContaining(word) as string,
  });
});

test('gives a new password to a link that had one, if there is one to give', () => {
  expect(fromForeign({ ...link, hasPassword: true }, { now, newPassword: 'correct horse' })).toMatchObject({
    body: { shortener: { url: link.url, protected: true, password: 'correct horse' } },
  });
});

test.each([
  ['https://bit.ly/3abc', '3abc'],
  ['bit.ly/3abc', '3abc'],
  ['https://sho.example/x/abc/', 'abc'],
  ['https://go.example/caf%C3%A9?x=1/2#y/z', 'café'],
  ['https://go.example/50%', '50%'],
  ['https://go.example', null],
  ['', null],
  [null, null],
])('takes from %j the slug %j', (short, slug) => {
  expect(slugOf(short)).toBe(slug);
});

test('makes names of one line and 64 code points, of what can be one', () => {
  expect(nameOf([' \u200b ', null, 'two\r\n lines\0 '])).toBe('two lines');
  expect(nameOf(['😀'.repeat(100)])).toBe('😀'.repeat(64));
  expect(nameOf(['x'.repeat(1_000_000)])).toBe('x'.repeat(64));
  expect(nameOf(['\ud800'])).toBe('\ufffd');
  expect(nameOf([null, ''])).toBe('Link');
});

test('tells counts from nothing and from what is none', () => {
  expect([0, '7', ' 8 ', '', null, undefined].map(toCount)).toEqual([0, 7, 8, null, null, null]);
  expect(['x', 1.5, true, {}, '-1'].map(toCount)).toEqual(Array(5).fill('unreadable'));
});

test('takes a hash for a yes, and what databases write for false for a no', () => {
  expect([true, 1, '1', 't', '$2a$12$hash'].every(isYes)).toBe(true);
  expect([false, 0, '0', 'f', 'FALSE', '', null, undefined].some(isYes)).toBe(false);
});
