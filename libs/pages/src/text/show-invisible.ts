import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';

// What nobody sees but a compiler reads: control characters, what turns the direction of text ("Trojan Source",
// CVE-2021-42574), what has no width, separators that are no line breaks, letters of tags, and selectors of variants
// behind what has one form only.
const INVISIBLE =
  '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]' +
  '|(?<=[\\n !-"$-)+-\\/:-~\\p{VS}])\\p{VS}';

// Emoji and the letters of scripts that need joiners hold some of them as they should: those stay as they are.
const EMOJI =
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}' +
  '|\\p{ExtPict}(?:\\ufe0f|\\p{EMod})?(?:\\u200d\\p{ExtPict}(?:\\ufe0f|\\p{EMod})?)*';
const JOINED =
  '(?<=(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])[\\p{L}\\p{M}])[\\u200c\\u200d](?=[\\p{L}\\p{M}])';
// Hyphenation and the side of a full stop: sentences may need them.
const OF_SENTENCES = '[\\xad\\u061c\\u200e\\u200f]';

const HAS_INVISIBLE = new RegExp(INVISIBLE, 'u');
const IN_CODE = new RegExp(`${EMOJI}|${JOINED}|(?<mark>${INVISIBLE})\\k<mark>*`, 'gu');
const IN_SENTENCES = new RegExp(`${EMOJI}|${JOINED}|${OF_SENTENCES}|(?<mark>${INVISIBLE})\\k<mark>*`, 'gu');

// A thousand tell enough. A line of 10,000 took a browser 0.9 to 6.7 s to lay out, and time grows with their square.
const MARKS_MAX = 1_000;

/**
 * Returns what makes markup of pieces of `text`, in their order, in which characters that cannot be seen stand in an
 * element with a number the style shows, the first thousand of them. What is copied stays exact: they are still there, and
 * the number is no text. In their element, which the style isolates in code, they also do nothing to the order of what
 * follows.
 */
export function createShowInvisible(text: string, isSentences: boolean): (piece: string) => Html {
  if (!HAS_INVISIBLE.test(text)) return (piece) => markup`${piece}`;
  const parts = isSentences ? IN_SENTENCES : IN_CODE;
  let marksLeft = MARKS_MAX;
  return (piece) => {
    const html: Html[] = [];
    let shown = 0;
    for (const match of marksLeft === 0 ? [] : piece.matchAll(parts)) {
      const mark = match.groups?.['mark'];
      if (mark === undefined) continue;
      const [row] = match;
      html.push(markup`${piece.slice(shown, match.index)}`);
      html.push(markup`<em data-u="${labelOf(mark, row.length / mark.length)}">${row}</em>`);
      shown = match.index + row.length;
      marksLeft -= 1;
      if (marksLeft === 0) break;
    }
    return markup`${html}${piece.slice(shown)}`;
  };
}

/** Returns the number of a character in Unicode, and how many of it there are. */
function labelOf(character: string, count: number): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return count === 1 ? number : `${number} ×${String(count)}`;
}
