import { documentOf, openGraphCard } from '../html/document.js';
import { Html, compactCss, markup } from '../html/markup.js';
import { isVisible, ownerText, pageTitle } from '../html/owner-text.js';
import type { PageContext } from '../html/page-context.js';
import type { Page, PageSourceOf } from '../site.js';
import { themeCss } from '../theme/theme-css.js';
import { fillIn } from '../words/words.js';
import { highlight, SYNTAXES, type Token } from './highlight.js';
import { recognize, type TextNature } from './recognize.js';

/**
 * The page of a TxtBin. Copying from it yields the exact text. It leads to its plain
 * text by the address for clicks, so that it does not count as a scan.
 */
export function textPage(source: PageSourceOf<'TxtBin'>, context: PageContext): Page {
  const { words } = context;
  const { txtBin } = source.page;
  const title = pageTitle(source, words);
  const nature = recognize(txtBin.text);
  const ends = lineEnds(txtBin.text);
  return documentOf(context, {
    title,
    share: openGraphCard(source, context, { title, description: txtBin.description, kind: 'text' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto', { hasCode: nature.syntax !== null }),
    style: styleFor(nature, ends.length),
    jsonLd: null,
    body: markup`<a class="skip" href="#text">${words.skip}</a>
<main>
<header>
<h1 ${ownerText(title)}>${title}</h1>
${description(txtBin.description)}${bar(source.slug, ends.length, context)}</header>
${snippet(txtBin.text, nature, ends, words.fallbackTitles.text)}
</main>
`,
  });
}

function styleFor({ syntax, layout }: TextNature, lineCount: number): string {
  if (layout === 'prose') return TEXT_STYLE + PROSE_STYLE;
  const colors = syntax === null ? '' : COLORS_STYLE;
  const wide = layout === 'wide' ? WIDE_STYLE : '';
  return `${TEXT_STYLE}${NUMBERS_STYLE}${colors}${wide}pre{--n:${String(lineCount).length}ch}`;
}

function description(text: string | undefined): Html | null {
  return isVisible(text) ? markup`<p class="owner muted" ${ownerText(text)}>${text}</p>\n` : null;
}

function bar(slug: string, lineCount: number, { words, icon, needScript }: PageContext): Html {
  needScript();
  // The button is for the script to show: without it there is nothing it could do.
  return markup`<div class="bar noprint">
<button type="button" data-copy hidden><span class="swap"><span>${icon('copy')}${words.copy}</span><span>${icon('check')}${words.copied}</span></span></button>
<a href="/${slug}?raw=1">${icon('text')}${words.plainText}</a>
<a href="/${slug}?raw=1" download="${slug}.txt">${icon('download')}${words.download}</a>
<p class="count small muted">${fillIn(words.lines, { n: lineCount })}</p>
<p class="hide" role="status"></p>
</div>
`;
}

/** The text in a region that scrolls sideways and contains only its characters. */
function snippet(text: string, nature: TextNature, ends: readonly number[], name: string): Html {
  const tokens = nature.syntax === null ? [] : highlight(text, SYNTAXES[nature.syntax]);
  const isProse = nature.layout === 'prose';
  const language = isProse ? ownerText(text) : LEFT_TO_RIGHT;
  // Without a line break between the tags, so that nothing but the text can be selected.
  return markup`<section id="text" tabindex="0" aria-label="${name}"><pre ${language}><code>${lineMarkup(text, { ends, tokens, isProse })}</code></pre></section>`;
}

const LEFT_TO_RIGHT = markup`dir="ltr"`;

/** The style of every snippet. `--n` is the width of a line number. */
const TEXT_STYLE = compactCss(`
body{max-width:calc(80rem + 64px)}
header{margin-bottom:24px}
header p{margin-top:8px}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:8px;margin-top:16px}
.bar>a,.bar>button{display:inline-flex;align-items:center;gap:8px;min-height:44px;padding:8px 16px;
  border:1px solid var(--control);border-radius:14px;background:var(--surface);color:var(--text);
  font-weight:600;text-decoration:none;cursor:pointer}
@media(hover:hover){.bar>a:hover,.bar>button:hover{background:var(--tint)}}
.bar>[hidden]{display:none}
.bar .i{width:20px;height:20px}
.bar .count{margin:0;margin-inline-start:auto;padding-inline:8px}
.swap{display:grid}
.swap>span{grid-area:1/1;display:flex;align-items:center;gap:8px}
.swap>:last-child,.done .swap>:first-child{visibility:hidden}
.done .swap>:last-child{visibility:visible}
section{overflow-x:auto;padding-block:12px;border:1px solid var(--border);border-radius:14px;background:var(--surface);
  box-shadow:var(--shadow)}
pre{overflow-wrap:normal;tab-size:4;
  font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{display:block;width:max-content;min-width:100%;font:inherit}
code>span{display:block;padding-inline-end:24px}
code>span:target,code>.at{background:var(--tint)}
em{unicode-bidi:isolate;font-style:normal;font-size:0}
em::before{content:"U+" attr(data-u);display:inline-block;margin-inline:2px;padding-inline:4px;border:1px solid var(--control);
  border-radius:4px;background:var(--tint);color:var(--text);font:600 .875rem/1.2 ui-monospace,monospace;
  -webkit-user-select:none;user-select:none}
@media(max-width:30rem){.bar>a,.bar>button{flex:1 0 auto;justify-content:center;padding-inline:10px}.bar .i{display:none}.bar .count{order:-1;width:100%;margin:0;padding:0}}
@media print{section{border:0;overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}code{width:auto}}
`);

/** Style of numbered lines, kept or broken where necessary. */
const NUMBERS_STYLE = compactCss(`
code{counter-reset:l}
code>span::before{counter-increment:l;content:counter(l);position:sticky;inset-inline-start:0;display:inline-block;
  width:calc(var(--n) + 28px);margin-inline-end:12px;padding-inline:16px 12px;background:inherit;
  color:var(--muted);text-align:end;-webkit-user-select:none;user-select:none}
code>span{background:var(--surface)}
`);

/** The style of colours in code. */
const COLORS_STYLE = compactCss(`
i{color:var(--c1)}
b{color:var(--c2);font-weight:400}
u{color:var(--c3);text-decoration:none}
var{color:var(--c4);font-style:normal;font-weight:600}
i,b{unicode-bidi:isolate}
`);

/** Style of code whose lines are too long for scrolling sideways. */
export const WIDE_STYLE = compactCss(`
pre{white-space:pre-wrap;overflow-wrap:anywhere}
code{width:auto}
code>span{position:relative;padding-inline-start:calc(var(--n) + 40px)}
code>span::before{position:absolute}
`);

/** Style of prose: each paragraph has the direction of its words. */
const PROSE_STYLE = compactCss(`
body{max-width:calc(46rem + 64px)}
section{padding:clamp(16px,4vw,32px)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;
  font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
code{width:auto;max-width:70ch}
em{unicode-bidi:normal}
code>span{padding:0;unicode-bidi:plaintext;text-align:start}
`);

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

/** End offsets of lines, including their line breaks: LF, CRLF or CR. */
export function lineEnds(text: string): readonly number[] {
  const ends = Array.from(text.matchAll(/\r\n|[\r\n]/g), (match) => match.index + match[0].length);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/**
 * A text as elements, one a line, with the line break in it: between elements it would be doubled when a visitor
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

/** Markup of the text from `start` to `end`, with `tokens` from `next` on coloured. */
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

// Invisible characters that a compiler reads: control characters, direction marks ("Trojan Source", CVE-2021-42574),
// zero-width characters, separators that are not line breaks, tag letters, and variation selectors after characters
// without variants.
const INVISIBLE =
  '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]' +
  '|(?<=[\\n !-"$-)+-\\/:-~\\p{VS}])\\p{VS}';

// Emoji and scripts that need joiners contain some of them legitimately: those are not marked.
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

// A thousand are enough. A line of 10,000 took a browser 0.9 to 6.7 s to lay out, and time grows with their square.
const MARKS_MAX = 1_000;

/**
 * A function that renders pieces of `text`, in order, with the first thousand invisible characters in elements whose
 * number the style shows. Copied text stays exact: the characters are kept, and the number is not text. In code the style
 * isolates the elements, so that the characters do not reorder the following text.
 */
function createShowInvisible(text: string, isSentences: boolean): (piece: string) => Html {
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

/** Code point of a character and the length of its run. */
function labelOf(character: string, count: number): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return count === 1 ? number : `${number} ×${String(count)}`;
}
