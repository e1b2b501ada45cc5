import type { PageSource } from '@smartlink/pages/page-source';

/** Landings for the tests in a browser and the pictures in docs/pages. Pictures at images.example are made up there. */
export const landingSamples: Readonly<Record<string, PageSource>> = {
  landing: {
    slug: 'bakery',
    type: 'Landing',
    page: {
      landing: {
        title: 'Narin Bakery',
        description: 'Fresh bread from six in the morning.\nNizami street 12, Baku',
        logoLink: 'https://images.example/logo-bakery.png',
        themeColor: '#ff8800',
        layout: 'List',
        theme: 'Auto',
      },
      landingButtons: [
        { title: 'Order online', link: 'https://shop.example/order' },
        { title: 'Call us', link: 'tel:+994501234567' },
      ],
    },
  },
};
