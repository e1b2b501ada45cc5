import { createHash } from 'node:crypto';
import { BASE_STYLE } from '../parts/base-style.js';
import type { Page } from '../page.js';
import type { ThemeCss } from '../theme/theme-css.js';
import { Html, markup } from './markup.js';
import { iconSprite } from './page-context.js';
import type { PageContext } from './page-context.js';
import { shareTags } from './share-tags.js';
import type { ShareCard } from './share-tags.js';

export type DocumentParts = {
  readonly title: string;
  /** For search engines and previews: null when the page says nothing of itself. */
  readonly share: ShareCard | null;
  readonly isIndexed: boolean;
  readonly theme: ThemeCss;
  /** The style of this kind of page, as compactCss leaves it when a module is loaded; the base style stands before it. */
  readonly style: string;
  /** schema.org, as an object for JSON; null: none. */
  readonly jsonLd: object | null;
  /** What stands in `<body>` before the footer, `<main>` in it. */
  readonly body: Html;
  /** In the footer, before the address for reports. */
  readonly footer?: Html;
  /** Where the page's form may lead: to its link's target, or there is none. */
  readonly form?: keyof typeof FORM_ACTION;
};

/** Returns a whole page. Call it last: it looks at what the page's parts have used of `context`. */
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

// The page of a form must let its answer lead to another site, and the policy must not say to which
// (a blocked redirect after the POST was measured in Chromium and WebKit).
const FORM_ACTION = { none: "'none'", link: "'self' https: http:" } as const;

// No nonces: a page that is revalidated by a 304 with a new nonce loses its styles (measured in Chromium and WebKit),
// and the page's bytes must not change. `data:` is for the glyphs of the style.
function policyOf(style: string, used: PageContext['used'], formAction: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const images = `'self' data:${used.hasImages ? ' https:' : ''}${used.hasPlainHttpImages ? ' http:' : ''}`;
  const script = used.hasScript ? `script-src 'self'; ` : '';
  return (
    `default-src 'none'; style-src 'sha256-${hash}'; img-src ${images}; ${script}` +
    `form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`
  );
}

function themeColorMeta({ content, media }: ThemeCss['themeColorMetas'][number]): Html {
  const condition = media === undefined ? null : markup` media="${media}"`;
  return markup`<meta name="theme-color" content="${content}"${condition}>\n`;
}

function jsonLdTag(data: object | null): Html | null {
  if (data === null) return null;
  // A data block ends at the first `</script`, whatever string it stands in.
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
