import type { PageSource, PageSourceOf } from '@smartlink/pages/site';

type CardPage = PageSourceOf<'DigiCard'>['page'];

function card(
  digiCard: CardPage['digiCard'],
  digiCardButtons?: CardPage['digiCardButtons'],
): PageSourceOf<'DigiCard'> {
  return {
    slug: 'leyla',
    type: 'DigiCard',
    page: digiCardButtons === undefined ? { digiCard } : { digiCard, digiCardButtons },
  };
}

const NAME = { title: 'Leyla Əliyeva', jobTitle: 'Architect', company: 'Xəzər Studio' };
const PHOTO = { logoLink: 'https://images.example/portrait-leyla.jpg' };
const BACKGROUND = { bgLink: 'https://images.example/cover-facade.jpg' };
const LEYLA = { ...NAME, ...PHOTO, ...BACKGROUND, themeColor: '#0f766e' };
const LEYLA_BUTTONS: CardPage['digiCardButtons'] = [
  { title: 'Mobile', link: 'tel:+994 50 555 01 34', preset: 'phone' },
  { title: 'WhatsApp', link: 'https://wa.me/994505550134', preset: 'whatsapp' },
  { title: 'E-mail', link: 'mailto:leyla@xezer-studio.example', preset: 'email' },
  { title: 'Portfolio', link: 'https://www.xezer-studio.example/leyla', preset: 'website' },
  { title: 'Studio', link: 'https://maps.example/?q=28+May+Street,+Baku', preset: 'location' },
  { title: 'Book a meeting', link: 'https://calendar.example/leyla', preset: 'calendar' },
  { title: 'Instagram', link: 'https://www.instagram.com/', preset: 'social' },
  { title: 'Talk: houses for wind', link: 'https://talks.example/houses-for-wind', preset: 'link' },
];

const BAKERY_BUTTONS: CardPage['digiCardButtons'] = [
  { title: 'Orders', link: 'tel:+994125550134', preset: 'phone' },
  { title: 'Nizami Street 12', link: 'geo:40.3777,49.8920', preset: 'location' },
];

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(
  4,
);

/** DigiCards for the tests in a browser and the pictures in docs/pages. Pictures at images.example are made up there. */
export const cardSamples: Readonly<Record<string, PageSource>> = {
  card: card(LEYLA, LEYLA_BUTTONS),
  'card-gradient': {
    ...card({ ...NAME, ...PHOTO, themeColor: '#0f766e' }, LEYLA_BUTTONS),
    appearance: { buttonStyle: 'outline', buttonShape: 'pill', background: 'gradient' },
  },
  'card-no-pictures': card(
    {
      title: 'James Okafor',
      jobTitle: 'Head of Partnerships',
      company: 'Northwind Energy',
      themeColor: '#123456',
      ctaText: 'Add me to your phone',
    },
    [
      { title: 'Office', link: 'tel:+442079460134;ext=42' },
      { title: 'james@northwind.example', link: 'mailto:james@northwind.example' },
      { title: 'northwind.example', link: 'https://northwind.example/' },
    ],
  ),
  'card-broken-pictures': card(
    {
      ...LEYLA,
      logoLink: 'https://images.example/missing-photo.jpg',
      bgLink: 'https://images.example/missing-bg.jpg',
    },
    LEYLA_BUTTONS.slice(0, 4),
  ),
  'card-photo-only': card({ ...NAME, ...PHOTO, themeColor: '#9d174d' }, LEYLA_BUTTONS.slice(0, 5)),
  'card-tall-photo': card(
    { ...LEYLA, logoLink: 'https://images.example/tall-portrait.jpg' },
    LEYLA_BUTTONS.slice(0, 2),
  ),
  'card-company': card(
    {
      company: 'Narin Bakery',
      logoLink: 'https://images.example/cover-logo-narin.jpg',
      themeColor: '#b45309',
    },
    BAKERY_BUTTONS,
  ),
  'card-nothing': card({}),
  'card-hundred-buttons': card(
    LEYLA,
    Array.from({ length: 100 }, (_, index) => ({
      title: `Project ${String(index + 1)}`,
      link: `https://xezer-studio.example/projects/${String(index + 1)}`,
    })),
  ),
  'card-long': card(
    {
      title: 'Prof. Dr. María de los Ángeles Fernández-Villaverde y Gutiérrez de la Concepción '
        .repeat(4)
        .slice(0, 256)
        .trim(),
      jobTitle: 'Deputy director of the department of hydrological forecasts, floods and reservoirs'.padEnd(
        128,
        ' and more',
      ),
      company: LONG_WORD.slice(0, 128),
      ctaText: 'Kontaktdaten am Telefon sichern!',
      logoLink: LEYLA.logoLink,
    },
    [
      { title: LONG_WORD.slice(0, 256), link: `https://${'a-very-long-host-name.'.repeat(9)}example/` },
      { title: 'E-mail', link: `mailto:${'long.'.repeat(12)}name@${'department.'.repeat(6)}example` },
      { title: 'Telephone of the secretariat on weekdays from nine to four', link: 'tel:+4930555013400' },
    ],
  ),
  'card-arabic': card(
    {
      title: 'ليلى عبد الرحمن',
      jobTitle: 'مهندسة معمارية',
      company: 'استوديو الخليج',
      logoLink: LEYLA.logoLink,
      bgLink: LEYLA.bgLink,
      themeColor: '#a16207',
      ctaText: 'حفظ جهة الاتصال',
    },
    [
      { title: 'الهاتف المحمول', link: 'tel:+971 4 555 0134', preset: 'phone' },
      { title: 'البريد الإلكتروني', link: 'mailto:layla@gulf-studio.example', preset: 'email' },
      { title: 'Instagram', link: 'https://instagram.example/layla', preset: 'social' },
      { title: 'الموقع', link: 'geo:25.2048,55.2708', preset: 'location' },
    ],
  ),
};
