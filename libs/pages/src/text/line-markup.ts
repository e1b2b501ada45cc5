import { Html, markup } from '../html/markup.js';
import type { Token } from './highlight.js';
import { createShowInvisible } from './show-invisible.js';

// Anchors of 3,028 lines were 8.8 KB of a page; beyond this the page's script finds the line (measured).
const ANCHORED_LINES_MAX = 500;
// A line of this length is data or minified: colours say nothing in it.
const COLORED_LINE_LENGTH_MAX = 1_000;

// Short names, which the page's style gives their colours: they say nothing to a reader of the screen.
const ELEMENTS = {
  comment: [new Html(['<i>'], []), new Html(['</i>'], [])],
  string: [new Html(['<b>'], []), new Html(['</b>'], [])],
  number: [new Html(['<u>'], []), new Html(['</u>'], [])],
  keyword: [new Html(['<var>'], []), new Html(['</var>'], [])],
} as const;

/** Returns where each line of a text ends, its line break included: LF, CRLF or a CR of its own. */
export function lineEnds(text: string): readonly number[] {
  const ends = Array.from(text.matchAll(/\r\n|[\r\n]/g), (match) => match.index + match[0].length);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/**
 * Returns a text as elements, one a line, with the line break in it: between elements it would be doubled when a visitor
 * copies (measured). Their text, put together, is `text`.
 */
export function lineMarkup(
  text: string,
  {
    ends,
    tokens,
    isProse,
  }: { readonly ends: readonly number[]; readonly tokens: readonly Token[]; readonly isProse: boolean },
): Html {
  const show = createShowInvisible(text, isProse);
  const hasAnchors = ends.length <= ANCHORED_LINES_MAX;
  const lines: Html[] = [];
  let start = 0;
  let next = 0;
  for (const end of ends) {
    while ((tokens[next]?.end ?? Infinity) <= start) next += 1;
    const isColored = end - start <= COLORED_LINE_LENGTH_MAX;
    const content = isColored
      ? coloredPieces(text, start, end, tokens, next, show)
      : [show(text.slice(start, end))];
    const anchor = hasAnchors ? markup` id="L${String(lines.length + 1)}"` : null;
    lines.push(markup`<span${anchor}>${content}</span>`);
    start = end;
  }
  return markup`${lines}`;
}

/** Returns what stands from `start` to `end`, where `tokens`, from `next` on, are coloured. */
function coloredPieces(
  text: string,
  start: number,
  end: number,
  tokens: readonly Token[],
  next: number,
  show: (piece: string) => Html,
): Html[] {
  const pieces: Html[] = [];
  let at = start;
  for (let i = next; at < end; i += 1) {
    const token = tokens[i];
    const from = Math.min(token?.start ?? end, end);
    if (from > at) pieces.push(show(text.slice(at, from)));
    at = Math.max(at, from);
    if (token === undefined || from === end) break;
    const to = Math.min(token.end, end);
    const [open, close] = ELEMENTS[token.kind];
    pieces.push(markup`${open}${show(text.slice(at, to))}${close}`);
    at = to;
  }
  return pieces;
}
