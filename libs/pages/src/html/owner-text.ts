import type { PageSource } from '../site.js';
import type { Words } from '../words/words.js';
import { type Html, keepPhoneNumbers, markup } from './markup.js';

/** The first of `texts` that is visible. */
export function firstVisible(...texts: readonly [...(string | undefined)[], string]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
}

/** Whether a text has visible characters. */
export function isVisible(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/**
 * Attributes of an element with words of the owner, in any language: their own direction, and the language if it can be
 * detected by their letters.
 */
export function ownerText(text: string): Html {
  const language = guessLanguage(text);
  return language === null ? DIR : markup`dir="auto" lang="${language}"`;
}

const DIR = markup`dir="auto"`;

/** Words of the owner within a line: isolated, with their own direction. */
export function isolated(text: string): Html {
  const language = guessLanguage(text);
  const words = keepPhoneNumbers(text);
  return language === null ? markup`<bdi>${words}</bdi>` : markup`<bdi lang="${language}">${words}</bdi>`;
}

/** Language of a text by the letters in its first 512 characters; null if ambiguous. */
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

/** `list` by `position`, ascending; those without one come last, ties keep their order. */
export function byPosition<Item extends { readonly position?: number | undefined }>(
  list: readonly Item[],
): readonly Item[] {
  return list.toSorted((a, b) => {
    const [left, right] = [a.position ?? Infinity, b.position ?? Infinity];
    return left === right ? 0 : left - right;
  });
}

/**
 * The attribute that mirrors a page if more than a third of the letters in the owner's texts are written from right to
 * left; null otherwise. A third, because brands and addresses in such pages are Latin, and Arabic and Hebrew write few
 * vowels. Decided by all texts of the page, so that its parts have one order: a button named after a Latin brand is
 * aligned like its neighbours.
 */
export function pageDirection(texts: readonly (string | undefined)[]): Html | null {
  let balance = 0;
  for (const text of texts) {
    if (text === undefined) continue;
    balance += 3 * (text.match(RIGHT_TO_LEFT)?.length ?? 0) - (text.match(LETTER)?.length ?? 0);
  }
  return balance > 0 ? markup` dir="rtl"` : null;
}

const RIGHT_TO_LEFT = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu;
const LETTER = /\p{L}/gu;

/** Of a link that has a page of its own. */
export type HostedSource = Exclude<PageSource, { type: 'Url' | 'App' }>;

/** The title of a link's own page, as its h1 has it; a fixed word where the owner gave none. */
export function pageTitle(source: HostedSource, { fallbackTitles }: Words): string {
  const shared = source.openGraph?.title;
  switch (source.type) {
    case 'Landing':
      return firstVisible(source.page.landing.title, shared, fallbackTitles.landing);
    case 'QRTag':
      return firstVisible(source.page.qrTag.title, shared, fallbackTitles.tag);
    case 'DigiCard': {
      const { title, company } = source.page.digiCard;
      return firstVisible(title, shared, company, fallbackTitles.card);
    }
    case 'TxtBin':
      return firstVisible(source.page.txtBin.title, shared, fallbackTitles.text);
    case 'QrMenu':
      return firstVisible(source.page.qrMenu.title, shared, fallbackTitles.menu);
  }
}
