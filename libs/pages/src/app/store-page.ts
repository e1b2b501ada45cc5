import { compactCss } from '../html/compact-css.js';
import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { emptyNote } from '../parts/button-list.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { firstVisible, isVisible, ownerText } from '../parts/owner-text.js';
import { NOTICE_STYLE, glyph } from '../system/notice.js';
import { themeCss } from '../theme/theme-css.js';
import { listStores } from './stores.js';
import type { Store } from './stores.js';

/** Returns the page of an App link for those for whom it has neither a store nor another address: all its stores. */
export function storePage(source: PageSourceOf<'App'>, context: PageContext): Page {
  const { title } = context.words.app;
  const ownTitle = source.openGraph?.title;
  const stores = listStores(source.storeLinks);
  return documentOf(context, {
    title: firstVisible(ownTitle, title),
    share: openGraphCard(source, context, { title, kind: 'app' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE + STYLE,
    jsonLd: null,
    body: markup`<main>
<div class="notice">
${glyph(context, 'download')}
<h1>${title}</h1>
${isVisible(ownTitle) ? markup`<p ${ownerText(ownTitle)}>${ownTitle}</p>\n` : null}</div>
${stores.length === 0 ? emptyNote(context) : storeList(stores, source.slug, context)}
</main>`,
  });
}

function storeList(stores: readonly Store[], slug: string, context: PageContext): Html {
  // On the screen of a computer a code saves typing the address into the device for which the app is.
  const isForScan = stores.some(({ icon }) => icon === 'mobile' || icon === 'tablet');
  return markup`<div class="sides">
<ul role="list" aria-label="${context.words.app.choose}">
${stores.map((store) => storeRow(store, context))}</ul>
${isForScan ? codeToScan(slug, context) : null}</div>`;
}

function storeRow({ link, name, devices, host, icon }: Store, context: PageContext): Html {
  const second = devices === '' ? host : devices;
  return markup`<li><a class="btn alt" href="${link}" rel="noopener nofollow ugc">${context.icon(icon)}<span>${name} <small>${second}</small></span>${context.icon('link')}</a></li>
`;
}

function codeToScan(slug: string, { words }: PageContext): Html {
  return markup`<figure>
<img src="/-/qr/${slug}.svg" width="184" height="184" alt="" loading="lazy" decoding="async">
<figcaption>${words.app.scan}</figcaption>
</figure>
`;
}

// Where the code is not displayed it is not fetched either, as it is a lazy picture.
const STYLE = compactCss(`
.sides,.none{margin-top:32px}
li+li{margin-top:12px}
.btn{padding-inline:19px}
.btn span{flex:1;min-width:0}
.btn small,.btn .i{color:var(--muted)}
.btn small{display:block;font-size:.875rem;font-weight:400}
.btn .i:last-child{width:20px;height:20px}
figure{display:none}
figure img{display:block;margin:0 auto;padding:8px;border-radius:8px;background:#fff}
figcaption{margin-top:12px;font-size:.875rem;line-height:1.45;color:var(--muted);text-wrap:balance}
@media(min-width:768px) and (pointer:fine){
  figure{display:block;flex:none;width:248px;padding:23px;border:1px solid var(--border);border-radius:14px;background:var(--surface);text-align:center}
  .sides:has(figure){display:flex;align-items:start;gap:24px}
  .sides ul{flex:1;min-width:0}
  body:has(figure){max-width:56rem}
}
`);
