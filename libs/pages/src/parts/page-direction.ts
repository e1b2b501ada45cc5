import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';

/**
 * Returns the attribute that mirrors a page whose owner's words are mostly of letters written from right to left; null
 * for others. By the words of the whole page, so that its parts stand in one order: a button that is called by a brand
 * in Latin letters stands as its neighbours do.
 */
export function pageDirection(texts: readonly (string | undefined)[]): Html | null {
  let balance = 0;
  for (const text of texts) {
    if (text === undefined) continue;
    const rightToLeft = text.match(RIGHT_TO_LEFT)?.length ?? 0;
    if (rightToLeft > 0) balance += 2 * rightToLeft;
    balance -= text.match(LETTER)?.length ?? 0;
  }
  return balance > 0 ? markup` dir="rtl"` : null;
}

const RIGHT_TO_LEFT = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu;
const LETTER = /\p{L}/gu;
