import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { isVisible, ownerText } from '../parts/owner-text.js';
import { NOTICE_STYLE, glyph } from '../system/notice.js';
import { themeCss } from '../theme/theme-css.js';
import { shownAddress } from './web-address.js';

/**
 * Returns what a preview agent gets where people are redirected: what the owner gave for previews, never the target. A
 * person who is taken for one gets on by the page that says where the link leads; the link itself would bring this page
 * again.
 */
export function sharePage(source: PageSourceOf<'Url' | 'App'>, context: PageContext): Page {
  const { words } = context;
  const isProtected = source.type === 'Url' && source.isProtected;
  const card = openGraphCard(source, context, {
    title: fallbackTitle(source, context),
    kind: source.type === 'App' ? 'app' : 'link',
    ...(isProtected ? { description: words.password.text } : {}),
  });
  const { title, description } = card;
  return documentOf(context, {
    title,
    share: card,
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE,
    jsonLd: null,
    body: markup`<main class="notice">
${glyph(context, isProtected ? 'lock' : 'link')}
<h1 ${ownerText(title)}>${title}</h1>
${isVisible(description) ? markup`<p class="owner" ${ownerText(description)}>${description}</p>\n` : null}<div class="act"><a class="btn" href="/-/preview/${source.slug}" rel="nofollow">${words.preview.title}</a></div>
</main>`,
  });
}

function fallbackTitle(source: PageSourceOf<'Url' | 'App'>, { words, site }: PageContext): string {
  if (source.type === 'App') return words.app.title;
  return source.isProtected ? words.password.title : shownAddress(site, source.slug);
}
