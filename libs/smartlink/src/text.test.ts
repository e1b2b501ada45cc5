import { expect, test } from 'vitest';
import { multiLineText, oneLineText } from './fields.js';
import { countCodePoints } from './model.js';

test('counts code points, not UTF-16 units', () => {
  expect(countCodePoints('')).toBe(0);
  expect(countCodePoints('aé😀')).toBe(3);
  expect(countCodePoints('\ud800')).toBe(1);
  expect(countCodePoints('\ud800a')).toBe(2);
});

test('refuses line breaks in one-line texts and accepts them in others', () => {
  for (const text of ['a\nb', 'a\u2028b', 'a\tb', 'a\0', 'a\x7f', 'a\x85']) {
    expect(oneLineText(9).safeParse(text).success).toBe(false);
  }
  expect(multiLineText(9).safeParse('a\r\n\tb').success).toBe(true);
  for (const text of ['a\0', 'a\x1b[0m', '\ud800'])
    expect(multiLineText(9).safeParse(text).success).toBe(false);
});

test('wants something visible where a text is required', () => {
  for (const text of ['', ' ', '\u00a0', '\u200b', '\u202e', '\u3164', '\ufeff']) {
    expect(oneLineText(9, 'required').safeParse(text).success).toBe(false);
    expect(oneLineText(9).safeParse(text).success).toBe(true);
  }
});

test('checks 64 KiB of the slowest text', () => {
  const text = 'a \u200b'.repeat(21_845);
  expect(oneLineText(65_536, 'required').safeParse(text).success).toBe(true);
  expect(oneLineText(65_536, 'required').safeParse('\u200b '.repeat(32_768)).success).toBe(false);
});
