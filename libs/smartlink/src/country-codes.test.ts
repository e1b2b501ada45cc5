import { expect, test } from 'vitest';
import { isCountryCode } from './visitor-names.js';

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));

test('accepts the 249 codes of ISO 3166-1', () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountryCode);
  expect(codes).toHaveLength(249);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each(['az', '', 'A', 'AZE', 'XX', 'XK', 'ZZ', 'EU', 'UK', 'SU'])('%j is not a country code', (code) => {
  expect(isCountryCode(code)).toBe(false);
});
