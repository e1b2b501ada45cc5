import dns from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import { button, item, menu, smartlink, text } from './smartlink-bodies.js';
import { caller, PUBLIC_BASE_URL, urlSmartlink, useService } from './start-service.js';

const { service, user, api } = useService({ takesNewMembers: true });

describe('a valid create', () => {
  test('answers 201 with the whole Smartlink, Location and ETag', async () => {
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ smartlinkUrl: 'FirstOne' }, {}, { openGraph: { title: 'T', imageUrl: null } }),
    );
    expect(res.status).toBe(201);
    expect(res.headers.location).toBe('https://sl.example.com/FirstOne');
    expect(res.headers.etag).toMatch(/^"\d+"$/);
    expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(res.body).toEqual({
      success: true,
      message: 'Smartlink created',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        status: 'Active',
        type: 'Url',
        userId: user.userId,
        relink: 'https://sl.example.com/FirstOne',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        updatedAt: res.body.data.createdAt,
        configuration: { smartlinkName: 'Docs', smartlinkUrl: 'FirstOne', smartlinkType: 'Url' },
        analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
        shortener: { url: 'https://example.org/', protected: false },
        openGraph: { title: 'T' },
      },
      timestamp: expect.any(String) as string,
    });
  });

  test('gives six characters that are easy to read when none are asked for', async () => {
    const slugs = new Set<string>();
    for (const configuration of [{}, { smartlinkUrl: null }, {}]) {
      const res = await api.post('/smartlink', urlSmartlink(configuration));
      expect(res.body.data.configuration.smartlinkUrl).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{6}$/);
      slugs.add(res.body.data.configuration.smartlinkUrl as string);
    }
    expect(slugs.size).toBe(3);
  });
});

describe('with an Idempotency-Key', () => {
  const create = (key: string, body: unknown, who = api) =>
    who.post('/smartlink', body, { 'idempotency-key': key });
  const countSmartlinks = async () => ((await api.get('/smartlink')).body.data as unknown[]).length;

  test('a repeated create is answered as the first, byte for byte, and makes nothing', async () => {
    const first = await create('same', urlSmartlink());
    const before = await countSmartlinks();
    const again = await create('same', { ...urlSmartlink(), unknown: 'ignored' });
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countSmartlinks()).toBe(before);
  });

  test('the same key with another body is 409', async () => {
    await create('reused', urlSmartlink());
    const res = await create('reused', urlSmartlink({ smartlinkName: 'Other' }));
    expect(res.status).toBe(409);
    expect(res.body.error).toEqual({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This Idempotency-Key was used with another request',
    });
  });

  test('a password is part of the request, and the kept fingerprint is a hash of its own salt', async () => {
    const body = (password: string) => urlSmartlink({}, { protected: true, password });
    const first = await create('secret', body('correct horse'));
    expect((await create('secret', body('correct horse'))).text).toBe(first.text);
    expect((await create('secret', body('battery staple'))).status).toBe(409);
    expect((await create('secret', urlSmartlink())).status).toBe(409);
    const kept = await service.app.pg.query(
      `select fingerprint, idempotency_keys::text as row from idempotency_keys where key = 'secret'`,
    );
    expect(kept.rows).toEqual([
      {
        fingerprint: expect.stringMatching(/^\$argon2id\$/) as string,
        row: expect.not.stringMatching(/correct horse|battery staple/) as string,
      },
    ]);
  });

  test('a refusal for a taken slug is replayed, a refused body is not kept', async () => {
    await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'mine' }));
    const taken = await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }));
    expect(taken.status).toBe(409);
    expect((await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }))).text).toBe(taken.text);
    expect((await create('mended', urlSmartlink({ smartlinkName: '' }))).status).toBe(400);
    expect((await create('mended', urlSmartlink())).status).toBe(201);
  });

  test('a limit that was reached is replayed, and not asked again', async () => {
    const starter = caller(service.app, (await service.createUser('Starter')).apiKey);
    for (const key of ['one', 'two', 'three'])
      expect((await create(key, urlSmartlink(), starter)).status).toBe(201);
    const refused = await create('four', urlSmartlink(), starter);
    expect(refused.body.error.code).toBe('SUBSCRIPTION_LIMIT_REACHED');
    expect((await create('four', urlSmartlink(), starter)).text).toBe(refused.text);
    // At the limit the first answers still stand.
    expect((await create('one', urlSmartlink(), starter)).status).toBe(201);
  });

  test('a key belongs to its user', async () => {
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    const mine = await create('shared', urlSmartlink());
    const theirs = await create('shared', urlSmartlink({ smartlinkName: 'Theirs' }), stranger);
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  test('after 24 hours a key is new', async () => {
    const first = await create('old', urlSmartlink());
    await service.app.pg.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'old'`,
    );
    const next = await create('old', urlSmartlink({ smartlinkName: 'Next day' }));
    expect(next.status).toBe(201);
    expect(next.body.data.id).not.toBe(first.body.data.id);
    expect((await create('old', urlSmartlink({ smartlinkName: 'Next day' }))).text).toBe(next.text);
  });

  test.each(['', 'a b', 'k'.repeat(256), 'ä'])('the key %j is a fault', async (key) => {
    const res = await create(key, urlSmartlink());
    expect(res.status).toBe(400);
    expect(res.body.error.details).toEqual([
      { path: 'Idempotency-Key', message: 'Must be given once, as 1 to 255 visible ASCII characters' },
    ]);
  });

  test('an API key is no Idempotency-Key, mistyped or not: it would be kept in clear', async () => {
    for (const key of [user.apiKey, user.apiKey.slice(0, -1)]) {
      const res = await create(key, urlSmartlink());
      expect([res.status, res.body.error.details]).toEqual([
        400,
        [{ path: 'Idempotency-Key', message: 'Must not be an API key' }],
      ]);
    }
  });
});

/** Name, body, and what of the answer differs from the body. */
const DOCUMENTS: [string, object, object][] = [
  ...TYPES.filter((type) => type !== 'Url').map((type): [string, object, object] => {
    const document = fullDocument(type);
    const availability = { ...(document['availability'] as object), visitsUsed: 0, state: 'live' };
    return [`${type} with every member`, document, { availability }];
  }),
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
    const [listed] = (await api.get('/smartlink?archived=all')).body.data as unknown[];
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
  // A null domain is the host of the instance, an absent one the account's default (link-domains.int.test.ts).
  const optional = fieldsOf(type).filter(({ path, schema }) => schema.isNullable && path.at(-1) !== 'domain');
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
  onTestFinished(() => {
    lookup.mockRestore();
  });
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
});
