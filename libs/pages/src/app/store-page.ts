import { documentOf, styleOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import { openGraphCard } from '../link/open-graph-card.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { firstVisible, isVisible, ownerText } from '../parts/owner-text.js';
import { themeCss } from '../theme/theme-css.js';
import { listStores } from './stores.js';
import type { Store, StoreLinks } from './stores.js';

/** Returns the page of an App link for whom it has neither a store nor another address: all its stores. */
export function storePage(source: PageSourceOf<'App'>, context: PageContext): Page {
  const { words } = context;
  const { title, choose } = words.app;
  const ownTitle = source.openGraph?.title;
  const stores = listStores(source.storeLinks);
  const qr = isForPhones(source.storeLinks) ? qrFigure(source.slug, context) : null;
  return documentOf(context, {
    title: firstVisible(ownTitle, title),
    share: openGraphCard(source, context, { title, kind: 'app' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: STYLE,
    jsonLd: null,
    body: markup`<main>
<header>
<h1>${title}</h1>
${isVisible(ownTitle) ? markup`<p ${ownerText(ownTitle)}>${ownTitle}</p>` : markup`<p>${choose}</p>`}
</header>
<div class="sides">
${stores.length === 0 ? markup`<p class="none">${words.empty}</p>` : storeList(stores, context)}
${qr}</div>
</main>`,
  });
}

function storeList(stores: readonly Store[], context: PageContext): Html {
  return markup`<ul role="list">
${stores.map((store) => storeRow(store, context))}</ul>`;
}

function storeRow({ link, name, devices, host, icon }: Store, context: PageContext): Html {
  const second = devices === '' ? host : devices;
  return markup`<li><a class="btn alt" href="${link}" rel="noopener nofollow ugc">${context.icon(icon)}<span>${name} <small>${second}</small></span>${context.icon('link')}</a></li>
`;
}

// On the screen of a computer a code saves typing the address into the phone for which the app is.
function isForPhones(links: StoreLinks): boolean {
  return PHONE_STORES.some((field) => links[field] !== undefined);
}

const PHONE_STORES = [
  'appStoreLink',
  'ipadAppLink',
  'googlePlayLink',
  'appGalleryLink',
  'amazonStoreLink',
] as const;

function qrFigure(slug: string, { words }: PageContext): Html {
  return markup`<figure>
<img src="/-/qr/${slug}.svg" width="184" height="184" alt="" loading="lazy" decoding="async">
<figcaption>${words.app.scan}</figcaption>
</figure>
`;
}

// A picture that is not displayed is not fetched either, as it is a lazy one.
const STYLE = styleOf(`
header{margin-bottom:32px;text-align:center}
header p,.btn small,.btn .i{color:var(--muted)}
header [dir]{text-align:center}
header p{margin-top:8px}
li+li{margin-top:12px}
.btn{padding-inline:19px}
.btn span{flex:1;min-width:0}
.btn small{display:block;font-size:.875rem;font-weight:400}
.btn .i:last-child{width:20px;height:20px}
.none{padding:24px;border:1px dashed var(--control);border-radius:14px;color:var(--muted);text-align:center}
figure{display:none}
figure img{display:block;margin:0 auto;padding:8px;border-radius:8px;background:#fff}
figcaption{margin-top:16px;font-size:.875rem;line-height:1.45;color:var(--muted);text-wrap:balance}
@media(min-width:768px) and (pointer:fine){
  figure{display:block;flex:none;width:248px;padding:31px;border:1px solid var(--border);border-radius:14px;background:var(--surface);text-align:center}
  .sides:has(figure){display:flex;align-items:start;gap:24px}
  .sides>:first-child{flex:1;min-width:0}
  body:has(figure){max-width:56rem}
}
@media print{figure{display:block}}
`);
