import { describe, expect, test } from 'vitest';
import { A, STORES, buttons, item, menu, menuItem, smartlink, text } from './smartlink-bodies.js';
import { faultsOf, urlSmartlink, useService } from './start-service.js';
import { storedRows } from './stored-state.js';

// One field for each rule and its message. hostile-documents has wrong values for every field, the length of
// every array, and docs/openapi.json the limit of every field.

const { service, api } = useService({ takesNewMembers: true });

const OBJECT = 'Must be an object';
const REQUIRED = 'Required';
const STRING = 'Must be a string';
const NUMBER = 'Must be a number';
const BAD_URL = 'Invalid URL format';
const EMPTY = 'Must not be empty';
const ONE_LINE = 'Must not contain line breaks or control characters';
const LATIN = 'Smartlink URL can only contain latin characters and numbers';
const RESERVED = 'This smartlink URL is reserved';
const TYPE = 'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu';
const PASSWORD = 'Required when protected is true';
const COLOR = 'Must be a hex color such as #1a2b3c';
const THEME = 'Must be one of Light, Dark, Auto';
const LAYOUT = 'Must be one of List, Grid';
const long = (max: number) => `Must be at most ${max} characters`;
const many = (length: number) => Array.from({ length }, () => 1);

const at = (body: unknown, ...details: [path: string, message: string][]) => [body, details] as const;
const atName = (smartlinkName: unknown, message: string) =>
  at(urlSmartlink({ smartlinkName }), ['configuration.smartlinkName', message]);
const atType = (smartlinkType: unknown) =>
  at(urlSmartlink({ smartlinkType }), ['configuration.smartlinkType', TYPE]);
const atSlug = (smartlinkUrl: unknown, message: string) =>
  at(urlSmartlink({ smartlinkUrl }), ['configuration.smartlinkUrl', message]);
const atShortener = (member: string, message: string, shortener: object) =>
  at(urlSmartlink({}, shortener), [`shortener.${member}`, message]);
const atOpenGraph = (member: string, message: string, value: unknown) =>
  at(urlSmartlink({}, {}, { openGraph: { [member]: value } }), [`openGraph.${member}`, message]);
const atButton = (type: string, member: string, message: string, value: unknown) =>
  at(buttons(type, { [member]: value }), [
    `${type === 'QRTag' ? 'qrTag' : 'landing'}Buttons.0.${member}`,
    message,
  ]);
const atItem = (path: string, message: string, more: object) =>
  at(menuItem(more), [`qrMenu.categories.0.items.0.${path}`, message]);

const configuration = { smartlinkName: 'Docs', smartlinkType: 'Url' };
const shortener = { url: 'https://example.org/' };

const REFUSED = [
  ...[null, [], '"x"', '1'].map((body) => at(body, ['', OBJECT])),
  at({ shortener }, ['configuration', 'Required, with smartlinkName and smartlinkType']),
  at(
    { configuration: { ...configuration, smartlinkType: 'url' }, shortener: { url: 'example.org' } },
    ['configuration.smartlinkType', TYPE],
    ['shortener.url', BAD_URL],
  ),
  ...[null, []].map((bad) => at({ configuration: bad, shortener }, ['configuration', OBJECT])),
  at({ configuration }, ['shortener', REQUIRED]),
  at({ configuration, landing: {} }, ['shortener', REQUIRED]),
  ...[null, 'x'].map((bad) => at({ configuration, shortener: bad }, ['shortener', OBJECT])),
  at({ configuration, shortener: {} }, ['shortener.url', REQUIRED]),
  ...[null, 1].map((url) => atShortener('url', STRING, { url })),

  atName(undefined, REQUIRED),
  ...['', ' \u00a0\u3000', '\u200b\u202e\ufeff'].map((name) => atName(name, EMPTY)),
  atName('n'.repeat(65), long(64)),
  ...['a\nb', 'a\0b'].map((name) => atName(name, ONE_LINE)),
  atName(1, STRING),
  ...[undefined, 'url', 'constructor', 'Gadget'].map(atType),
  ...['', 'a-b', '\u212a'].map((slug) => atSlug(slug, LATIN)),
  ...['dashboard', 'Dashboard', 'WELCOME', 'pp', 'Tos'].map((slug) => atSlug(slug, RESERVED)),
  atSlug('a'.repeat(65), long(64)),
  atSlug(5, STRING),

  at(urlSmartlink({}, {}, { openGraph: 'x' }), ['openGraph', OBJECT]),
  atOpenGraph('imageUrl', BAD_URL, 'no'),
  atOpenGraph('title', long(128), 't'.repeat(129)),
  atOpenGraph('description', long(256), 't'.repeat(257)),
  atShortener('protected', 'Must be true or false', { protected: 'true', password: 'secret' }),
  ...[undefined, null].map((password) => atShortener('password', PASSWORD, { protected: true, password })),
  atShortener('password', 'Must be at least 6 characters', { password: '12345' }),
  atShortener('password', long(128), { password: 'p'.repeat(129) }),
  atShortener('password', STRING, { password: 123456 }),

  ...STORES.map((store) =>
    at(smartlink('App', {}, { [store]: 'market://x' }), [`configuration.${store}`, BAD_URL]),
  ),
  at(smartlink('Landing'), ['landing', REQUIRED]),
  at(smartlink('QRTag', { qrTag: null }), ['qrTag', OBJECT]),
  at(smartlink('DigiCard', { digiCard: [] }), ['digiCard', OBJECT]),
  at(smartlink('TxtBin', { landing: {} }), ['txtBin', REQUIRED]),
  at(smartlink('QrMenu', { qrMenu: 'x' }), ['qrMenu', OBJECT]),
  ...['red', ''].map((themeColor) =>
    at(smartlink('Landing', { landing: { themeColor } }), ['landing.themeColor', COLOR]),
  ),
  at(
    smartlink('Landing', { landing: { layout: 'list', theme: 'dark' } }),
    ['landing.layout', LAYOUT],
    ['landing.theme', THEME],
  ),
  at(
    smartlink('QRTag', {
      qrTag: {},
      appearance: { buttonStyle: 'flat', buttonShape: 1, background: 'Tint' },
    }),
    ['appearance.buttonStyle', 'Must be one of filled, outline, soft'],
    ['appearance.buttonShape', 'Must be one of rounded, pill, square'],
    ['appearance.background', 'Must be one of plain, tint, gradient'],
  ),
  at(menu({ footnote: text(201) }), ['qrMenu.footnote', long(200)]),
  at(smartlink('Landing', { landing: {}, landingButtons: {} }), ['landingButtons', 'Must be an array']),
  at(smartlink('Landing', { landing: {}, landingButtons: many(101) }), [
    'landingButtons',
    'Must have at most 100 elements',
  ]),
  atButton('Landing', 'title', EMPTY, ' '),
  atButton('Landing', 'link', REQUIRED, undefined),
  atButton('Landing', 'iconUrl', BAD_URL, 'x'),
  atButton(
    'QRTag',
    'preset',
    'Must be one of link, restaurant, delivery, phone, email, calendar, social',
    'Link',
  ),
  atButton('QRTag', 'position', 'Must be 0 or more', -1),
  atButton('QRTag', 'position', NUMBER, '1'),
  at(buttons('DigiCard', { preset: 'restaurant' }), [
    'digiCardButtons.0.preset',
    'Must be one of phone, email, website, location, calendar, social, whatsapp, link',
  ]),

  at(smartlink('TxtBin', { txtBin: {} }), ['txtBin.text', REQUIRED]),
  ...['', ' \n\u200b'].map((bad) =>
    at(smartlink('TxtBin', { txtBin: { text: bad } }), ['txtBin.text', EMPTY]),
  ),
  at(smartlink('TxtBin', { txtBin: { text: text(100_001) } }), ['txtBin.text', long(100_000)]),
  at(smartlink('TxtBin', { txtBin: { text: 'a\0b' } }), ['txtBin.text', 'Must not contain NUL']),
  at(smartlink('TxtBin', { txtBin: { text: 'x', title: 'a\nb' } }), ['txtBin.title', ONE_LINE]),
  atItem('price', 'Must be 0 or more', { price: -0.01 }),
  ...['2', null].map((price) => atItem('price', NUMBER, { price })),
  atItem('price', 'Must be at most 1000000000000', { price: 1e19 }),
  atItem('badges.0', long(32), { badges: [text(33)] }),
  atItem('active', 'Must be true or false', { active: 'true' }),
];

