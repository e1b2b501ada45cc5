import type { PageSource } from '../page-source.js';
import type { Words } from '../words/words.js';
import { firstVisible } from './owner-text.js';

/** Of a link that has a page of its own. */
export type HostedSource = Exclude<PageSource, { type: 'Url' | 'App' }>;

/** Returns the title of a link's own page, as its h1 has it; a fixed word where the owner gave none. */
export function pageTitle(source: HostedSource, { fallbackTitles }: Words): string {
  const shared = source.openGraph?.title;
  switch (source.type) {
    case 'Landing':
      return firstVisible(source.page.landing.title, shared, fallbackTitles.landing);
    case 'QRTag':
      return firstVisible(source.page.qrTag.title, shared, fallbackTitles.tag);
    case 'DigiCard': {
      const { title, company } = source.page.digiCard;
      return firstVisible(title, shared, company, fallbackTitles.card);
    }
    case 'TxtBin':
      return firstVisible(source.page.txtBin.title, shared, fallbackTitles.text);
    case 'QrMenu':
      return firstVisible(source.page.qrMenu.title, shared, fallbackTitles.menu);
  }
}
