import type { PageSource } from '@smartlink/pages/site';

const openGraph = {
  title: 'Summer sale: half the price on everything',
  description: 'Only until Sunday, in all shops and online.',
  imageUrl: 'https://images.example/sale-cover.jpg',
};

/** Url links for the tests in a browser and the pictures in docs/pages: their forms, previews and shares. */
export const linkSamples: Readonly<Record<string, PageSource>> = {
  link: {
    slug: 'sale',
    type: 'Url',
    isProtected: false,
    openGraph,
    url: 'https://shop.narin.example/collections/summer?utm_source=poster&utm_campaign=summer-2026',
  },
  'link-bare': { slug: 'docs', type: 'Url', isProtected: false, url: 'https://docs.narin.example/' },
  'link-deceptive': {
    slug: 'A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8A1b2C3d4E5f6G7h8',
    type: 'Url',
    isProtected: false,
    openGraph: { title: 'فاتورتك جاهزة للدفع' },
    url: `http://xn--80ak6aa92e.example:8080/https://bank.example/login/@bank.example/${'session'.repeat(120)}#%E2%80%AE`,
  },
  'link-protected': { slug: 'prices', type: 'Url', isProtected: true, openGraph },
  'link-protected-bare': { slug: 'Board2026', type: 'Url', isProtected: true },
};
