import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';

/**
 * Returns the attribute that mirrors a page when more than a third of the letters of its owner are written from right to
 * left; null for others. A third, because brands and addresses in such pages are Latin, and Arabic and Hebrew write few
 * vowels. By the words of the whole page, so that its parts stand in one order: a button that is called by a brand
 * stands as its neighbours do.
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
