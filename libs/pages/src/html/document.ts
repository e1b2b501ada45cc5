import { createHash } from 'node:crypto';
import {
  type Page,
  type PageSource,
  SHARE_IMAGE_HEIGHT_PX,
  SHARE_IMAGE_WIDTH_PX,
  type ShareImageKind,
  type Site,
} from '../site.js';
import type { ThemeCss } from '../theme/theme-css.js';
import { Html, compactCss, markup } from './markup.js';
import { firstVisible, isVisible } from './owner-text.js';
import { type IconName, iconSprite, type PageContext } from './page-context.js';

type DocumentParts = {
  readonly title: string;
  /** For search engines and previews; null if the page has no description. */
  readonly share: ShareCard | null;
  readonly isIndexed: boolean;
  readonly theme: ThemeCss;
  /** Style of this kind of page, compacted when its module is loaded; it follows the base style. */
  readonly style: string;
  /** schema.org data; null if there is none. */
  readonly jsonLd: object | null;
  /** Content of `<body>` before the footer, including `<main>`. */
  readonly body: Html;
  /** In the footer, before the address for reports. */
  readonly footer?: Html;
  /** Allowed targets of the page's form: that of its link, or none. */
  readonly form?: keyof typeof FORM_ACTION;
};

/** A whole page. Call it last: it reads what the parts of the page have used from `context`. */
export function documentOf(context: PageContext, parts: DocumentParts): Page {
  const { words, used, site } = context;
  const style = `${parts.theme.css}${BASE_STYLE}${parts.style}`;
  const script = used.hasScript ? markup`<script src="${site.scriptPath}" defer></script>\n` : null;
  const page = markup`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<title>${parts.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${parts.share === null ? null : shareTags(parts.share)}${parts.isIndexed ? null : NO_INDEX}${parts.theme.themeColorMetas.map(themeColorMeta)}<link rel="icon" href="/favicon.ico">
${jsonLdTag(parts.jsonLd)}<style>${new Html([style], [])}</style>
${script}</head>
<body>
${iconSprite(used.icons)}${parts.body}
${footer(context, parts.footer ?? null)}</body>
</html>
`;
  return {
    html: page.toString(),
    policy: policyOf(style, used, FORM_ACTION[parts.form ?? 'none']),
    language: words.language,
    isIndexed: parts.isIndexed,
  };
}

const NO_INDEX = markup`<meta name="robots" content="noindex">\n`;

// The answer of a form may redirect to another site, which the policy must not name
// (a blocked redirect after the POST was measured in Chromium and WebKit).
const FORM_ACTION = { none: "'none'", link: "'self' https: http:" } as const;

// No nonces: a page that is revalidated by a 304 with a new nonce loses its styles (measured in Chromium and WebKit),
// and the page's bytes must not change.
function policyOf(style: string, used: PageContext['used'], formAction: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const images = `'self' data:${used.hasImages ? ' https:' : ''}${used.hasPlainHttpImages ? ' http:' : ''}`;
  const script = used.hasScript ? `script-src 'self'; ` : '';
  const presses = used.hasPings ? `connect-src 'self'; ` : '';
  return (
    `default-src 'none'; style-src 'sha256-${hash}'; img-src ${images}; ${script}${presses}` +
    `form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`
  );
}

function themeColorMeta({ content, media }: ThemeCss['themeColorMetas'][number]): Html {
  const condition = media === undefined ? null : markup` media="${media}"`;
  return markup`<meta name="theme-color" content="${content}"${condition}>\n`;
}

function jsonLdTag(data: object | null): Html | null {
  if (data === null) return null;
  // A data block ends at the first `</script`, even inside a string.
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return markup`<script type="application/ld+json">${new Html([json], [])}</script>\n`;
}

function footer({ site, words }: PageContext, own: Html | null): Html | null {
  if (own === null && site.abuseContactUrl === null) return null;
  const report =
    site.abuseContactUrl === null
      ? null
      : markup`<p><a href="${site.abuseContactUrl}" rel="nofollow">${words.report}</a></p>\n`;
  return markup`<footer>
${own}${report}</footer>
`;
}

