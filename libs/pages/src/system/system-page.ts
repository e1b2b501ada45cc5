import { documentOf, styleOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import { createPageContext } from '../html/page-context.js';
import type { Page } from '../page.js';
import type { Site } from '../site.js';
import { themeCss } from '../theme/theme-css.js';
import { WORDS } from '../words/languages.js';
import { fillIn } from '../words/words.js';
import type { Language } from '../words/words.js';

export const SYSTEM_PAGES = ['notFound', 'paused', 'gone', 'tooManyRequests', 'unavailable', 'root'] as const;
export type SystemPage = (typeof SYSTEM_PAGES)[number];

const STYLE = styleOf('');

/** Returns a page that leads nowhere; `waitSeconds` is for `tooManyRequests`. */
export function systemPage(name: SystemPage, language: Language, site: Site, waitSeconds = 0): Page {
  const context = createPageContext(site, WORDS[language]);
  const { title, text } = WORDS[language][name];
  return documentOf(context, {
    title,
    share: null,
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: STYLE,
    jsonLd: null,
    body: markup`<main>
<h1>${title}</h1>
<p>${fillIn(text, { n: waitSeconds })}</p>
</main>`,
  });
}
