import { expect, test } from 'vitest';
import { WORDS } from '../words/translations.js';
import { LANGUAGES } from '../words/words.js';
import { currencyCode, priceFormat } from './price.js';

const written = (currency: string, price: number, all: readonly number[] = [price]): string[] =>
  LANGUAGES.map((language) =>
    priceFormat(WORDS[language], currency, all).price(price).replaceAll('\u00a0', '_'),
  );

test('a single currency sign has the position of the visitor’s language', () => {
  expect(written('₼', 1234.5)).toEqual(['₼1,234.50', '1.234,50_₼', '1_234,50_₼', '₼1.234,50']);
  expect(written(' $ ', 12.5)).toEqual(['$12.50', '12,50_$', '12,50_$', '$12,50']);
});

test('any other text follows behind a space that does not break, untranslated', () => {
  expect(written('AZN', 8)).toEqual(['8_AZN', '8_AZN', '8_AZN', '8_AZN']);
  expect(written('руб.', 12.5)).toEqual(['12.50_руб.', '12,50_руб.', '12,50_руб.', '12,50_руб.']);
  expect(written('₼ / 100q', 8)[0]).toBe('8_₼_/_100q');
  expect(written('د.إ', 8)[0]).toBe('8_د.إ');
  expect(written('', 8)[1]).toBe('8');
});

test('a menu has no decimals where all its prices are whole, else two, and a third where it is not 0', () => {
  expect(written('AZN', 1200, [1200, 0, 5])[0]).toBe('1,200_AZN');
  expect(written('AZN', 5, [5, 12.5])[0]).toBe('5.00_AZN');
  expect(written('KWD', 1.125, [1.125, 3])[0]).toBe('1.125_KWD');
  expect(written('KWD', 3, [1.125, 3])[0]).toBe('3.00_KWD');
  expect(written('AZN', 0.1 + 0.2)[0]).toBe('0.30_AZN');
  expect(written('AZN', 0)[0]).toBe('0_AZN');
  expect(written('AZN', 1e12)[0]).toBe('1,000,000,000,000_AZN');
});

test('the lowest price is said in the language of the visitor, manat with its ending', () => {
  const from = (currency: string): string[] =>
    LANGUAGES.map((language) =>
      priceFormat(WORDS[language], currency, [8]).from(8).replaceAll('\u00a0', '_'),
    );
  expect(from('₼')).toEqual(['from_₼8', '8_₼-dan', 'от_8_₼', '₼8_ve_üzeri']);
  for (const manat of ['AZN', 'man']) expect(from(manat)[1]).toBe(`8_${manat}-dan`);
  expect(from('$')[1]).toBe('8_$_və_yuxarı');
});

test("an owner's text that looks like a pattern stays text", () => {
  expect(priceFormat(WORDS.en, '$&{p}', [8]).from(8)).toBe('from\u00a08\u00a0$&{p}');
  expect(priceFormat(WORDS.az, '$', [8]).price(8)).toBe('8\u00a0$');
});

test('a currency has a code only where its text leaves no doubt', () => {
  expect(['AZN', ' USD ', '₼', '₺', '₽', '€', '£'].map(currencyCode)).toEqual([
    ...['AZN', 'USD', 'AZN', 'TRY', 'RUB', 'EUR', 'GBP'],
  ]);
  expect(['$', 'XQZ', 'azn', 'man', 'TL', '₼/100q', ''].map(currencyCode)).toEqual(Array(7).fill(null));
});
