import { ipadOrMacPage, storePage } from './app/app-pages.js';
import { landingPage, qrTagPage } from './buttons/button-pages.js';
import { digiCardPage } from './card/digi-card-page.js';
import { createPageContext, type PageContext } from './html/page-context.js';
import { previewPage, sharePage } from './link/link-pages.js';
import { passwordPage } from './link/system-page.js';
import { menuPage } from './menu/menu-page.js';
import type { Page, PageSource, PageView, Site } from './site.js';
import { textPage } from './text/text-page.js';
import { WORDS } from './words/translations.js';
import type { Language } from './words/words.js';

export { vCard } from './card/vcard.js';

/** A page of a link in `language`; null where its type has no such page. */
export function renderPage(source: PageSource, view: PageView, language: Language, site: Site): Page | null {
  const context = createPageContext(site, WORDS[language]);
  switch (view) {
    case 'own':
      return ownPage(source, context);
    case 'ipad-or-mac':
    case 'ipad-or-mac-scan':
      return source.type === 'App' ? ipadOrMacPage(source, view, context) : null;
    case 'password':
      return source.type === 'Url' && source.isProtected ? passwordPage(source, context) : null;
    case 'share':
      return source.type === 'Url' || source.type === 'App' || source.isLimited === true
        ? sharePage(source, context)
        : null;
    case 'preview':
      return previewPage(source, context);
  }
}

function ownPage(source: PageSource, context: PageContext): Page | null {
  switch (source.type) {
    case 'App':
      return storePage(source, context);
    case 'Landing':
      return landingPage(source, context);
    case 'QRTag':
      return qrTagPage(source, context);
    case 'DigiCard':
      return digiCardPage(source, context);
    case 'TxtBin':
      return textPage(source, context);
    case 'QrMenu':
      return menuPage(source, context);
    case 'Url':
      return null;
  }
}
