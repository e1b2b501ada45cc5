import type { PageSourceOf } from '../page-source.js';
import type { IconName } from '../parts/icons.js';

export type StoreLinks = PageSourceOf<'App'>['storeLinks'];

/** A store of an App link, as its pages name it. */
export type Store = {
  readonly link: string;
  /** The store's, or the devices' where the address is not one of that store. */
  readonly name: string;
  /** '' where the name says them. */
  readonly devices: string;
  /** Of the address, as it stands there. */
  readonly host: string;
  readonly icon: IconName;
};

/**
 * Returns the stores of an App link in the order in which pages show them. Names of stores and devices are the same in
 * every language of ours, and plain text: the badges of stores are for those whose apps they sell.
 */
export function listStores(links: StoreLinks): readonly Store[] {
  return KNOWN_STORES.flatMap(({ field, name, hosts, devices, icon }) => {
    const link = links[field];
    if (link === undefined || !WEB_ADDRESS.test(link)) return [];
    if (field === 'ipadAppLink' && link === links.appStoreLink) return [];
    const { host, hostname } = new URL(link);
    const shownDevices = field === 'appStoreLink' ? appleDevices(links) : devices;
    // An owner may well lead Windows to a file of their own; calling that Microsoft's store would be untrue.
    const isAtStore = hosts.includes(hostname);
    return isAtStore
      ? [{ link, name, devices: shownDevices, host, icon }]
      : [{ link, name: shownDevices, devices: '', host, icon }];
  });
}

// iPads use the iPhones' address where they have none of their own (decisions.md, App routing).
function appleDevices({ appStoreLink, ipadAppLink = appStoreLink }: StoreLinks): string {
  return ipadAppLink === appStoreLink ? 'iPhone · iPad' : 'iPhone';
}

// The last look at an address before a browser acts on it.
const WEB_ADDRESS = /^https?:\/\/./;

const APPLE_HOSTS = ['apps.apple.com', 'itunes.apple.com'];

// Where Amazon sells in a country of its own.
const AMAZON_HOSTS = 'com ca com.mx com.br co.uk de fr it es nl com.tr in co.jp com.au'
  .split(' ')
  .flatMap((domain) => [`www.amazon.${domain}`, `amazon.${domain}`]);

const KNOWN_STORES: readonly {
  readonly field: keyof StoreLinks;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly devices: string;
  readonly icon: IconName;
}[] = [
  { field: 'appStoreLink', name: 'App Store', hosts: APPLE_HOSTS, devices: 'iPhone', icon: 'mobile' },
  { field: 'ipadAppLink', name: 'App Store', hosts: APPLE_HOSTS, devices: 'iPad', icon: 'tablet' },
  {
    field: 'googlePlayLink',
    name: 'Google Play',
    hosts: ['play.google.com'],
    devices: 'Android',
    icon: 'mobile',
  },
  {
    field: 'appGalleryLink',
    name: 'AppGallery',
    hosts: ['appgallery.huawei.com', 'appgallery.cloud.huawei.com'],
    devices: 'Huawei',
    icon: 'mobile',
  },
  {
    field: 'amazonStoreLink',
    name: 'Amazon Appstore',
    hosts: AMAZON_HOSTS,
    devices: 'Amazon Fire',
    icon: 'tablet',
  },
  {
    field: 'windowsAppLink',
    name: 'Microsoft Store',
    hosts: ['apps.microsoft.com', 'www.microsoft.com', 'microsoft.com'],
    devices: 'Windows',
    icon: 'desktop',
  },
  { field: 'macOsAppLink', name: 'Mac App Store', hosts: APPLE_HOSTS, devices: 'Mac', icon: 'laptop' },
];
