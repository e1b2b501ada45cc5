import type { StoreLinks } from '@smartlink/smartlink/snapshot';
import type { Platform } from './platform.js';

/**
 * Returns the store of an App link that fits `platform` (decisions.md, App routing), undefined when its owner gave none:
 * then the visit takes the fallback. A Mac never gets the iPhone's link, however near it seems.
 */
export function findStoreLink(links: StoreLinks, platform: Platform): string | undefined {
  return STORES[platform].map((name) => links[name]).find((link) => link !== undefined);
}

const STORES: Readonly<Record<Platform, readonly (keyof StoreLinks)[]>> = {
  fire: ['amazonStoreLink', 'googlePlayLink'],
  huawei: ['appGalleryLink', 'googlePlayLink'],
  android: ['googlePlayLink'],
  ipad: ['ipadAppLink', 'appStoreLink'],
  iphone: ['appStoreLink'],
  mac: ['macOsAppLink'],
  windows: ['windowsAppLink'],
  other: [],
};
