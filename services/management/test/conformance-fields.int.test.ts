import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A, button, buttons, item, menu, menuItem, smartlink, text } from './smartlink-bodies.js';
import { faultsOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

// What type-limits.int.test.ts shows of one kind of field, shown of every other place that has it.

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

const TYPES = ['Landing', 'QRTag', 'DigiCard'] as const;
const OBJECTS = { Landing: 'landing', QRTag: 'qrTag', DigiCard: 'digiCard' } as const;
const page = (type: keyof typeof OBJECTS, more: object) => smartlink(type, { [OBJECTS[type]]: more });
const many = (length: number, make: () => unknown) => Array.from({ length }, make);
const variant = (more: object) => menuItem({ variants: [{ label: 'S', price: 1, ...more }] });

async function post(body: object) {
  const res = await api.post('/smartlink', body);
  return [res.status, res.status === 400 ? faultsOf(res) : []];
}

describe('is a fault at its path:', () => {
  const BUTTON_FAULTS: [string, object][] = [
    ['title', { title: text(257) }],
    ['title', { title: '\u200b' }],
    ['title', { title: null }],
    ['title', { title: 'a\nb' }],
    ['link', { link: undefined }],
    ['link', { link: 'javascript:alert(1)' }],
    ['link', { link: 'data:text/html,x' }],
    ['link', { link: 'ftp://example.org/' }],
    ['link', { link: 'http://127.0.0.1/' }],
  ];
  const cases: [string, object][] = [
    ...TYPES.flatMap((type) => [
      ...BUTTON_FAULTS.map(([field, more]): [string, object] => [
        `${OBJECTS[type]}Buttons.0.${field}`,
        buttons(type, more),
      ]),
      [
        `${OBJECTS[type]}Buttons`,
        smartlink(type, { [OBJECTS[type]]: {}, [`${OBJECTS[type]}Buttons`]: many(101, () => button()) }),
      ] as [string, object],
      [`${OBJECTS[type]}.logoLink`, page(type, { logoLink: 'example.org' })] as [string, object],
      [`${OBJECTS[type]}.themeColor`, page(type, { themeColor: '#12345' })] as [string, object],
      [`${OBJECTS[type]}.title`, page(type, { title: 5 })] as [string, object],
      [`${OBJECTS[type]}.title`, page(type, { title: 'a\0b' })] as [string, object],
    ]),
    ['txtBin.title', smartlink('TxtBin', { txtBin: { text: 'x', title: text(257) } })],
    ['txtBin.description', smartlink('TxtBin', { txtBin: { text: 'x', description: text(257) } })],
    ['txtBin.text', smartlink('TxtBin', { txtBin: { text: 5 } })],
    ['txtBin.text', smartlink('TxtBin', { txtBin: { text: ' \n\u200b' } })],
    ['qrMenu.logoLink', menu({ logoLink: 'mailto:a@example.org' })],
    ['qrMenu.themeColor', menu({ themeColor: 'red' })],
    ['qrMenu.categories.0.name', menu({ categories: [{}] })],
    ['qrMenu.categories.0.name', menu({ categories: [{ name: '' }] })],
    ['qrMenu.categories.0.items.0.name', menu({ categories: [{ name: 'A', items: [{ price: 1 }] }] })],
    ['qrMenu.categories.0.items.0.price', menu({ categories: [{ name: 'A', items: [{ name: 'x' }] }] })],
    ['qrMenu.categories.0.items.0.price', menuItem({ price: 1e12 + 1 })],
    ['qrMenu.categories.0.items.0.badges.0', menuItem({ badges: [5] })],
    ['qrMenu.categories.0.items.0.variants.0.price', variant({ price: -0.01 })],
    ['qrMenu.categories.0.items.0.variants.0.price', variant({ price: null })],
    ['qrMenu.categories.0.items.0.variants.0.price', variant({ price: 1e12 + 1 })],
    ['qrMenu.categories.0.items.0.variants.0.label', variant({ label: ' ' })],
    ['qrMenu.categories.0.position', menu({ categories: [{ name: 'A', position: '1' }] })],
    ['qrMenu.categories', menu({ categories: {} })],
    ['qrMenu.categories.0.items.0.variants', menuItem({ variants: {} })],
    ['qrMenu.categories.0.items.0.badges', menuItem({ badges: 'hot' })],
    ['configuration.smartlinkUrl', smartlink('App', {}, { smartlinkUrl: '' })],
    ['openGraph.title', smartlink('App', { openGraph: { title: 'a\u0007b' } })],
  ];
  const titled = cases.map(([path, body]) => [path, JSON.stringify(body).slice(0, 160), body] as const);
  test.each(titled)('%s in %s', async (path, _text, body) => {
    expect(await post(body)).toEqual([400, [path]]);
  });

  test('each of many, in one answer, with array indexes in their paths', async () => {
    const categories = [
      { name: 'A', items: [item(), item({ price: -1 }), item({ name: '', variants: [{ label: 'S' }] })] },
      { name: text(65), items: 5 },
    ];
    expect(await post(menu({ currency: text(9), categories }))).toEqual([
      400,
      [
        'qrMenu.currency',
        'qrMenu.categories.0.items.1.price',
        'qrMenu.categories.0.items.2.name',
        'qrMenu.categories.0.items.2.variants.0.price',
        'qrMenu.categories.1.name',
        'qrMenu.categories.1.items',
      ],
    ]);
  });
});

describe('is taken:', () => {
  const links = [A, 'tel:+99412', 'mailto:a@example.org'];
  const more = ['sms:+99412', 'geo:40.4,49.8', 'whatsapp://send?phone=99412'];
  const cases: [string, object][] = [
    ...TYPES.flatMap((type): [string, object][] => [
      [`${type}: a button’s title of 256`, buttons(type, { title: text(256) })],
      [
        `${type}: 100 buttons`,
        smartlink(type, { [OBJECTS[type]]: {}, [`${OBJECTS[type]}Buttons`]: many(100, () => button()) }),
      ],
      ...[...links, ...(type === 'Landing' ? [] : more)].map((link): [string, object] => [
        `${type}: ${link}`,
        buttons(type, { link }),
      ]),
      ...['#abc', '#ABCD', '#12ab34', '#12ab34cd'].map((themeColor): [string, object] => [
        `${type}: ${themeColor}`,
        page(type, { themeColor }),
      ]),
    ]),
    ['text of 100,000', smartlink('TxtBin', { txtBin: { text: text(100_000) } })],
    ['100 categories', menu({ categories: many(100, () => ({ name: 'A' })) })],
    ['500 items', menu({ categories: [{ name: 'A', items: many(500, () => item()) }] })],
    ['20 variants', menuItem({ variants: many(20, () => ({ label: 'S', price: 0 })) })],
    ['no variants', menuItem({ variants: [] })],
    [
      'negative and broken positions',
      menu({ categories: [{ name: 'A', position: -1.5, items: [item({ position: -1e9 })] }] }),
    ],
    ['an openGraph that is empty', urlSmartlink({}, {}, { openGraph: {} })],
  ];
  test.each(cases)('%s', async (_name, body) => {
    expect(await post(body)).toEqual([201, []]);
  });
});
