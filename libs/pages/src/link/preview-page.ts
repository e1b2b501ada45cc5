import { listStores } from '../app/stores.js';
import { compactCss } from '../html/compact-css.js';
import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSource, PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import type { IconName } from '../parts/icons.js';
import { ownerText } from '../parts/owner-text.js';
import { pageTitle } from '../parts/page-title.js';
import type { HostedSource } from '../parts/page-title.js';
import { NOTICE_STYLE, glyph } from '../system/notice.js';
import { themeCss } from '../theme/theme-css.js';
import { shownAddress, splitWebAddress } from './web-address.js';

/** Returns the page that tells people where a link leads without going there. Of a protected link it tells nothing. */
export function previewPage(source: PageSource, context: PageContext): Page {
  const { words, site } = context;
  const isProtected = source.type === 'Url' && source.isProtected;
  const { text, rows } = describe(source, context);
  const rowList = rows.length === 0 ? null : markup`<dl>\n${rows}</dl>\n`;
  return documentOf(context, {
    title: words.preview.title,
    // What the owner wrote for previews is about the target, and this page is to say what it is by itself.
    share: null,
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: STYLE,
    jsonLd: null,
    body: markup`<main>
<div class="notice">
${glyph(context, isProtected ? 'lock' : 'eye')}
<h1>${words.preview.title}</h1>
<p>${text}</p>
<p class="from" dir="ltr">${shownAddress(site, source.slug)}</p>
</div>
${rowList}<div class="act"><a class="btn" href="/${source.slug}" rel="nofollow">${words.preview.open}</a></div>
</main>`,
  });
}

type Description = { readonly text: string; readonly rows: readonly Html[] };

function describe(source: PageSource, context: PageContext): Description {
  const { preview } = context.words;
  if (source.type === 'App') return describeStores(source, context);
  if (source.type !== 'Url') return { text: preview.page, rows: [hostedRow(source, context)] };
  if (source.isProtected) return { text: preview.hidden, rows: [] };
  const value = markup`<dd dir="ltr">${wholeAddress(source.url)}</dd>`;
  return { text: preview.text, rows: [row(context, 'globe', preview.leadsTo, value)] };
}

// The host is what tells one site from another, whatever else stands in an address to look like one.
function wholeAddress(url: string): Html {
  const parts = splitWebAddress(url);
  return parts === null ? markup`${url}` : markup`${parts.scheme}<b>${parts.host}</b>${parts.rest}`;
}

function describeStores({ storeLinks }: PageSourceOf<'App'>, context: PageContext): Description {
  const { words } = context;
  const rows = listStores(storeLinks).map(({ name, devices, host, icon }) =>
    row(context, icon, devices === '' ? name : `${name}, ${devices}`, hostValue(host)),
  );
  const fallback = splitWebAddress(storeLinks.fallBackLink ?? '');
  if (fallback !== null) {
    rows.push(row(context, 'globe', words.preview.otherDevices, hostValue(fallback.host)));
  }
  return { text: rows.length === 0 ? words.empty : words.preview.stores, rows };
}

function hostValue(host: string): Html {
  return markup`<dd dir="ltr"><b>${host}</b></dd>`;
}

function hostedRow(source: HostedSource, context: PageContext): Html {
  const title = pageTitle(source, context.words);
  const { icon, word } = KINDS[source.type];
  const value = markup`<dd ${ownerText(title)}><b>${title}</b></dd>`;
  return row(context, icon, context.words.fallbackTitles[word], value);
}

const KINDS: Readonly<
  Record<HostedSource['type'], { icon: IconName; word: keyof PageContext['words']['fallbackTitles'] }>
> = {
  Landing: { icon: 'globe', word: 'landing' },
  QRTag: { icon: 'globe', word: 'tag' },
  DigiCard: { icon: 'person-plus', word: 'card' },
  TxtBin: { icon: 'text', word: 'text' },
  QrMenu: { icon: 'restaurant', word: 'menu' },
};

function row(context: PageContext, icon: IconName, label: string, value: Html): Html {
  return markup`<div><dt>${context.icon(icon)}${label}</dt>${value}</div>
`;
}

const STYLE =
  NOTICE_STYLE +
  compactCss(`
.notice .from{display:inline-block;margin-top:16px;padding:3px 15px;border:1px solid var(--border);border-radius:14px;background:var(--surface);
  color:var(--muted);font-size:.875rem;line-height:1.45}
dl{margin-top:24px;border:1px solid var(--border);border-radius:14px;background:var(--surface);box-shadow:var(--shadow)}
dl div{padding:16px}
dl div+div{border-top:1px solid var(--border)}
dt{position:relative;color:var(--muted);font-size:.875rem;line-height:1.45}
dt,dd{padding-inline-start:36px}
dt .i{position:absolute;inset-inline-start:0;top:.5em}
dd{margin-top:2px}
/* A host is best read in one piece. */
dd[dir=ltr] b{display:inline-block;max-width:100%}
`);
