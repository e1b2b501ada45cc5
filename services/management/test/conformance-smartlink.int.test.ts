import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A, STORES, button, menuItem, smartlink, text } from './smartlink-bodies.js';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

// management-api.md, Smartlink: one object with the same members wherever it is answered, for each of the types.

let service: TestService;
let api: Caller;
let userId: string;

beforeAll(async () => {
  ({
    service,
    api,
    user: { userId },
  } = await startServiceWithUser());
});
afterAll(() => service.close());

const openGraph = { title: text(128), description: text(256), imageUrl: A };
const BODIES: [string, object][] = [
  ['App', smartlink('App', { openGraph }, { appStoreLink: A, fallBackLink: A })],
  ['Url', urlSmartlink({}, { protected: true, password: 'never shown' }, { openGraph })],
  ['Landing', smartlink('Landing', { openGraph, landing: { title: 'T' }, landingButtons: [button()] })],
  [
    'QRTag',
    smartlink('QRTag', { openGraph, qrTag: { title: 'T' }, qrTagButtons: [button({ position: 2 })] }),
  ],
  ['DigiCard', smartlink('DigiCard', { openGraph, digiCard: { company: 'C' }, digiCardButtons: [button()] })],
  ['TxtBin', smartlink('TxtBin', { openGraph, txtBin: { text: 'x\n\ty' } })],
  ['QrMenu', { ...menuItem({ badges: ['b', 'a'], variants: [{ label: 'S', price: 0 }] }), openGraph }],
];
const COMMON = [
  'analytics',
  'configuration',
  'createdAt',
  'id',
  'openGraph',
  'relink',
  'status',
  'type',
  'updatedAt',
  'userId',
];

test.each(BODIES)('%s is the same object in create, list, fetch, PATCH and status', async (type, body) => {
  const created = await api.post('/smartlink', body);
  expect([created.status, created.body.error]).toEqual([201, undefined]);
  const { data } = created.body;
  const own = Object.keys(body).filter((member) => member !== 'configuration');
  expect(Object.keys(data as object).sort()).toEqual([...new Set([...COMMON, ...own])].sort());
  expect(data).toMatchObject({
    status: 'Active',
    type,
    userId,
    relink: `https://sl.example.com/${data.configuration.smartlinkUrl}`,
    openGraph,
    configuration: { smartlinkType: type },
    analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
  });
  expect(created.text).not.toContain('never shown');

  const { id } = data;
  const [listed] = (await api.get('/smartlink')).body.data as unknown[];
  const fetched = await api.get(`/smartlink?id=${id}`);
  const patched = await api.patch('/smartlink', { id });
  expect([listed, fetched.body.data, patched.body.data]).toEqual([data, data, data]);
  expect([fetched.headers.etag, patched.headers.etag]).toEqual([created.headers.etag, created.headers.etag]);
  const paused = await api.post('/smartlink/status', { id, status: 'Paused' });
  expect(paused.body.data).toEqual({ ...data, status: 'Paused', updatedAt: paused.body.data.updatedAt });
  expect(paused.headers.etag).toMatch(/^"\d+"$/);
});

describe('null on create equals absent:', () => {
  const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const cases: [string, object, object][] = [
    ['the stores of an App', smartlink('App'), smartlink('App', { openGraph: null }, nulls(...STORES))],
    [
      'openGraph’s members',
      smartlink('App', { openGraph: { title: 'T' } }),
      smartlink('App', { openGraph: { title: 'T', ...nulls('description', 'imageUrl') } }),
    ],
    [
      'a Landing',
      smartlink('Landing', { landing: {} }),
      smartlink('Landing', {
        landing: nulls('title', 'description', 'logoLink', 'themeColor', 'layout', 'theme'),
        landingButtons: null,
      }),
    ],
    [
      'a Landing’s button',
      smartlink('Landing', { landing: {}, landingButtons: [button()] }),
      smartlink('Landing', { landing: {}, landingButtons: [button({ iconUrl: null })] }),
    ],
    [
      'a QRTag',
      smartlink('QRTag', { qrTag: {}, qrTagButtons: [button()] }),
      smartlink('QRTag', {
        qrTag: nulls('title', 'description', 'logoLink', 'themeColor'),
        qrTagButtons: [button(nulls('preset', 'position'))],
      }),
    ],
    [
      'a DigiCard',
      smartlink('DigiCard', { digiCard: {}, digiCardButtons: [button()] }),
      smartlink('DigiCard', {
        digiCard: nulls('title', 'jobTitle', 'company', 'logoLink', 'bgLink', 'ctaText', 'themeColor'),
        digiCardButtons: [button({ preset: null })],
      }),
    ],
    [
      'a TxtBin',
      smartlink('TxtBin', { txtBin: { text: 'x' } }),
      smartlink('TxtBin', { txtBin: { text: 'x', ...nulls('title', 'description') } }),
    ],
    [
      'a QrMenu',
      smartlink('QrMenu', { qrMenu: {} }),
      smartlink('QrMenu', {
        qrMenu: nulls(
          ...['title', 'description', 'logoLink', 'coverLink', 'themeColor', 'theme', 'layout', 'currency'],
          'categories',
        ),
      }),
    ],
    [
      'a QrMenu’s category and item',
      smartlink('QrMenu', {
        qrMenu: { categories: [{ name: 'A' }, { name: 'B', items: [{ name: 'i', price: 1 }] }] },
      }),
      smartlink('QrMenu', {
        qrMenu: {
          categories: [
            { name: 'A', ...nulls('position', 'items') },
            {
              name: 'B',
              position: null,
              items: [
                {
                  name: 'i',
                  price: 1,
                  ...nulls('description', 'variants', 'imageLink', 'badges', 'position', 'active'),
                },
              ],
            },
          ],
        },
      }),
    ],
  ];

  test.each(cases)('%s', async (_name, without, withNull) => {
    const content = async (body: object) => {
      const res = await api.post('/smartlink', body);
      expect([res.status, res.body.error]).toEqual([201, undefined]);
      const {
        id: _id,
        relink: _relink,
        createdAt: _c,
        updatedAt: _u,
        configuration,
        ...rest
      } = res.body.data;
      return { ...rest, configuration: { ...configuration, smartlinkUrl: '' } } as object;
    };
    expect(await content(withNull)).toEqual(await content(without));
  });
});
