import type { PageSourceOf } from '@smartlink/pages/site';

export type Menu = PageSourceOf<'QrMenu'>['page']['qrMenu'];
export type Category = Menu['categories'][number];
type Item = Category['items'][number];

export const PICTURES = 'https://images.example';

/** An item; `photo` names a picture made up at images.example. */
export function item(name: string, price: number, more: Partial<Item> & { photo?: string } = {}): Item {
  const { photo, ...members } = more;
  return {
    name,
    price,
    active: true,
    ...members,
    ...(photo === undefined ? {} : { imageLink: `${PICTURES}/${photo}.jpg` }),
  };
}

/** The sizes of an item, each a label and a price. */
export const sizes = (
  ...list: readonly (readonly [string, number])[]
): { variants: { label: string; price: number }[] } => ({
  variants: list.map(([label, price]) => ({ label, price })),
});

/** A restaurant in Baku: the menu of the pictures in docs/pages. */
export const RESTAURANT_CATEGORIES: readonly Category[] = [
  {
    name: 'Səhər yeməyi',
    items: [
      item('Kəndli səhər yeməyi', 14.5, {
        description: 'Üç növ pendir, qaymaq, bal, qatıq, yumurta, zeytun və təndir çörəyi. İki nəfər üçün.',
        badges: ['2 nəfərlik', 'vegetarian'],
        photo: 'breakfast',
      }),
      item('Pomidor-yumurta', 6, {
        description: 'Bakı pomidoru, kənd yumurtası, kərə yağı',
        badges: ['vegetarian'],
        photo: 'eggs',
      }),
      item('Kükü', 7.5, {
        description: 'Göyərti, yumurta, qoz ləpəsi, qatıq',
        badges: ['qoz'],
        photo: 'kuku',
      }),
      item('Syrniki', 8, {
        description: 'Cottage cheese pancakes, sour cream, cherry jam',
        photo: 'syrniki',
      }),
    ],
  },
  {
    name: 'Salatlar',
    items: [
      item('Çoban salatı', 5.5, {
        description: 'Pomidor, xiyar, soğan, reyhan',
        badges: ['vegan'],
        photo: 'coban',
        ...sizes(['Kiçik', 5.5], ['Böyük', 8.9]),
      }),
      item('Badımcan salatı', 7, {
        description: 'Manqalda badımcan, bibər, sarımsaq',
        badges: ['vegan'],
        photo: 'eggplant',
      }),
      item('Qoz ilə çuğundur', 6.5, { badges: ['qoz', 'vegetarian'] }),
    ],
  },
  {
    name: 'Kabablar',
    items: [
      item('Quzu tikə kabab', 16.9, {
        description: 'Qafqaz quzusu, soğan, sumax, lavaş. Kömürdə bişirilir, 20–25 dəqiqə.',
        badges: ['manqal', '300 q', 'seçilmiş', 'halal', 'ədviyyatlı', 'sumax'],
        photo: 'tike',
      }),
      item('Lülə kabab', 13.5, {
        description: 'Quzu qiyməsi, quyruq, soğan',
        badges: ['manqal'],
        photo: 'lule',
        ...sizes(['2 şiş', 13.5], ['3 şiş', 19], ['4 şiş', 24.5]),
      }),
      item('Toyuq qanadı', 11, { description: 'Nar şərabı sousu, kartof', photo: 'wings' }),
      item('Nərə balığı kababı', 32, {
        description: 'Xəzər nərəsi, narşərab, göyərti',
        badges: ['balıq', 'şef tövsiyəsi'],
        photo: 'sturgeon',
      }),
      item('Tərəvəz kabab', 8, {
        description: 'Pomidor, badımcan, bibər, göbələk',
        badges: ['vegan'],
        photo: 'missing',
      }),
    ],
  },
  {
    name: 'Plov və isti yeməklər',
    items: [
      item('Şah plov', 42, {
        description:
          'Lavaş içində düyü, quzu əti, ərik, kişmiş, şabalıd, zəfəran. 4 nəfər üçün, 40 dəqiqə əvvəl sifariş edin.',
        badges: ['4 nəfərlik', 'şef tövsiyəsi'],
        photo: 'plov',
        ...sizes(['Yarım', 42], ['Bütöv', 78]),
      }),
      item('Piti', 12, { description: 'Saxsı qabda quzu əti, noxud, şabalıd, zəfəran', photo: 'piti' }),
      item('Düşbərə', 7.9, { description: 'Nazik xəmir, quzu əti, nanə, sirkə-sarımsaq', photo: 'dushbara' }),
      item('Qutab', 2.5, {
        ...sizes(['Ət', 2.5], ['Göy', 2.5], ['Balqabaq', 2.8], ['Pendir', 3]),
        description: 'Sacda bişirilir, qatıq və sumaqla',
        photo: 'qutab',
      }),
    ],
  },
  {
    name: 'Şirniyyat',
    items: [
      item('Bakı paxlavası', 4.5, { description: 'Qoz, hil, zəfəran', badges: ['qoz'], photo: 'paxlava' }),
      item('Şəkərbura', 3, { description: 'Badam, hil', badges: ['badam'], photo: 'sekerbura' }),
      item('Dondurma', 3.5, { ...sizes(['1 kürə', 3.5], ['2 kürə', 6], ['3 kürə', 8]), photo: 'icecream' }),
      item('Tiramisu', 9, { active: false }),
    ],
  },
  {
    name: 'İçkilər',
    items: [
      item('Armudu çay', 2, {
        ...sizes(['Stəkan', 2], ['Çaynik', 7]),
        description: 'Limon, mürəbbə',
        photo: 'tea',
      }),
      item('Ayran', 2.5, { description: 'Nanə ilə' }),
      item('Nar şərbəti', 5, {
        description: 'Təzə sıxılmış Göyçay narı',
        badges: ['vegan'],
        photo: 'pomegranate',
      }),
      item('Su', 1.2, { ...sizes(['0,33 l', 1.2], ['0,75 l', 2.4]) }),
    ],
  },
  { name: 'Sezon', items: [item('Yoxdur', 1, { active: false })] },
];
