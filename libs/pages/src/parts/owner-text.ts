import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import { keepPhoneNumbers } from './phone-numbers.js';

/** Returns the first of `texts` that shows something. */
export function firstVisible(...texts: readonly [...(string | undefined)[], string]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
}

/** Returns whether a text shows something. */
export function isVisible(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/**
 * Returns the attributes of an element that holds words of the owner, which may be of any language: the direction is the
 * words' own, and the language is said where their letters tell it.
 */
export function ownerText(text: string): Html {
  const language = guessLanguage(text);
  return language === null ? DIR : markup`dir="auto" lang="${language}"`;
}

const DIR = markup`dir="auto"`;

/** Returns words of the owner within a line: their direction is their own, and where they stand is the page's. */
export function isolated(text: string): Html {
  const language = guessLanguage(text);
  const words = keepPhoneNumbers(text);
  return language === null ? markup`<bdi>${words}</bdi>` : markup`<bdi lang="${language}">${words}</bdi>`;
}

/** Returns the language that the letters of a text are of, by its first 512 characters; null when they do not tell. */
function guessLanguage(text: string): string | null {
  const sample = text.slice(0, GUESS_LENGTH_MAX);
  return LETTERS.find(([, letters]) => letters.test(sample))?.[0] ?? null;
}

const GUESS_LENGTH_MAX = 512;

const LETTERS: readonly (readonly [string, RegExp])[] = [
  ['az', /[əƏ]/],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
];

/** Returns `list` by `position`, ascending; those without one come last, ties keep their order (decisions.md, Sizes). */
export function byPosition<Item extends { readonly position?: number | undefined }>(
  list: readonly Item[],
): readonly Item[] {
  return list.toSorted((a, b) => {
    const [left, right] = [a.position ?? Infinity, b.position ?? Infinity];
    return left === right ? 0 : left - right;
  });
}
