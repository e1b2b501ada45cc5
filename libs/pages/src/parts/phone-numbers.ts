import { markup } from '../html/markup.js';
import type { HtmlValue } from '../html/markup.js';

/**
 * Returns words of an owner with the phone numbers in them kept in one piece: between words from right to left, a browser
 * would set the groups of `+994 12 555 01 34` in the opposite order. Words without such letters come back as they are.
 */
export function keepPhoneNumbers(text: string): HtmlValue {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  // With a group in the pattern, every second part is a number.
  return text
    .split(PHONE_NUMBER)
    .map((part, index) => (index % 2 === 1 ? markup`<bdi dir="ltr">${part}</bdi>` : markup`${part}`));
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
// Two groups of digits at least, and nothing in between that a time, a date or a price would have.
const PHONE_NUMBER = /(\+?\(?[0-9]{1,4}\)?(?:[ \u00a0-]\(?[0-9]{2,}\)?)+|\+[0-9]{5,})/;
