import type { LiveLink } from '@smartlink/smartlink/snapshot';
import type { Page } from '../reply.js';
import { digiCardPage, landingPage, qrTagPage } from './button-pages.js';
import { menuPage } from './menu-page.js';
import { storePage } from './store-page.js';
import { textPage } from './text-page.js';

/** Returns the page that a link shows: its own, or an App link's list of stores; null for a type that has none. */
export function hostedPage(link: LiveLink): Page | null {
  switch (link.type) {
    case 'App':
      return storePage(link.storeLinks);
    case 'Landing':
      return landingPage(link.page, link.openGraph);
    case 'QRTag':
      return qrTagPage(link.page, link.openGraph);
    case 'DigiCard':
      return digiCardPage(link.page, link.openGraph);
    case 'TxtBin':
      return textPage(link.page, link.openGraph, link.slug);
    case 'QrMenu':
      return menuPage(link.page, link.openGraph);
    case 'Url':
      return null;
  }
}
