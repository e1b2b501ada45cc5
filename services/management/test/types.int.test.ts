import dns from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import { button, item, menu, smartlink, text } from './smartlink-bodies.js';
import { PUBLIC_BASE_URL, urlSmartlink, useService } from './start-service.js';

const { user, api } = useService();

/** Name, body, and what of the answer differs from the body. */
const DOCUMENTS: [string, object, object][] = [
  ...TYPES.filter((type) => type !== 'Url').map((type): [string, object, object] => [
    `${type} with every member`,
    fullDocument(type),
    {},
  ]),
  [
    'Url with every member',
    urlSmartlink({}, { protected: true, password: 'never shown' }, { openGraph: { title: 'T' } }),
    { shortener: { url: 'https://example.org/', protected: true } },
  ],
  ['App without stores', smartlink('App', { openGraph: {} }), { openGraph: undefined }],
  ['Landing, empty', smartlink('Landing', { landing: {} }), { landing: { layout: 'List', theme: 'Auto' } }],
  ['QRTag, empty', smartlink('QRTag', { qrTag: {} }), {}],
  [
    'QRTag with buttons in an order of their own',
    smartlink('QRTag', {
      qrTag: {},
      qrTagButtons: [button({ position: 1.5 }), button({ position: 1e308 }), button({ position: 0 })],
    }),
    {},
  ],
  ['DigiCard, empty', smartlink('DigiCard', { digiCard: {} }), {}],
  [
    'TxtBin with the longest text, line breaks, markup and escapes',
    smartlink('TxtBin', { txtBin: { text: `</pre><script>\r\n\u001b[31m\u0007 ${text(99_976)}` } }),
    {},
  ],
  ['QrMenu, empty', menu({}), { qrMenu: { currency: '₼', categories: [] } }],
  [
    'QrMenu with defaults in its categories and items',
    menu({ categories: [{ name: 'Hot' }, { name: 'Cold', items: [item({ variants: [] })] }] }),
    {
      qrMenu: {
        currency: '₼',
        categories: [
          { name: 'Hot', items: [] },
          { name: 'Cold', items: [item({ variants: [], active: true })] },
        ],
      },
    },
  ],
];

test.each(DOCUMENTS)(
  '%s: create, list, fetch, PATCH and status answer all of it, with defaults and without unset members',
  async (_name, body, differences) => {
    const created = await api.post('/smartlink', body);
    expect([created.status, created.body.error]).toEqual([201, undefined]);
    const { configuration, ...objects } = body as { configuration: Record<string, unknown> };
    const { data } = created.body;
    const { smartlinkUrl } = data.configuration as { smartlinkUrl: string };
    expect(data).toEqual({
      ...objects,
      ...differences,
      configuration: { ...configuration, smartlinkUrl },
      id: data.id,
      status: 'Active',
      type: configuration['smartlinkType'],
      userId: user.userId,
      relink: `https://sl.example.com/${smartlinkUrl}`,
      createdAt: data.createdAt,
      updatedAt: data.updatedAt,
      analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
    });
    expect(created.text).not.toContain('never shown');
    const { id } = data;
    const [listed] = (await api.get('/smartlink')).body.data as unknown[];
    const fetched = await api.get(`/smartlink?id=${id}`);
    const patched = await api.patch('/smartlink', { id });
    expect([listed, fetched.body.data, patched.body.data]).toEqual([data, data, data]);
    const { etag } = created.headers;
    expect([fetched.headers.etag, patched.headers.etag]).toEqual([etag, etag]);
    const paused = await api.post('/smartlink/status', { id, status: 'Paused' });
    expect(paused.body.data).toEqual({ ...data, status: 'Paused', updatedAt: paused.body.data.updatedAt });
  },
);

const validator = createSmartlinkValidator({ publicBaseUrl: PUBLIC_BASE_URL });

test.each(TYPES)('%s: null on create equals absent, in every optional field', (type) => {
  const read = (document: object) => validator.validate(document, { hasStoredPassword: false });
  const full = fullDocument(type);
  const optional = fieldsOf(type).filter(({ schema }) => schema.isNullable);
  expect(optional.length).toBeGreaterThan(2);
  for (const { path } of optional) {
    // A protected smartlink needs its password.
    const document = path.at(-1) === 'password' ? withValue(full, ['shortener', 'protected'], false) : full;
    const [withNull, without] = [withValue(document, path, null), withValue(document, path, undefined)];
    expect(read(without)).toMatchObject({ ok: true });
    expect([path, read(withNull)]).toEqual([path, read(without)]);
  }
});

// A service that looked at them could be sent anywhere inside its own network.
test('no host of a user’s URL is looked up or connected to, by any call', async () => {
  const lookup = vi.spyOn(dns, 'lookup');
  const asked = () => lookup.mock.calls.map(([hostname]) => hostname);
  try {
    for (const type of TYPES) {
      const { id } = (await api.post('/smartlink', fullDocument(type))).body.data as { id: string };
      await api.patch('/smartlink', { id, openGraph: { imageUrl: 'https://b.example.org/' } });
      for (const status of ['Paused', 'Active']) await api.post('/smartlink/status', { id, status });
      for (const path of ['', '/analytics', '/qr', '/resolve']) await api.get(`/smartlink${path}?id=${id}`);
      await api.get(`/smartlink/qr?id=${id}&logo=true`);
      await api.delete('/smartlink', { smartlinkId: id });
    }
    // The spy sees what this process asks for. `localhost` needs no name server.
    expect(asked()).not.toContain('localhost');
    const socket = connect({ host: 'localhost', port: 1 });
    await once(socket, 'error');
    expect(asked()).toContain('localhost');
    expect(asked().filter((hostname) => hostname.includes('example.org'))).toEqual([]);
  } finally {
    lookup.mockRestore();
  }
});
