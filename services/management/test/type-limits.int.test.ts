import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text, smartlink, STORES, menu, menuItem, buttons } from './smartlink-bodies.js';
import { startServiceWithUser } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

describe('what is refused, at its path', () => {
  const at = (body: object, ...details: [string, string][]) => [body, details] as const;
  const long = (max: number) => `Must be at most ${max} characters`;
  const COLOR = 'Must be a hex color such as #1a2b3c';
  const BAD_URL = 'Invalid URL format';
  const THEME = 'Must be one of Light, Dark, Auto';
  const LAYOUT = 'Must be one of List, Grid';
  const many = (length: number, make: () => unknown) => Array.from({ length }, make);
  const page = (type: string, name: string, more: object) => smartlink(type, { [name]: more });

  const cases = [
    ...STORES.map((store) =>
      at(smartlink('App', {}, { [store]: 'market://x' }), [`configuration.${store}`, BAD_URL]),
    ),
    at(smartlink('Landing'), ['landing', 'Required']),
    at(smartlink('QRTag', { qrTag: null }), ['qrTag', 'Must be an object']),
    at(smartlink('DigiCard', { digiCard: [] }), ['digiCard', 'Must be an object']),
    at(smartlink('TxtBin', { landing: {} }), ['txtBin', 'Required']),
    at(smartlink('QrMenu', { qrMenu: 'x' }), ['qrMenu', 'Must be an object']),
    at(smartlink('Gadget'), [
      'configuration.smartlinkType',
      'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu',
    ]),

    at(page('Landing', 'landing', { title: text(129) }), ['landing.title', long(128)]),
    at(page('Landing', 'landing', { description: text(257) }), ['landing.description', long(256)]),
    at(page('Landing', 'landing', { logoLink: 'tel:1' }), ['landing.logoLink', BAD_URL]),
    ...['red', '#12', '#12345', '#1234567', '#fff;background:url(x)', 'fff', ''].map((themeColor) =>
      at(page('Landing', 'landing', { themeColor }), ['landing.themeColor', COLOR]),
    ),
    at(
      page('Landing', 'landing', { layout: 'list', theme: 'dark' }),
      ['landing.layout', LAYOUT],
      ['landing.theme', THEME],
    ),
    at(buttons('Landing', { title: text(257) }), ['landingButtons.0.title', long(256)]),
    at(buttons('Landing', { title: ' ' }), ['landingButtons.0.title', 'Must not be empty']),
    at(buttons('Landing', { link: 'sms:5' }), ['landingButtons.0.link', BAD_URL]),
    at(buttons('Landing', { link: undefined }), ['landingButtons.0.link', 'Required']),
    at(buttons('Landing', { iconUrl: 'x' }), ['landingButtons.0.iconUrl', BAD_URL]),
    at(smartlink('Landing', { landing: {}, landingButtons: {} }), ['landingButtons', 'Must be an array']),
    at(smartlink('Landing', { landing: {}, landingButtons: many(101, () => 1) }), [
      'landingButtons',
      'Must have at most 100 elements',
    ]),

    at(page('QRTag', 'qrTag', { title: text(257) }), ['qrTag.title', long(256)]),
    at(page('QRTag', 'qrTag', { description: text(257) }), ['qrTag.description', long(256)]),
    at(buttons('QRTag', { preset: 'Link' }), [
      'qrTagButtons.0.preset',
      'Must be one of link, restaurant, delivery, phone, email, calendar, social',
    ]),
    at(buttons('QRTag', { position: -1 }), ['qrTagButtons.0.position', 'Must be 0 or more']),
    at(buttons('QRTag', { position: '1' }), ['qrTagButtons.0.position', 'Must be a number']),

    at(page('DigiCard', 'digiCard', { title: text(257) }), ['digiCard.title', long(256)]),
    at(page('DigiCard', 'digiCard', { jobTitle: text(129) }), ['digiCard.jobTitle', long(128)]),
    at(page('DigiCard', 'digiCard', { company: text(129) }), ['digiCard.company', long(128)]),
    at(page('DigiCard', 'digiCard', { ctaText: text(33) }), ['digiCard.ctaText', long(32)]),
    at(page('DigiCard', 'digiCard', { bgLink: 'x' }), ['digiCard.bgLink', BAD_URL]),
    at(buttons('DigiCard', { preset: 'restaurant' }), [
      'digiCardButtons.0.preset',
      'Must be one of phone, email, website, location, calendar, social, whatsapp, link',
    ]),

    at(page('TxtBin', 'txtBin', {}), ['txtBin.text', 'Required']),
    at(page('TxtBin', 'txtBin', { text: '' }), ['txtBin.text', 'Must not be empty']),
    at(page('TxtBin', 'txtBin', { text: text(100_001) }), ['txtBin.text', long(100_000)]),
    at(page('TxtBin', 'txtBin', { text: 'a\0b' }), ['txtBin.text', 'Must not contain NUL']),
    at(page('TxtBin', 'txtBin', { text: 'x', title: 'a\nb' }), [
      'txtBin.title',
      'Must not contain line breaks or control characters',
    ]),

    at(menu({ title: text(129) }), ['qrMenu.title', long(128)]),
    at(menu({ description: text(257) }), ['qrMenu.description', long(256)]),
    at(menu({ theme: 'Blue' }), ['qrMenu.theme', THEME]),
    at(menu({ layout: 'Rows' }), ['qrMenu.layout', LAYOUT]),
    at(menu({ currency: text(9) }), ['qrMenu.currency', long(8)]),
    at(menu({ coverLink: 'x' }), ['qrMenu.coverLink', BAD_URL]),
    at(menu({ categories: many(101, () => 1) }), ['qrMenu.categories', 'Must have at most 100 elements']),
    at(menu({ categories: [{ name: text(65) }] }), ['qrMenu.categories.0.name', long(64)]),
    at(menu({ categories: [{ name: 'x', items: many(501, () => 1) }] }), [
      'qrMenu.categories.0.items',
      'Must have at most 500 elements',
    ]),
    at(menuItem({ name: text(129) }), ['qrMenu.categories.0.items.0.name', long(128)]),
    at(menuItem({ description: text(513) }), ['qrMenu.categories.0.items.0.description', long(512)]),
    ...(
      [
        [-0.01, 'Must be 0 or more'],
        ['2', 'Must be a number'],
        [null, 'Must be a number'],
        [1e19, 'Must be at most 1000000000000'],
      ] as const
    ).map(([price, message]) => at(menuItem({ price }), ['qrMenu.categories.0.items.0.price', message])),
    at(menuItem({ variants: [{ price: 1 }] }), ['qrMenu.categories.0.items.0.variants.0.label', 'Required']),
    at(
      menuItem({ variants: [{ label: text(65) }] }),
      ['qrMenu.categories.0.items.0.variants.0.label', long(64)],
      ['qrMenu.categories.0.items.0.variants.0.price', 'Required'],
    ),
    at(menuItem({ variants: many(21, () => 1) }), [
      'qrMenu.categories.0.items.0.variants',
      'Must have at most 20 elements',
    ]),
    at(menuItem({ badges: many(21, () => 'x') }), [
      'qrMenu.categories.0.items.0.badges',
      'Must have at most 20 elements',
    ]),
    at(menuItem({ badges: [text(33)] }), ['qrMenu.categories.0.items.0.badges.0', long(32)]),
    at(menuItem({ active: 'true' }), ['qrMenu.categories.0.items.0.active', 'Must be true or false']),
    at(menuItem({ imageLink: 'x' }), ['qrMenu.categories.0.items.0.imageLink', BAD_URL]),
    at(menuItem({ position: '1' }), ['qrMenu.categories.0.items.0.position', 'Must be a number']),
  ];

  test.each(cases.map(([body, details]) => [JSON.stringify(details).slice(0, 120), body, details] as const))(
    '%s',
    async (_title, body, details) => {
      const before = await countRows();
      const { status, body: answer } = await api.post('/smartlink', body);
      expect([status, answer.error]).toEqual([
        400,
        {
          code: 'VALIDATION_FAILED',
          message: 'Request validation failed',
          details: details.map(([path, message]) => ({ path, message })),
        },
      ]);
      expect(await countRows()).toBe(before);
    },
  );
});

async function countRows(): Promise<number> {
  const { rows } = await service.app.pg.query('select count(*)::integer as count from smartlinks');
  return (rows[0] as { count: number }).count;
}

test('1e309 and −0 in a raw body: the one is no number, the other is 0', async () => {
  const raw = (price: string) =>
    `{"configuration":{"smartlinkName":"x","smartlinkType":"QrMenu"},"qrMenu":{"categories":[{"name":"a","items":[{"name":"b","price":${price}}]}]}}`;
  expect((await api.post('/smartlink', raw('1e309'))).body.error.details).toEqual([
    { path: 'qrMenu.categories.0.items.0.price', message: 'Must be a number' },
  ]);
  const { text: answer } = await api.post('/smartlink', raw('-0'));
  expect(answer).toContain('"price":0');
});
