import { fillIn, type Language, type Words } from '../words/words.js';

/** How one menu writes its prices. */
export type PriceFormat = {
  /** A price with its currency, such as `₼12.50`; it holds no space at which a line may break. */
  readonly price: (price: number) => string;
  /** The price of an item that has dearer sizes too, such as `from ₼12.50`. */
  readonly from: (price: number) => string;
};

/**
 * The format of a menu in the visitor's language; `prices` are all prices shown, because they share their
 * decimals: none if every price is whole, else two, and a third one if it is not 0, as in currencies with a thousand
 * subunits. The currency is the owner's text, unchanged.
 */
export function priceFormat(words: Words, currency: string, prices: Iterable<number>): PriceFormat {
  const text = currency.trim().replace(/\s/g, NO_BREAK_SPACE);
  const number = numberFormat(words.language, areWhole(prices) ? 0 : 2);
  const [before, after] = currencyPlace(words.language, text);
  const price = (value: number): string => before + number.format(value) + after;
  const phrase = MANAT.test(text) ? words.priceFromManat : words.priceFrom;
  const [opening = '', ending = ''] = fillIn(phrase, { p: '\n' }).replaceAll(' ', NO_BREAK_SPACE).split('\n');
  return { price, from: (value) => opening + price(value) + ending };
}

/** The ISO 4217 code of an owner's currency; null where the text does not say for certain which one it is. */
export function currencyCode(currency: string): string | null {
  const text = currency.trim();
  if (/^[A-Z]{3}$/.test(text)) return CODES.has(text) ? text : null;
  return CODE_OF_SYMBOL.get(text) ?? null;
}

const NO_BREAK_SPACE = '\u00a0';

// Whose ending Azerbaijani knows: the word is said the same whichever way it is written.
const MANAT = /^(?:₼|azn|man)$/i;

const CODES = new Set(Intl.supportedValuesOf('currency'));

// Signs that one currency has. Not `$`, which twenty have.
const CODE_OF_SYMBOL: ReadonlyMap<string, string> = new Map([
  ['₼', 'AZN'],
  ['₺', 'TRY'],
  ['₽', 'RUB'],
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

// The API knows no more than three decimals to mean anything, and pages showed no more before.
const THOUSANDTHS = 1000;

function areWhole(prices: Iterable<number>): boolean {
  for (const price of prices) if (Math.round(price * THOUSANDTHS) % THOUSANDTHS !== 0) return false;
  return true;
}

/** Text before and after a number: a single sign in the position of the locale, other text after it. */
function currencyPlace(language: Language, text: string): readonly [string, string] {
  if (text === '') return ['', ''];
  if (!/^\p{Sc}$/u.test(text)) return ['', NO_BREAK_SPACE + text];
  const [before, after] = symbolPlace(language);
  return [before.replace(PLACEHOLDER, text), after.replace(PLACEHOLDER, text)];
}

// A formatter takes 11 µs to make, and 1.5 µs to write a price (measured). There are three for each language at most.
const numberFormats = new Map<string, Intl.NumberFormat>();
const symbolPlaces = new Map<Language, readonly [string, string]>();

function numberFormat(language: Language, decimals: 0 | 2): Intl.NumberFormat {
  const key = `${language} ${decimals}`;
  const known = numberFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals === 0 ? 0 : 3,
  });
  numberFormats.set(key, made);
  return made;
}

// Any sign will do, the pattern is the locale's (CLDR).
const PLACEHOLDER = '₼';

function symbolPlace(language: Language): readonly [string, string] {
  const known = symbolPlaces.get(language);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'AZN',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  });
  const parts = format.formatToParts(1);
  const at = parts.findIndex((part) => part.type === 'integer');
  const join = (list: typeof parts): string => list.map((part) => part.value).join('');
  const made = [join(parts.slice(0, at)), join(parts.slice(at + 1))] as const;
  symbolPlaces.set(language, made);
  return made;
}
