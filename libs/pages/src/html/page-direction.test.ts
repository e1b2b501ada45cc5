import { expect, test } from 'vitest';
import { pageDirection } from './owner-text.js';

test('a page is mirrored when most letters of its owner are written from right to left', () => {
  const directionOf = (...texts: (string | undefined)[]) => pageDirection(texts)?.toString() ?? '';
  expect(directionOf('مخبز نارين', 'Instagram', undefined)).toBe(' dir="rtl"');
  expect(directionOf('Narin', 'בית קפה הגן')).toBe(' dir="rtl"');
  expect(directionOf('Narin Bakery', 'مخبز')).toBe('');
  expect(directionOf('12:30', '١٢')).toBe('');
  expect(directionOf(undefined)).toBe('');
});
