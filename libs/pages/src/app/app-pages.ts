import { STORE_NAMES } from '@smartlink/smartlink/model';
import { emptyNote } from '../html/button-list.js';
import { NOTICE_STYLE, documentOf, glyph, openGraphCard } from '../html/document.js';
import { compactCss, type Html, markup } from '../html/markup.js';
import { firstVisible, isVisible, ownerText } from '../html/owner-text.js';
import type { IconName, PageContext } from '../html/page-context.js';
import type { Page, PageSourceOf } from '../site.js';
import { themeCss } from '../theme/theme-css.js';

/** The page of an App link for devices without a store or fallback: a list of all its stores. */
export function storePage(source: PageSourceOf<'App'>, context: PageContext): Page {
  const { title } = context.words.app;
  const ownTitle = source.openGraph?.title;
  const stores = listStores(source.storeLinks);
  return documentOf(context, {
    title: firstVisible(ownTitle, title),
    share: openGraphCard(source, context, { title, kind: 'app' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE + STORE_STYLE,
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
  // On a computer a QR code saves typing the address into the device for the app.
  const isForScan = stores.some(({ icon }) => icon === 'mobile' || icon === 'tablet');
  return markup`<div class="sides">
<ul role="list" aria-label="${context.words.app.choose}">
${stores.map((store) => storeRow(store, slug, context))}</ul>
${isForScan ? codeToScan(slug, context) : null}</div>`;
}

function storeRow(
  { field, link, name, devices, host, icon }: Store,
  slug: string,
  context: PageContext,
): Html {
  const second = devices === '' ? host : devices;
  return markup`<li><a class="btn alt" href="${link}" rel="noopener nofollow ugc"${context.ping(slug, `store:${field}`)}>${context.icon(icon)}<span>${name} <small>${second}</small></span>${context.icon('link')}</a></li>
`;
}

function codeToScan(slug: string, { words }: PageContext): Html {
  return markup`<figure>
<img src="/-/qr/${slug}.svg" width="184" height="184" alt="" loading="lazy" decoding="async">
<figcaption>${words.app.scan}</figcaption>
</figure>
`;
}

// Lazy: not fetched where it is not displayed.
const STORE_STYLE = compactCss(`
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

/**
 * The page that distinguishes a Mac from an iPad that identifies as one. Its script decides by the touch points of the
 * screen (libs/pages/browser/ipad-or-mac.ts); without script the visitor chooses.
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
    style: NOTICE_STYLE + CHOICE_STYLE,
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

const CHOICE_STYLE = compactCss(`
li+li{margin-top:12px}
`);

export type StoreLinks = PageSourceOf<'App'>['storeLinks'];

/** A store of an App link, as its pages name it. */
export type Store = {
  readonly field: keyof StoreLinks;
  readonly link: string;
  /** Of the store, or of the devices if the address is outside that store. */
  readonly name: string;
  /** '' if they are in the name. */
  readonly devices: string;
  /** Of the address, unchanged. */
  readonly host: string;
  readonly icon: IconName;
};

/**
 * The stores of an App link in the order of the page. Names of stores and devices are the same in every language, and
 * plain text: the badges of stores may be used only for apps they sell.
 */
export function listStores(links: StoreLinks): readonly Store[] {
  return KNOWN_STORES.flatMap(({ field, hosts, devices, icon }) => {
    const link = links[field];
    if (link === undefined || !WEB_ADDRESS.test(link)) return [];
    if (field === 'ipadAppLink' && link === links.appStoreLink) return [];
    const { host, hostname } = new URL(link);
    const shownDevices = field === 'appStoreLink' ? appleDevices(links) : devices;
    // An owner may offer a file of their own for Windows; it is not in Microsoft's store.
    const isAtStore = hosts.includes(hostname);
    return isAtStore
      ? [{ field, link, name: STORE_NAMES[field], devices: shownDevices, host, icon }]
      : [{ field, link, name: shownDevices, devices: '', host, icon }];
  });
}

// iPads use the address of iPhones if they have none.
function appleDevices({ appStoreLink, ipadAppLink = appStoreLink }: StoreLinks): string {
  return ipadAppLink === appStoreLink ? 'iPhone · iPad' : 'iPhone';
}

// The last check of an address before a browser follows it.
const WEB_ADDRESS = /^https?:\/\/./;

const APPLE_HOSTS = ['apps.apple.com', 'itunes.apple.com'];

// Amazon's country sites.
const AMAZON_HOSTS = 'com ca com.mx com.br co.uk de fr it es nl com.tr in co.jp com.au'
  .split(' ')
  .flatMap((domain) => [`www.amazon.${domain}`, `amazon.${domain}`]);

const KNOWN_STORES: readonly {
  readonly field: keyof typeof STORE_NAMES;
  readonly hosts: readonly string[];
  readonly devices: string;
  readonly icon: IconName;
}[] = [
  { field: 'appStoreLink', hosts: APPLE_HOSTS, devices: 'iPhone', icon: 'mobile' },
  { field: 'ipadAppLink', hosts: APPLE_HOSTS, devices: 'iPad', icon: 'tablet' },
  { field: 'googlePlayLink', hosts: ['play.google.com'], devices: 'Android', icon: 'mobile' },
  {
    field: 'appGalleryLink',
    hosts: ['appgallery.huawei.com', 'appgallery.cloud.huawei.com'],
    devices: 'Huawei',
    icon: 'mobile',
  },
  { field: 'amazonStoreLink', hosts: AMAZON_HOSTS, devices: 'Amazon Fire', icon: 'tablet' },
  {
    field: 'windowsAppLink',
    hosts: ['apps.microsoft.com', 'www.microsoft.com', 'microsoft.com'],
    devices: 'Windows',
    icon: 'desktop',
  },
  { field: 'macOsAppLink', hosts: APPLE_HOSTS, devices: 'Mac', icon: 'laptop' },
];
