import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A, text, smartlink, STORES, item, menu, button } from './smartlink-bodies.js';
import { startServiceWithUser } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

describe('everything that a type may have is taken, stored and returned, defaults filled in, unset members left out', () => {
  const cases: [string, object, object][] = [
    ['App with no store', smartlink('App'), {}],
    [
      'App with every store',
      smartlink('App', {}, Object.fromEntries(STORES.map((store) => [store, `${A}${store}`]))),
      {},
    ],
    ['Landing, empty', smartlink('Landing', { landing: {} }), { landing: { layout: 'List', theme: 'Auto' } }],
    [
      'Landing, full',
      smartlink('Landing', {
        landing: {
          title: text(128),
          description: `${text(200)}\n\t${text(54)}`,
          logoLink: A,
          themeColor: '#1aF',
          layout: 'Grid',
          theme: 'Dark',
        },
        landingButtons: [button({ title: text(256), iconUrl: A }), button({ link: 'tel:+99412' })],
      }),
      {},
    ],
    ['QRTag, empty', smartlink('QRTag', { qrTag: {} }), { qrTag: {} }],
    [
      'QRTag, full',
      smartlink('QRTag', {
        qrTag: { title: text(256), description: text(256), logoLink: A, themeColor: '#11223344' },
        qrTagButtons: ['link', 'restaurant', 'delivery', 'phone', 'email', 'calendar', 'social']
          .map((preset, position) => button({ preset, position }))
          .concat([button({ position: 1.5 }), button({ position: 1e308 })]),
      }),
      {},
    ],
    ['DigiCard, empty', smartlink('DigiCard', { digiCard: {} }), { digiCard: {} }],
    [
      'DigiCard, full',
      smartlink('DigiCard', {
        digiCard: {
          title: text(256),
          jobTitle: text(128),
          company: text(128),
          logoLink: A,
          bgLink: A,
          ctaText: text(32),
          themeColor: '#abcd',
        },
        digiCardButtons: [
          'phone',
          'email',
          'website',
          'location',
          'calendar',
          'social',
          'whatsapp',
          'link',
        ].map((preset) => button({ preset })),
      }),
      {},
    ],
    ['TxtBin', smartlink('TxtBin', { txtBin: { text: 'x' } }), {}],
    [
      'TxtBin, full and hostile',
      smartlink('TxtBin', {
        txtBin: {
          title: text(256),
          description: text(256),
          text: `</pre><script>\r\n\u001b[31m\u0007 ${text(99_976)}`,
        },
      }),
      {},
    ],
    ['QrMenu, empty', menu({}), { qrMenu: { currency: '₼', categories: [] } }],
    [
      'QrMenu, defaults inside',
      menu({ categories: [{ name: 'Hot' }, { name: 'Cold', items: [item()] }] }),
      {
        qrMenu: {
          currency: '₼',
          categories: [
            { name: 'Hot', items: [] },
            { name: 'Cold', items: [item({ active: true })] },
          ],
        },
      },
    ],
    [
      'QrMenu, full',
      menu({
        title: text(128),
        description: text(256),
        logoLink: A,
        coverLink: A,
        themeColor: '#112233',
        theme: 'Light',
        layout: 'Grid',
        currency: text(8),
        categories: [
          {
            name: text(64),
            position: -1,
            items: [
              item({
                name: text(128),
                description: text(512),
                price: 1e12,
                variants: [{ label: text(64), price: 0 }],
                imageLink: A,
                badges: Array.from({ length: 20 }, () => text(32)),
                position: -2.5,
                active: false,
              }),
            ],
          },
        ],
      }),
      {},
    ],
  ];

  test.each(cases)('%s', async (_name, body, defaults) => {
    const created = await api.post('/smartlink', body);
    expect([created.status, created.body.error]).toEqual([201, undefined]);
    const { configuration, ...objects } = body as { configuration: Record<string, unknown> };
    const { data } = created.body;
    expect(data).toEqual({
      ...objects,
      ...defaults,
      configuration: { ...configuration, smartlinkUrl: data.configuration.smartlinkUrl },
      id: data.id,
      status: 'Active',
      type: configuration['smartlinkType'],
      userId: data.userId,
      relink: data.relink,
      createdAt: data.createdAt,
      updatedAt: data.updatedAt,
      analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
    });
    expect((await api.get(`/smartlink?id=${data.id}`)).body.data).toEqual(data);
  });
});
