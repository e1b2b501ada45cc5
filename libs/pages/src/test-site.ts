import { renderPage } from './render-page.js';
import type { Page, PageSource, PageView, Site } from './site.js';
import type { Language } from './words/words.js';

/** The instance of the pages in tests. */
export const TEST_SITE: Site = {
  publicBaseUrl: 'https://sl.example.com',
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
};

/** A page of TEST_SITE. Throws if the source has no such page. */
export function renderTestPage(source: object, view: PageView = 'own', language: Language = 'en'): Page {
  const page = renderPage({ slug: 'Docs', ...source } as PageSource, view, language, TEST_SITE);
  if (page === null) throw new Error(`no page for view ${view}`);
  return page;
}
