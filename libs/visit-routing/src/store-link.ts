import type { StoreLinks } from '@smartlink/smartlink/snapshot';
import type { Platform } from './platform.js';

/** A store of an App link, by the API's name for its address. */
export type StoreName = Exclude<keyof StoreLinks, 'fallBackLink'>;

/**
 * Returns the store of an App link that fits `platform` (decisions.md, App routing), undefined when its owner gave none:
 * then the visit takes the fallback. A Mac never gets the iPhone's link, however near it seems.
 */
export function findStore(links: StoreLinks, platform: Platform): StoreName | undefined {
  return STORES[platform].find((name) => links[name] !== undefined);
}

const STORES: Readonly<Record<Platform, readonly StoreName[]>> = {
  fire: ['amazonStoreLink', 'googlePlayLink'],
  huawei: ['appGalleryLink', 'googlePlayLink'],
  android: ['googlePlayLink'],
  ipad: ['ipadAppLink', 'appStoreLink'],
  iphone: ['appStoreLink'],
  mac: ['macOsAppLink'],
  windows: ['windowsAppLink'],
  other: [],
};
