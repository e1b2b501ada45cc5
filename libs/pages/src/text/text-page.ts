import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { isVisible, ownerText } from '../parts/owner-text.js';
import { pageTitle } from '../parts/page-title.js';
import { themeCss } from '../theme/theme-css.js';
import { fillIn } from '../words/words.js';
import { highlight } from './highlight.js';
import { lineEnds, lineMarkup } from './line-markup.js';
import { recognize } from './recognize.js';
import type { TextNature } from './recognize.js';
import { SYNTAXES } from './syntaxes.js';
import { COLORS_STYLE, NUMBERS_STYLE, PROSE_STYLE, TEXT_STYLE, WIDE_STYLE } from './text-style.js';

/**
 * Returns the page of a TxtBin. What a visitor copies from it is the text to the last character. It leads to its plain
 * text by the address of a click, since whoever scanned a code does not scan it again.
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

/** Returns the text in a region of its own, which scrolls sideways: nothing but the text's own characters is in it. */
function snippet(text: string, nature: TextNature, ends: readonly number[], name: string): Html {
  const tokens = nature.syntax === null ? [] : highlight(text, SYNTAXES[nature.syntax]);
  const isProse = nature.layout === 'prose';
  const language = isProse ? ownerText(text) : LEFT_TO_RIGHT;
  // Without a line break between the tags, so that nothing but the text can be selected.
  return markup`<section id="text" tabindex="0" aria-label="${name}"><pre ${language}><code>${lineMarkup(text, { ends, tokens, isProse })}</code></pre></section>`;
}

const LEFT_TO_RIGHT = markup`dir="ltr"`;
