import { describe, expect, test } from 'vitest';
import { formatOf, isolate } from './format.js';

const at = '2026-11-27T20:30:00Z';

test.each([
  ['en', '1,234,567', '27 November 2026', '28 Nov 2026, 00:30'],
  ['az', '1.234.567', '27 noyabr 2026', '28 noy 2026 00:30'],
  ['ru', '1 234 567', '27 ноября 2026 г.', '28 нояб. 2026 г., 00:30'],
  ['tr', '1.234.567', '27 Kasım 2026', '28 Kas 2026 00:30'],
] as const)('%s writes numbers, dates and times of the time zone', (language, number, date, dateTime) => {
  // ICU has three kinds of spaces, which differ between its versions.
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');
  expect(plain(formatOf(language, 'UTC').number(1_234_567))).toBe(number);
  expect(plain(formatOf(language, 'UTC').date(at))).toBe(date);
  expect(plain(formatOf(language, 'Asia/Baku').dateTime(at))).toBe(dateTime);
});

describe('az, which Chromium has no data for', () => {
  const { time, ago } = formatOf('az', 'UTC');

  test('names days and months', () => {
    expect(time(at, { weekday: 'long' })).toBe('cümə');
    expect(time(at, { weekday: 'short' })).toBe('C.');
    expect(time(at, { month: 'long' })).toBe('noyabr');
  });

  test.each([
    [-2, '2 saniyə əvvəl'],
    [-120, '2 dəqiqə əvvəl'],
    [3 * 86_400, '3 gün sonra'],
    [-400 * 86_400, '1 il əvvəl'],
  ])('says how long %i seconds are', (seconds, text) => {
    const now = Date.parse(at);
    expect(ago(new Date(now + seconds * 1_000), now)).toBe(text);
  });
});

test('a text of another account turns no sentence around', () => {
  expect(isolate('Corner café')).toBe('\u2068Corner café\u2069');
  expect(isolate('\u202egnp.\u2069\u2067exe\u202c')).toBe('\u2068gnp.exe\u2069');
});
