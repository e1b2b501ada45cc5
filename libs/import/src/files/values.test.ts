import { expect, test } from 'vitest';
import { readForeign, SERVICES, slugOf } from './services.js';
import { isAmbiguousDate, isYes, nameOf, parseMoment, tagsOf, toCount } from './values.js';

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
  ['06/01/2024 10:00 AM', '2024-06-01T10:00:00.000Z'],
  ['6/1/2024 12:05:09 am', '2024-06-01T00:05:09.000Z'],
  ['6/1/24 9:05', '2024-06-01T09:05:00.000Z'],
  ['6/1/2024, 10:00\u202fPM', '2024-06-01T22:00:00.000Z'],
  ['25/12/2024', '2024-12-25T00:00:00.000Z'],
  ['01.06.2024', '2024-06-01T00:00:00.000Z'],
  ['1.6.2024 10:00', '2024-06-01T10:00:00.000Z'],
  ['01-06-2024', '2024-06-01T00:00:00.000Z'],
  ['2024/6/1', '2024-06-01T00:00:00.000Z'],
  ['Jun 1, 2024', '2024-06-01T00:00:00.000Z'],
  ['June 1st, 2024 at 10:00 AM', '2024-06-01T10:00:00.000Z'],
  ['Sat, 01 Jun 2024 10:00:00 GMT', '2024-06-01T10:00:00.000Z'],
  ['1-Jun-2024 10:00:00 +0200', '2024-06-01T08:00:00.000Z'],
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
  '13/13/2023',
  '02/30/2023',
  '31.02.2023',
  '1.2/2023',
  'Foo 5, 2023',
  '06/01/2024 13:00 PM',
  '06/01/2024 10:00 PST',
  '2023',
  '123',
  '',
  'yesterday',
])('refuses %j', (text) => {
  expect(parseMoment(text)).toBeNull();
});

test('reads 01/02/2023 in the given order, and says that it is a guess without one', () => {
  expect(parseMoment('01/02/2023')?.toISOString()).toBe('2023-01-02T00:00:00.000Z');
  expect(parseMoment('01/02/2023', 'dmy')?.toISOString()).toBe('2023-02-01T00:00:00.000Z');
  expect(parseMoment('25/12/2023', 'mdy')).toBeNull();
  expect(['01/02/2023', '1/2/23 10:00'].every(isAmbiguousDate)).toBe(true);
  expect(['13/02/2023', '02/02/2023', '2023-01-02', '01.02.2023', ''].some(isAmbiguousDate)).toBe(false);
});

const readKutt = (members: object, newPassword?: string) =>
  readForeign(
    SERVICES.kutt,
    { target: 'https://example.com/a', address: 'a', description: 'A', ...members },
    { newPassword },
  );

test('creates a link without date and counts', () => {
  expect(readKutt({})).toEqual({
    domain: null,
    faults: [],
    losses: [],
    body: {
      configuration: { smartlinkName: 'A', smartlinkUrl: 'a', smartlinkType: 'Url' },
      shortener: { url: 'https://example.com/a' },
    },
  });
});

test.each<[string, object, string?]>([
  ['shortener', { target: ' ' }],
  ['shortener', { target: null }],
  ['shortener.password', { password: true }],
  ['shortener.password', { password: true }, ' '],
])('finds the fault at %s of %j', (path, members, newPassword) => {
  expect(readKutt(members, newPassword)).toMatchObject({ faults: [{ path }], losses: [] });
});

test.each<[string, object]>([
  ['createdAt', { created_at: 'spring' }],
  ['createdAt', { created_at: '01/02/2026' }],
  ['createdAt', { created_at: true }],
  ['clicks', { visit_count: -1 }],
  ['clicks', { visit_count: '9007199254740993' }],
  ['its expiry date', { expire_in: '2200-01-01T00:00:00Z' }],
  ['its expiry date', { expire_in: 'one day' }],
])('keeps a link whose %s is lost: %j', (word, members) => {
  const loss = expect.stringContaining(word) as string;
  expect(readKutt(members)).toMatchObject({ faults: [], losses: [loss] });
});

const shlinkWith = (meta: object, more: object = {}) =>
  readForeign(SERVICES.shlink, { shortCode: 'a', longUrl: 'https://example.com/', meta, ...more }, {});

