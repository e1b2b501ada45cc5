/** Request bodies of the seven types, for tests to vary. */
export const A = 'https://a.example.org/';
export const text = (length: number) => '😀'.repeat(length);
export const smartlink = (smartlinkType: string, rest: object = {}, configuration: object = {}) => ({
  configuration: { smartlinkName: 'Name', smartlinkType, ...configuration },
  ...rest,
});

export const STORES = [
  ...['appStoreLink', 'googlePlayLink', 'windowsAppLink', 'macOsAppLink', 'ipadAppLink', 'appGalleryLink'],
  ...['amazonStoreLink', 'fallBackLink'],
];
export const item = (more: object = {}) => ({ name: 'Tea', price: 2, ...more });
export const menu = (more: object) => smartlink('QrMenu', { qrMenu: more });
export const menuItem = (more: object) => menu({ categories: [{ name: 'Hot', items: [item(more)] }] });
export const button = (more: object = {}) => ({ title: 'Go', link: A, ...more });
export const buttons = (type: string, more: object = {}) => {
  const name = type === 'QRTag' ? 'qrTag' : type === 'DigiCard' ? 'digiCard' : 'landing';
  return smartlink(type, { [name]: {}, [`${name}Buttons`]: [button(more)] });
};

/** Slugs that hold something else than latin letters and digits, some of it hard to tell from them. */
export const MALFORMED_SLUGS = [
  ...['a-b', 'ä', 'ａ', 'а', 'ſ', 'İ', '\u212a', '%61', 'a ', ' a', 'a/b', 'a.b', 'a_b', 'a\n', '😀'],
  ...['dashboard/'],
];

/** Rules and variants as they are stored. */
export const ROUTING = {
  rules: [
    {
      id: 'r',
      name: 'Rule',
      url: 'https://a.example.org/rule',
      when: { countries: ['AZ'], query: [{ name: 'a', value: '' }] },
    },
    {
      id: 's',
      when: { weekly: { timeZone: 'Asia/Baku', days: ['Mon'], from: '18:00', to: '02:00' } },
      variants: [
        { id: 't', weight: 1 },
        { id: 'u', weight: 2, url: 'https://a.example.org/u' },
      ],
    },
  ],
  variants: [
    { id: 'v', weight: 1, url: 'https://a.example.org/v' },
    { id: 'w', weight: 9 },
  ],
  sticky: 'none',
};
