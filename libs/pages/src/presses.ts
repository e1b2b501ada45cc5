import { listStores } from './app/app-pages.js';
import { isButtonLink } from './html/button-link.js';
import type { PageSource } from './site.js';

/**
 * The buttons of a link's own page whose presses can be counted: their kind and index in the stored list, or the member of
 * their store. Those with a forbidden address are text.
 */
export function buttonsOf(source: PageSource): readonly string[] {
  switch (source.type) {
    case 'Landing':
      return idsOf('button', source.page.landingButtons);
    case 'QRTag':
      return idsOf('button', source.page.qrTagButtons);
    case 'DigiCard':
      return idsOf('contact', source.page.digiCardButtons);
    case 'App':
      // With a fallback address no visitor gets the list of stores.
      return source.storeLinks.fallBackLink === undefined
        ? listStores(source.storeLinks).map(({ field }) => `store:${field}`)
        : [];
    default:
      return [];
  }
}

function idsOf(kind: 'button' | 'contact', buttons: readonly { readonly link: string }[] = []): string[] {
  return buttons.flatMap(({ link }, index) => (isButtonLink(link) ? [`${kind}:${index}`] : []));
}
