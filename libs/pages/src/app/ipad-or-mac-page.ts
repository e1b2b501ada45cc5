import { compactCss } from '../html/compact-css.js';
import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { firstVisible } from '../parts/owner-text.js';
import { NOTICE_STYLE, glyph } from '../system/notice.js';
import { themeCss } from '../theme/theme-css.js';

/**
 * Returns the page that tells an iPad, which says it is a Mac, from a Mac. Its script goes on at once, by the fingers the
 * screen can feel (libs/pages/browser/ipad-or-mac.ts); without script the visitor says it.
 */
export function ipadOrMacPage(
  source: PageSourceOf<'App'>,
  view: 'ipad-or-mac' | 'ipad-or-mac-scan',
  context: PageContext,
): Page {
  const { title, chooseDevice, forIpad, forMac } = context.words.app;
  const path = view === 'ipad-or-mac-scan' ? `q/${source.slug}` : source.slug;
  context.needScript();
  return documentOf(context, {
    title: firstVisible(source.openGraph?.title, title),
    share: openGraphCard(source, context, { title, kind: 'app' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE + STYLE,
    jsonLd: null,
    body: markup`<main class="notice">
${glyph(context, 'download')}
<h1>${title}</h1>
<p>${chooseDevice}</p>
<ul class="act" role="list" data-ipad-or-mac>
<li><a class="btn" href="/-/ipad/${path}" rel="nofollow">${context.icon('tablet')}${forIpad}</a></li>
<li><a class="btn" href="/-/mac/${path}" rel="nofollow">${context.icon('laptop')}${forMac}</a></li>
</ul>
</main>`,
  });
}

const STYLE = compactCss(`
li+li{margin-top:12px}
`);
