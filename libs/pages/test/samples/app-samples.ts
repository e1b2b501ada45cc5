import type { PageSource } from '@smartlink/pages/site';

const openGraph = {
  title: 'Narin Coffee',
  description: 'Order ahead, collect stamps, skip the queue.',
  imageUrl: 'https://images.example/narin-cover.jpg',
};

const appStoreLink = 'https://apps.apple.com/az/app/narin-coffee/id6450000000';
const googlePlayLink = 'https://play.google.com/store/apps/details?id=com.example.narin';

/** App links for the tests in a browser and the pictures in docs/pages. */
export const appSamples: Readonly<Record<string, PageSource>> = {
  app: { slug: 'narin', type: 'App', openGraph, storeLinks: { appStoreLink, googlePlayLink } },
  'app-all': {
    slug: 'narinall',
    type: 'App',
    storeLinks: {
      appStoreLink,
      ipadAppLink: 'https://apps.apple.com/az/app/narin-coffee-for-ipad/id6450000001',
      googlePlayLink,
      appGalleryLink: 'https://appgallery.huawei.com/app/C100000000',
      amazonStoreLink: 'https://www.amazon.com/dp/B000000000',
      windowsAppLink: 'https://apps.microsoft.com/detail/9nblggh00000',
      macOsAppLink: 'https://apps.apple.com/az/app/narin-coffee/id6450000002?mt=12',
    },
  },
  'app-own-downloads': {
    slug: 'desk',
    type: 'App',
    openGraph: { title: 'Narin Desk' },
    storeLinks: {
      windowsAppLink: 'https://downloads.narin.example/desk-setup.exe',
      macOsAppLink: 'https://downloads.narin.example/desk.dmg',
    },
  },
  'app-long': {
    slug: 'A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8',
    type: 'App',
    openGraph: { title: 'تطبيق نارين للقهوة: اطلب مسبقًا واجمع الطوابع' },
    storeLinks: {
      googlePlayLink: `https://${'verylongsubdomainname.'.repeat(6)}narin.example/app`,
    },
  },
  'app-nothing': { slug: 'soon', type: 'App', storeLinks: {} },
};
