import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import { createPageContext } from '../html/page-context.js';
import type { Page } from '../page.js';
import type { IconName } from '../parts/icons.js';
import type { Site } from '../site.js';
import { themeCss } from '../theme/theme-css.js';
import { WORDS } from '../words/languages.js';
import { fillIn } from '../words/words.js';
import type { Language } from '../words/words.js';
import { NOTICE_STYLE, glyph } from './notice.js';

export const SYSTEM_PAGES = ['notFound', 'paused', 'gone', 'tooManyRequests', 'unavailable', 'root'] as const;
export type SystemPage = (typeof SYSTEM_PAGES)[number];

/**
 * Returns a page that leads nowhere: what happened and what to do, with no code and no blame. `waitSeconds` is for
 * `tooManyRequests`. It needs no store, so that it can be made at start and shown when all of them are down.
 */
export function systemPage(name: SystemPage, language: Language, site: Site, waitSeconds = 0): Page {
  const words = WORDS[language];
  const context = createPageContext(site, words);
  const { title, text } = words[name];
  // An empty address is this one again, parameters included.
  const action =
    name === 'unavailable'
      ? markup`<div class="act"><a class="btn" href="">${words.unavailable.retry}</a></div>\n`
      : null;
  return documentOf(context, {
    title,
    share: null,
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE,
    jsonLd: null,
    body: markup`<main class="notice">
${glyph(context, GLYPHS[name])}
<h1>${title}</h1>
<p>${fillIn(text, { n: waitSeconds })}</p>
${action}</main>`,
  });
}

const GLYPHS: Readonly<Record<SystemPage, IconName>> = {
  notFound: 'search',
  paused: 'pause',
  gone: 'removed',
  tooManyRequests: 'clock',
  unavailable: 'warning',
  root: 'link',
};
