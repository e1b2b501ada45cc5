import type { StoreLinks } from '@smartlink/smartlink/snapshot';
import type { Page } from '../reply.js';
import { markup } from './html.js';
import { hostedLayout } from './layout.js';
import { buttonList, heading } from './owner-content.js';

/** Returns the page of an App link for those for whom it has neither a store nor a fallback address: all its stores. */
export function storePage(links: StoreLinks): Page {
  const title = 'Get the app';
  const buttons = STORE_NAMES.flatMap(([name, text]) => {
    const link = links[name];
    return link === undefined ? [] : [{ title: text, link }];
  });
  const main = markup`${heading({ title })}
${buttonList(buttons)}`;
  return hostedLayout({ title, main });
}

// Store names as plain text, with the devices they are for: the shops' badges are theirs.
const STORE_NAMES: readonly (readonly [keyof StoreLinks, string])[] = [
  ['appStoreLink', 'App Store – iPhone'],
  ['ipadAppLink', 'App Store – iPad'],
  ['googlePlayLink', 'Google Play – Android'],
  ['appGalleryLink', 'AppGallery – Huawei'],
  ['amazonStoreLink', 'Amazon Appstore – Fire'],
  ['windowsAppLink', 'Microsoft Store – Windows'],
  ['macOsAppLink', 'Mac App Store – Mac'],
];
