import type { PageSource, PageSourceOf } from '@smartlink/pages/site';
import {
  type Category,
  item,
  type Menu,
  PICTURES,
  RESTAURANT_CATEGORIES as CATEGORIES,
  sizes,
} from './menu-of-restaurant.js';

function menu(
  slug: string,
  more: Partial<Menu> & { categories: Menu['categories'] },
): PageSourceOf<'QrMenu'> {
  return { slug, type: 'QrMenu', page: { qrMenu: { currency: '₼', ...more } } };
}

const RESTAURANT = {
  title: 'Şirvan Bağı',
  description: 'Azərbaycan mətbəxi, hər gün 9:00–23:00\nİçərişəhər, Kiçik Qala küçəsi 12',
  coverLink: `${PICTURES}/cover-shirvan.jpg`,
  logoLink: `${PICTURES}/logo-shirvan.jpg`,
  themeColor: '#a3262a',
  currency: '₼',
} as const;

const withPhotos = (has: (index: number) => boolean): readonly Category[] => {
  let index = 0;
  return CATEGORIES.map((category) => ({
    ...category,
    items: category.items.map(({ imageLink, ...rest }) =>
      has(index++) ? { imageLink: imageLink ?? `${PICTURES}/dish-${index}.jpg`, ...rest } : rest,
    ),
  }));
};

const ARABIC: readonly Category[] = [
  {
    name: 'المقبلات',
    items: [
      item('حمص بالطحينة', 18, {
        description: 'حمص، طحينة، ليمون، زيت زيتون',
        badges: ['نباتي'],
        photo: 'hummus',
      }),
      item('تبولة', 22.5, {
        description: 'بقدونس، برغل، طماطم، نعناع',
        badges: ['نباتي', 'جلوتين'],
        photo: 'tabbouleh',
      }),
      item('فتوش', 24, { description: 'خضار طازجة، خبز محمص، سماق' }),
    ],
  },
  {
    name: 'المشاوي',
    items: [
      item('شيش طاووق', 45, {
        description: 'دجاج متبل بالثوم والليمون، يقدم مع البطاطا والثومية والمخلل والخبز الطازج من الفرن.',
        photo: 'shish',
        ...sizes(['صغير', 45], ['كبير', 68]),
      }),
      item('Mixed Grill', 89, { description: 'Lamb, chicken, kofta', photo: 'grill' }),
    ],
  },
];

/** Words of the large menu, drawn by a generator that always begins alike, so that its bytes never change. */
const WORDS =
  'fresh lamb grilled tomato basil saffron rice walnut pomegranate lemon butter garlic mint potato chicken smoked cheese olive pepper onion parsley cream mushroom honey almond apricot roasted spinach salmon vinegar'.split(
    ' ',
  );

/** A menu of the size that pages must bear: photos on all, descriptions on 80 %, three sizes on 25 %. */
export function largeMenu(categoryCount: number, itemsEach: number): PageSource {
  let seed = 1;
  const next = (limit: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
  };
  const words = (lengthMin: number): string => {
    let text = '';
    while (text.length < lengthMin) text += `${text === '' ? '' : ' '}${WORDS[next(WORDS.length)] ?? ''}`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const categories = Array.from({ length: categoryCount }, (_, category) => ({
    name: `${words(6)} ${category + 1}`,
    items: Array.from({ length: itemsEach }, (_, index) => {
      const price = 3 + next(400) / 10;
      return item(words(12), price, {
        photo: `menu/${category}-${next(1_000_000)}`,
        ...(next(10) < 8 ? { description: words(82) } : {}),
        ...(index % 4 === 0 ? sizes(['Small', price], ['Medium', price + 2], ['Large', price + 4.5]) : {}),
        ...(next(3) === 0 ? { badges: [words(4)] } : {}),
      });
    }),
  }));
  return menu('large', { title: 'Grand Food Hall', currency: '₼', themeColor: '#0b6e4f', categories });
}

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';

/** Menus for the tests in a browser and the pictures in docs/pages. Pictures at images.example are made up there. */
export const menuSamples: Readonly<Record<string, PageSource>> = {
  menu: menu('shirvan', { ...RESTAURANT, categories: CATEGORIES }),
  menuGrid: menu('shirvan', { ...RESTAURANT, layout: 'Grid', categories: CATEGORIES }),
  menuDark: menu('shirvan', { ...RESTAURANT, theme: 'Dark', themeColor: '#ffc83d', categories: CATEGORIES }),
  menuGradient: {
    ...menu('shirvan', {
      ...RESTAURANT,
      categories: CATEGORIES,
      footnote: 'Qiymətlərə 10% xidmət haqqı daxil deyil.',
    }),
    appearance: { buttonStyle: 'soft', buttonShape: 'square', background: 'gradient' },
  },
  menuNoPhotos: menu('shirvan', {
    title: RESTAURANT.title,
    description: RESTAURANT.description,
    currency: RESTAURANT.currency,
    categories: withPhotos(() => false),
  }),
  menuHalfGrid: menu('shirvan', {
    ...RESTAURANT,
    logoLink: undefined,
    layout: 'Grid',
    categories: withPhotos((index) => index % 2 === 0),
  }),
  menuEmpty: menu('empty', {
    title: 'Narin',
    description: 'Opening soon',
    themeColor: '#808080',
    categories: [],
  }),
  menuArabic: menu('arabic', {
    title: 'مطعم الياسمين',
    description: 'مأكولات لبنانية، كل يوم من ١٢ ظهراً',
    logoLink: `${PICTURES}/logo-yasmin.jpg`,
    currency: 'د.إ',
    themeColor: '#ffff00',
    categories: ARABIC,
  }),
  menuLarge: largeMenu(100, 20),
  menuLong: menu('long', {
    title: LONG.repeat(2),
    description: LONG.repeat(5),
    themeColor: '#ffffff',
    categories: [
      {
        name: LONG,
        items: [
          item(LONG.repeat(2), 1e12, {
            description: LONG.repeat(9),
            photo: 'tall-dish',
            badges: Array.from({ length: 20 }, (_, index) => `${LONG.slice(0, 28)} ${index}`),
            variants: Array.from({ length: 20 }, (_, index) => ({
              label: `${LONG} ${index}`,
              price: 1e11 + 0.5,
            })),
          }),
          item(LONG.repeat(2), 1e12 + 0.5),
          item(
            'A dish whose name goes on and on, as the names of dishes in better restaurants are said to do',
            12,
          ),
        ],
      },
      { name: 'Short', items: [item('A', 1, { description: 'B' })] },
    ],
  }),
};
