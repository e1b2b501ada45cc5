import type { PageSource, PageSourceOf } from '@smartlink/pages/site';

type LandingPage = PageSourceOf<'Landing'>['page'];

function landing(
  page: Partial<LandingPage['landing']>,
  buttons: LandingPage['landingButtons'],
): PageSourceOf<'Landing'> {
  return {
    slug: 'narin',
    type: 'Landing',
    page: { landing: { layout: 'List', theme: 'Auto', ...page }, landingButtons: buttons },
  };
}

const icon = (name: string): string => `https://images.example/icon-${name}.png`;

const BAKERY = {
  title: 'Narin Bakery',
  description: 'Bread, pastry and coffee from six in the morning.\nNizami Street 12, Baku',
  logoLink: 'https://images.example/logo-bakery.png',
};
const BAKERY_BUTTONS = [
  { title: 'Order online', link: 'https://shop.example/order' },
  { title: 'Today’s bread', link: 'https://narin.example/today' },
  { title: 'Book a cake for a party', link: 'https://narin.example/cakes' },
  { title: 'Call us', link: 'tel:+994125550134' },
  { title: 'Write to us', link: 'mailto:hello@narin.example' },
];

const MUSICIAN_BUTTONS = [
  { title: 'New album “Xəzər”', link: 'https://music.example/album', iconUrl: icon('album') },
  { title: 'Listen to everything', link: 'https://listen.example/aysel', iconUrl: icon('listen') },
  { title: 'Videos', link: 'https://video.example/aysel', iconUrl: icon('video') },
  { title: 'Concerts and tickets', link: 'https://tickets.example/aysel' },
  { title: 'Lyrics and notes', link: 'https://notes.example/aysel', iconUrl: icon('missing') },
  { title: 'Booking', link: 'mailto:booking@aysel.example' },
];

// 256 characters, as many as a button may have.
const LONG =
  'Everything there is to know about the spring exhibition in the old town: its hours on weekdays and at weekends, the way here from the station, the price of a ticket for a family with two or three children, and what there will be to eat and drink at its end';

/** Landings for the tests in a browser and the pictures in docs/pages. Pictures at images.example are made up there. */
export const landingSamples: Readonly<Record<string, PageSource>> = {
  landing: landing({ ...BAKERY, themeColor: '#b45309' }, [
    ...BAKERY_BUTTONS.slice(0, 3),
    { title: 'Instagram', link: 'https://www.instagram.com/' },
    { title: 'WhatsApp', link: 'https://wa.me/994125550134' },
    ...BAKERY_BUTTONS.slice(3),
  ]),
  'landing-icons': landing(
    {
      title: 'Aysel Quliyeva',
      description: 'Singer and songwriter from Baku',
      logoLink: 'https://images.example/portrait.png',
      themeColor: '#123456',
      theme: 'Dark',
    },
    MUSICIAN_BUTTONS,
  ),
  'landing-grid': landing(
    { ...BAKERY, themeColor: '#0f766e', layout: 'Grid' },
    [...BAKERY_BUTTONS, { title: 'Find us on the map', link: 'https://maps.example/narin' }].map(
      (button, index) => (index % 2 === 0 ? { ...button, iconUrl: icon(String(index)) } : button),
    ),
  ),
  'landing-grid-four': landing({ ...BAKERY, themeColor: '#be123c', layout: 'Grid', theme: 'Light' }, [
    ...BAKERY_BUTTONS.slice(1),
  ]),
  'landing-grid-one': landing(
    { title: 'Wedding of Nigar and Elvin', themeColor: '#9d174d', layout: 'Grid' },
    [{ title: 'Say whether you come', link: 'https://wedding.example/answer' }],
  ),
  'landing-hundred': landing(
    { title: 'Library of the village school', themeColor: '#808080' },
    Array.from({ length: 100 }, (_, index) => ({
      title: `Shelf ${String(index + 1)}: ${['stories', 'atlases', 'poems', 'plants and animals'][index % 4] ?? ''}`,
      link: `https://library.example/shelf/${String(index + 1)}`,
    })),
  ),
  'landing-long-grid': landing(
    {
      title: 't'.repeat(128),
      themeColor: '#ffffff',
      layout: 'Grid',
      logoLink: 'https://images.example/missing.png',
    },
    [
      { title: LONG, link: 'https://long.example/' },
      { title: 'w'.repeat(256), link: 'https://long.example/unbroken', iconUrl: icon('long') },
      { title: '☕', link: 'https://long.example/emoji' },
      { title: 'Menu', link: 'https://long.example/menu' },
      { title: 'Call', link: 'tel:+994125550134' },
    ],
  ),
  'landing-arabic': landing(
    {
      title: 'مخبز نارين',
      description: 'خبز طازج كل صباح من الساعة السادسة',
      logoLink: 'https://images.example/logo-tall.png',
      themeColor: '#f80c',
    },
    [
      { title: 'اطلب الآن', link: 'https://shop.example/order' },
      { title: 'Instagram', link: 'https://social.example/narin', iconUrl: icon('social') },
      { title: 'اتصل بنا: +994 12 555 01 34', link: 'tel:+994125550134' },
    ],
  ),
  'landing-outline': {
    ...landing({ ...BAKERY, themeColor: '#ffc83d', layout: 'Grid' }, BAKERY_BUTTONS),
    appearance: { buttonStyle: 'outline', buttonShape: 'square', background: 'plain' },
  },
  'landing-empty': landing({}, []),
};