test.each(REFUSED.map(([body, details]) => [JSON.stringify(details).slice(0, 120), body, details] as const))(
  'a create that breaks a rule is refused: %s',
  async (_title, body, details) => {
    const before = await storedRows(service.app);
    const { status, body: answer } = await api.post('/smartlink', body);
    expect([status, answer.error]).toEqual([
      400,
      {
        code: 'VALIDATION_FAILED',
        message: 'Request validation failed',
        details: details.map(([path, message]) => ({ path, message })),
      },
    ]);
    expect(await storedRows(service.app)).toBe(before);
  },
);

test('one answer lists all faults, with array indexes in their paths', async () => {
  const categories = [
    { name: 'A', items: [item(), item({ price: -1 }), item({ name: '', variants: [{ label: 'S' }] })] },
    { name: text(65), items: 5 },
  ];
  const res = await api.post('/smartlink', {
    ...menu({ currency: text(9), categories }),
    openGraph: { imageUrl: 'x', title: 5 },
  });
  expect(faultsOf(res).sort()).toEqual([
    'openGraph.imageUrl',
    'openGraph.title',
    'qrMenu.categories.0.items.1.price',
    'qrMenu.categories.0.items.2.name',
    'qrMenu.categories.0.items.2.variants.0.price',
    'qrMenu.categories.1.items',
    'qrMenu.categories.1.name',
    'qrMenu.currency',
  ]);
});

describe('a button', () => {
  const EVERYWHERE = [A, 'tel:+99412', 'mailto:a@example.org'];
  const ON_TAGS = ['sms:+99412', 'geo:40.4,49.8', 'whatsapp://send?phone=99412'];

  test.each([
    ['Landing', EVERYWHERE, ON_TAGS],
    ['QRTag', [...EVERYWHERE, ...ON_TAGS], []],
    ['DigiCard', [...EVERYWHERE, ...ON_TAGS], []],
  ])('of a %s leads to %j and not to %j', async (type, taken, refused) => {
    for (const link of taken)
      expect((await api.post('/smartlink', buttons(type, { link }))).status).toBe(201);
    for (const link of refused) {
      expect(faultsOf(await api.post('/smartlink', buttons(type, { link })))).toEqual([
        'landingButtons.0.link',
      ]);
    }
  });
});

test('1e309 in a raw body is no number, and -0 is stored as 0', async () => {
  const raw = (price: string) => JSON.stringify(menuItem({ price: '?' })).replace('"?"', price);
  expect((await api.post('/smartlink', raw('1e309'))).body.error.details).toEqual([
    { path: 'qrMenu.categories.0.items.0.price', message: NUMBER },
  ]);
  expect((await api.post('/smartlink', raw('-0'))).text).toContain('"price":0');
});
