import { domainToUnicode } from 'node:url';
import { listStores } from '../app/app-pages.js';
import { NOTICE_STYLE, documentOf, glyph, openGraphCard } from '../html/document.js';
import { compactCss, type Html, markup } from '../html/markup.js';
import { type HostedSource, isVisible, ownerText, pageTitle } from '../html/owner-text.js';
import type { IconName, PageContext } from '../html/page-context.js';
import type { Page, PageSource, PageSourceOf, Site } from '../site.js';
import { themeCss } from '../theme/theme-css.js';

/** The page that shows where a link leads without going there. It reveals nothing of a protected or a limited link. */
export function previewPage(source: PageSource, context: PageContext): Page {
  const { words, site } = context;
  const isProtected = source.type === 'Url' && source.isProtected;
  const isLimited = source.isLimited === true;
  const { text, rows } = isLimited
    ? { text: words.preview.limited, rows: [] }
    : describeTarget(source, context);
  const destinations = (isLimited ? [] : (source.destinations ?? [])).map((url) =>
    addressRow(url, words.preview.forSome, context),
  );
  const all = [...rows, ...destinations];
  const rowList = all.length === 0 ? null : markup`<dl>\n${all}</dl>\n`;
  return documentOf(context, {
    title: words.preview.title,
    // The owner's words for previews describe the target, not this page.
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

function describeTarget(source: PageSource, context: PageContext): Description {
  const { preview } = context.words;
  if (source.type === 'App') return describeStores(source, context);
  if (source.type !== 'Url') return { text: preview.page, rows: [hostedRow(source, context)] };
  if (source.isProtected) return { text: preview.hidden, rows: [] };
  return { text: preview.text, rows: [addressRow(source.url, preview.leadsTo, context)] };
}

function addressRow(url: string, label: string, context: PageContext): Html {
  const host = splitWebAddress(url)?.host ?? '';
  const value = markup`<dd dir="ltr">${wholeAddress(url)}</dd>${hostWarning(host, context)}`;
  return row(context, 'globe', label, value);
}

// The host identifies a site, whatever in the rest of an address looks like one.
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
    const value = markup`${hostValue(fallback.host)}${hostWarning(fallback.host, context)}`;
    rows.push(row(context, 'globe', words.preview.otherDevices, value));
  }
  return { text: rows.length === 0 ? words.empty : words.preview.stores, rows };
}

function hostWarning(host: string, { words }: PageContext): Html | null {
  return looksLatin(host) ? markup`<dd class="warn">${words.preview.lookAlike}</dd>` : null;
}

// Letters that are drawn like Latin ones, by script (UTS 39; the set that browsers use for the same warning).
const LOOK_ALIKES = /^(?:[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ]+|[αικνορτυωγϲ]+)$/u;

/** Whether a label of `host` consists of look-alikes of Latin letters, as all of `аррӏе` does, before a Latin top level. */
function looksLatin(host: string): boolean {
  if (!host.includes('xn--')) return false;
  const labels = domainToUnicode(host).split('.');
  const isLatinTop = /^[a-z]+$/.test(labels.at(-1) ?? '');
  return isLatinTop && labels.some((label) => LOOK_ALIKES.test(label.replace(/[0-9-]/g, '')));
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
dd.warn{margin-top:8px;font-weight:600}
/* A host is best read in one piece. */
dd[dir=ltr] b{display:inline-block;max-width:100%}
`);

/**
 * The page for preview agents instead of a redirect: the owner's preview content, never the target. A person mistaken
 * for an agent continues by the page that shows where the link leads; the link itself would show this page again.
 */
export function sharePage(source: PageSource, context: PageContext): Page {
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

function fallbackTitle(source: PageSource, { words, site }: PageContext): string {
  if (source.type === 'App') return words.app.title;
  return source.type === 'Url' && source.isProtected ? words.password.title : shownAddress(site, source.slug);
}

export type WebAddressParts = {
  /** `https://` */
  readonly scheme: string;
  /** Without the port, as in the address: `xn--…` is not decoded. */
  readonly host: string;
  readonly rest: string;
};

/**
 * A normalised http or https address in three parts, which are the whole of it again; null for any other. The
 * host is what browsers connect to, never the part before an `@`.
 */
export function splitWebAddress(address: string): WebAddressParts | null {
  const [, scheme, host, rest] = PARTS.exec(address) ?? [];
  return scheme === undefined || host === undefined || rest === undefined ? null : { scheme, host, rest };
}

// In a normalised address the first of `/?#` ends the authority, and an `@` inside a user name is encoded (WHATWG URL).
const PARTS = /^(https?:\/\/(?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:@[\]]+)((?::\d+)?(?:[/?#].*)?)$/s;

/** A link's address for people: without `https://`. */
export function shownAddress(site: Site, slug: string): string {
  return `${site.publicBaseUrl.replace(/^https?:\/\//, '')}/${slug}`;
}