test('keeps dates and visit limits of Shlink with the visits used, and dates of Kutt and Bitly', () => {
  const [since, until] = ['2030-01-01T02:00:00+02:00', '2031-01-01T00:00:00+00:00'];
  const [startsAt, expiresAt] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'];
  const meta = { validSince: since, validUntil: until, maxVisits: 100 };
  const summary = { visitsSummary: { total: 30, nonBots: 20 } };
  expect(shlinkWith(meta, summary)).toMatchObject({
    body: { availability: { startsAt, expiresAt, maxVisits: 100 } },
    ...{ visitsUsed: 30, totals: { clicks: 20 }, losses: [] },
  });
  expect(shlinkWith({ validSince: null, validUntil: null, maxVisits: null })).not.toHaveProperty(
    'body.availability',
  );
  expect(shlinkWith({ validSince: since, validUntil: since, maxVisits: 5 })).toMatchObject({
    body: { availability: { expiresAt: startsAt, maxVisits: 5 } },
    ...{ status: 'Paused', losses: ['it is off, and is imported as Paused'] },
  });
  expect(shlinkWith({ maxVisits: 2_000_000_000 })).toMatchObject({ losses: ['its visit limit is not kept'] });
  expect(readKutt({ expire_in: until })).toMatchObject({ body: { availability: { expiresAt } }, losses: [] });
  const bitly = { link: 'https://bit.ly/a', long_url: 'https://example.com/', expiration_at: until };
  expect(readForeign(SERVICES.bitly, bitly, {})).toMatchObject({ body: { availability: { expiresAt } } });
});

test('names what Shlink and Bitly have and links here do not', () => {
  const shlink = {
    shortUrl: 'https://go.example/a',
    longUrl: 'https://example.com/',
    tags: ['a'],
    hasRedirectRules: true,
    forwardQuery: false,
    deviceLongUrls: { android: null },
  };
  expect(readForeign(SERVICES.shlink, shlink, {})).toMatchObject({
    body: { tags: ['a'], redirect: { forwardQuery: false } },
    domain: 'go.example',
    losses: ['its redirect rules are not in the file, and not kept'],
  });
  const bitly = { link: 'https://bit.ly/a', long_url: 'https://example.com/', tags: [], deeplinks: [] };
  const forwarding = readForeign(SERVICES.shlink, { ...shlink, forwardQuery: true }, {});
  expect(forwarding).not.toHaveProperty('body.redirect');
  expect(readForeign(SERVICES.bitly, bitly, {})).toMatchObject({ domain: null, losses: [] });
  const customs = {
    ...bitly,
    custom_bitlinks: 'https://go.example/a, https://go.example/b',
    tags: 'x,y',
    notes: ' One\ntwo\0',
    archived: true,
  };
  expect(readForeign(SERVICES.bitly, customs, {})).toMatchObject({
    body: { tags: ['x', 'y'], notes: 'One\ntwo', archived: true },
    domain: 'go.example',
    losses: ['its further back-half is not kept'],
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

test('makes names of one line and 64 code points', () => {
  expect(nameOf([' \u200b ', null, 'two\r\n lines\0 '])).toBe('two lines');
  expect(nameOf(['😀'.repeat(100)])).toBe('😀'.repeat(64));
  expect(nameOf(['x'.repeat(1_000_000)])).toBe('x'.repeat(64));
  expect(nameOf(['\ud800'])).toBe('\ufffd');
  expect(nameOf([null, ''])).toBe('Link');
});

test('reads counts, nothing, and unreadable counts', () => {
  expect([0, '7', ' 8 ', '', null, undefined].map(toCount)).toEqual([0, 7, 8, null, null, null]);
  expect(['x', 1.5, true, {}, '-1', '1,23', '1,234.567'].map(toCount)).toEqual(Array(7).fill('unreadable'));
  expect(['1,234', '1.234', "1'234'567", '1\u00a0234', '1 234', '12.0'].map(toCount)).toEqual([
    1234, 1234, 1234567, 1234, 1234, 12,
  ]);
});

test('reads a hash as yes, and false values of databases as no', () => {
  expect([true, 1, '1', 't', '$2a$12$hash'].every(isYes)).toBe(true);
  expect([false, 0, '0', 'f', 'FALSE', '', null, undefined].some(isYes)).toBe(false);
});

test.each<[unknown, string[], boolean?]>([
  ['a, b|c;a', ['a', 'b', 'c']],
  [
    ['a,b', ' c\n d ', '', null, 7, {}],
    ['a b', 'c d', '7'],
  ],
  ['😀'.repeat(60), ['😀'.repeat(50)]],
  [Array.from({ length: 21 }, (_, i) => `t${i}`), Array.from({ length: 20 }, (_, i) => `t${i}`), true],
  [null, []],
])('reads tags from %j', (value, tags, isCut = false) => {
  expect(tagsOf(value)).toEqual({ tags, isCut });
});