/** Content of a link preview in messengers and social networks. */
export type ShareCard = {
  readonly site: Site;
  readonly slug: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Addresses of the owner's pictures, the best first; unsupported ones are skipped. */
  readonly images: readonly (string | undefined)[];
  /** Which default picture is used if the owner has none. */
  readonly kind: ShareImageKind;
  /** Whether the best picture is meant to be shown large: one for previews, or a cover. */
  readonly hasLargeImage: boolean;
};

// In code points: networks cut longer ones.
const TITLE_LENGTH_MAX = 65;
const DESCRIPTION_LENGTH_MAX = 160;

/**
 * The description, Open Graph and canonical tags of a page (ogp.me), every attribute quoted: WhatsApp shows no
 * picture without. Its address is the one for clicks, so that a preview of a scanned link leads to no scan.
 */
export function shareTags(card: ShareCard): Html {
  const { site, slug } = card;
  const address = `${site.publicBaseUrl}/${slug}`;
  const title = cutAtWord(card.title, TITLE_LENGTH_MAX);
  const description = cutAtWord(card.description ?? '', DESCRIPTION_LENGTH_MAX);
  // WhatsApp requires one; search engines generate a better one.
  const shownDescription = description === '' ? address.replace(/^https?:\/\//, '') : description;
  return markup`${description === '' ? null : markup`<meta name="description" content="${description}">\n`}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${shownDescription}">
<meta property="og:url" content="${address}">
${imageTags(card)}<link rel="canonical" href="${address}">
`;
}

function imageTags(card: ShareCard): Html {
  const image = card.images.find((url) => url !== undefined && isShown(url));
  if (image === undefined) return markup`${ownImage(card)}<meta name="twitter:card" content="summary">\n`;
  // The substitute of a skipped picture is usually a logo.
  const isBest = image === card.images.find((url) => url !== undefined);
  const type = isBest && card.hasLargeImage ? 'summary_large_image' : 'summary';
  return markup`<meta property="og:image" content="${image}">
<meta name="twitter:card" content="${type}">
`;
}

function ownImage({ site, kind }: ShareCard): Html {
  return markup`<meta property="og:image" content="${site.publicBaseUrl}${site.shareImagePath(kind)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${String(SHARE_IMAGE_WIDTH_PX)}">
<meta property="og:image:height" content="${String(SHARE_IMAGE_HEIGHT_PX)}">
`;
}

// Several networks show no SVG and nothing that comes over plain http.
function isShown(url: string): boolean {
  return url.startsWith('https://') && !/^[^?#]*\.svgz?(?:[?#]|$)/i.test(url);
}

/** `text` in one line of at most `lengthMax` code points, cut after a word. */
export function cutAtWord(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  if (points.length <= lengthMax) return line;
  // One more than fits: the last word fits whole when a space follows it.
  const cut = points.slice(0, lengthMax).join('');
  const space = cut.lastIndexOf(' ');
  // A language without spaces, or an address, is cut where it has to be.
  const isCutAtSpace = space > cut.length / 2;
  return `${isCutAtSpace ? cut.slice(0, space) : points.slice(0, lengthMax - 1).join('')}…`;
}

/**
 * The base style of every page: one type scale, one spacing scale (4, 8, 12, 16, 24, 32, 48, 64 px), one focus ring. The
 * colours are the tokens of theme-css.ts. Each kind of page adds its own part.
 */
const BASE_STYLE = compactCss(`
*,::before,::after{box-sizing:border-box}
html{background:var(--bg);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%;overflow-wrap:anywhere}
body{margin:0 auto;padding:32px clamp(16px,4vw,32px);min-height:100vh;min-height:100svh;max-width:calc(36rem + 64px);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
h1,h2,h3,p,ul,ol,pre,figure,dl,dd{margin:0;padding:0}
ul,ol{list-style:none}
h1{font-size:clamp(1.5rem,1.25rem + 1.25vw,2.25rem);line-height:1.15;font-weight:700;text-wrap:balance}
h2{font-size:1.375rem;line-height:1.25;font-weight:700}
h3{font-size:1.0625rem;line-height:1.35;font-weight:600}
a{color:var(--link)}
button,input{font:inherit;color:inherit}
.small,footer{font-size:.875rem;line-height:1.45}
.muted,footer,footer a{color:var(--muted)}
footer{margin-top:48px;text-align:center}
footer p+p{margin-top:8px}
footer a{display:inline-block;padding:12px 8px}
[dir=auto]{text-align:start}
.owner{white-space:pre-line}
.sprite{position:absolute}
.i{flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
/* Links to other sites point out of the line of reading. */
[dir=rtl] [href="#i-link"]{transform:scaleX(-1);transform-origin:12px}
.ph{display:block;overflow:hidden;line-height:0}
.ph img{position:relative;width:100%;height:100%;object-fit:cover;vertical-align:top;color:transparent}
/* Without script: covers the sign for a broken picture in Chromium and Firefox, by the colour under the box. */
.ph img::after{content:"";position:absolute;inset:0;background:var(--under,var(--bg))}
.ph img~*{display:none}
.btn{display:flex;align-items:center;gap:12px;width:100%;min-height:56px;padding:15px;border:1px solid var(--edge);border-radius:14px;
  background:var(--accent);box-shadow:var(--shadow);color:var(--on);font-weight:600;line-height:1.5;text-align:start;text-decoration:none;cursor:pointer}
.btn.alt{border-color:var(--control);background:var(--surface);color:var(--text)}
@media(hover:hover){.btn:hover{background:var(--hover)}.btn.alt:hover{background:var(--tint)}}
.none{padding:24px 16px;border:1px dashed var(--control);border-radius:14px;color:var(--muted);text-align:center}
.hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-inline-start:16px;top:-64px;padding:12px 16px;background:var(--surface);border:1px solid var(--control);border-radius:8px}
.skip:focus{top:16px;z-index:9}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;box-shadow:0 0 0 2px var(--bg)}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}a,button{transition:background-color .12s,border-color .12s}.btn:active{transform:translateY(1px)}}
@media print{:root{color-scheme:light;--bg:#fff;--surface:#fff;--tint:#fff;--text:#000;--muted:#333;--border:#999;--control:#000;--accent:#fff;--on:#000;--hover:#fff;--edge:#000;--link:#000;--shadow:0 0 #0000}
  body{max-width:none;padding:0}.noprint{display:none}}
`);

/** Preview content of a page whose owner gave none. */
export type OpenGraphCardOptions = {
  readonly title: string;
  readonly description?: string | undefined;
  /** The best first. */
  readonly images?: readonly (string | undefined)[];
  /** Whether the first of `images` is meant to be shown large. */
  readonly hasLargeImage?: boolean;
  readonly kind: ShareImageKind;
};

/** Preview content of a link: the owner's, or else that of its page. */
export function openGraphCard(
  { slug, openGraph }: Pick<PageSource, 'slug' | 'openGraph'>,
  { site }: PageContext,
  { title, description, images = [], hasLargeImage = false, kind }: OpenGraphCardOptions,
): ShareCard {
  const imageUrl = openGraph?.imageUrl;
  return {
    site,
    slug,
    title: firstVisible(openGraph?.title, title),
    description: [openGraph?.description, description].find(isVisible),
    images: [imageUrl, ...images],
    kind,
    hasLargeImage: imageUrl !== undefined || hasLargeImage,
  };
}

/** The style of a page with one centred message below a grey glyph: `<main class="notice">`. */
export const NOTICE_STYLE = compactCss(`
body{display:flex;flex-direction:column}
main{width:100%;margin-block:auto;padding-block:16px}
.notice,.notice [dir]{text-align:center}
.notice h1{max-width:30rem;margin-inline:auto}
.glyph{display:flex;align-items:center;justify-content:center;width:88px;height:88px;margin:0 auto 24px;border:1px solid var(--tint);
  border-radius:999px;background:var(--tint);color:var(--muted)}
.glyph .i{width:40px;height:40px;stroke-width:1.75}
.notice h1+p{max-width:28rem;margin:12px auto 0;color:var(--muted);text-wrap:balance}
.act{max-width:20rem;margin:32px auto 0}
.act .btn{justify-content:center;text-align:center}
`);

/** The glyph of such a page. */
export function glyph(context: PageContext, icon: IconName): Html {
  return markup`<div class="glyph">${context.icon(icon)}</div>`;
}
