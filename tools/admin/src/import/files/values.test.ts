import { expect, test } from 'vitest';
import { readForeign, SERVICES, slugOf } from './services.js';
import { isYes, nameOf, parseMoment, toCount } from './values.js';

test.each([
  ['2025-10-13T17:11:28+0000', '2025-10-13T17:11:28.000Z'],
  ['2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000Z'],
  ['2024-05-06T07:08:09-0330', '2024-05-06T10:38:09.000Z'],
  ['2024-05-06T07:08:09.1239Z', '2024-05-06T07:08:09.123Z'],
  ['2024-05-06T07:08:09,5Z', '2024-05-06T07:08:09.500Z'],
  ['2019-08-07 06:05:04', '2019-08-07T06:05:04.000Z'],
  ['2019-08-07 06:05:04+00', '2019-08-07T06:05:04.000Z'],
  ['2019-08-07 06:05:04 UTC', '2019-08-07T06:05:04.000Z'],
  ['2019-08-07 06:05', '2019-08-07T06:05:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
  ['1700000000123', '2023-11-14T22:13:20.123Z'],
])('reads %s, as UTC where it names no zone', (text, iso) => {
  expect(parseMoment(text)?.toISOString()).toBe(iso);
});

test.each([
  '2023-02-29',
  '2023-13-01',
  '2023-01-01T24:00:00Z',
  '2023-01-01T00:60:00Z',
  '2023-01-01T00:00:00+15:00',
  '0050-01-01',
  '0000-00-00 00:00:00',
  '01/02/2023',
  '2.1.2023',
  'Jan 5, 2023',
  '2023',
  '123',
  '',
  'yesterday',
])('refuses %j', (text) => {
  expect(parseMoment(text)).toBeNull();
});

const readKutt = (members: object, newPassword?: string) =>
  readForeign(
    SERVICES.kutt,
    { target: 'https://example.com/a', address: 'a', description: 'A', ...members },
    { newPassword, now: new Date() },
  );

test('creates a link without date and counts', () => {
  expect(readKutt({})).toEqual({
    body: {
      configuration: { smartlinkName: 'A', smartlinkUrl: 'a', smartlinkType: 'Url' },
      shortener: { url: 'https://example.com/a' },
    },
  });
});

test.each<[string, object, string?]>([
  ['address', { target: ' ' }],
  ['address', { target: null }],
  ['createdAt', { created_at: '01/02/2026' }],
  ['createdAt', { created_at: true }],
  ['clicks', { visit_count: '1,200' }],
  ['clicks', { visit_count: -1 }],
  ['clicks', { visit_count: '9007199254740993' }],
  ['password', { password: true }],
  ['password', { password: true }, ' '],
])('refuses a link with a wrong %s: %j', (word, members, newPassword) => {
  const reason = expect.stringContaining(word) as string;
  expect(readKutt(members, newPassword)).toMatchObject({ reason, slug: 'a' });
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

test('makes names of one line and 64 code points', () => {
  expect(nameOf([' \u200b ', null, 'two\r\n lines\0 '])).toBe('two lines');
  expect(nameOf(['😀'.repeat(100)])).toBe('😀'.repeat(64));
  expect(nameOf(['x'.repeat(1_000_000)])).toBe('x'.repeat(64));
  expect(nameOf(['\ud800'])).toBe('\ufffd');
  expect(nameOf([null, ''])).toBe('Link');
});

test('reads counts, nothing, and unreadable counts', () => {
  expect([0, '7', ' 8 ', '', null, undefined].map(toCount)).toEqual([0, 7, 8, null, null, null]);
  expect(['x', 1.5, true, {}, '-1'].map(toCount)).toEqual(Array(5).fill('unreadable'));
});

test('reads a hash as yes, and false values of databases as no', () => {
  expect([true, 1, '1', 't', '$2a$12$hash'].every(isYes)).toBe(true);
  expect([false, 0, '0', 'f', 'FALSE', '', null, undefined].some(isYes)).toBe(false);
});
