import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;
let userId: string;

beforeAll(async () => {
  ({
    service,
    user: { userId },
    api,
  } = await startServiceWithUser());
});
afterAll(() => service.close());

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
        userId,
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

  test('takes null for absent, and leaves unset members out', async () => {
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ smartlinkUrl: null }, { protected: null, password: null }, { openGraph: null }),
    );
    expect(res.status).toBe(201);
    expect(res.body.data.shortener).toEqual({ url: 'https://example.org/', protected: false });
    expect(res.body.data).not.toHaveProperty('openGraph');
  });

  test.each([
    ['64 letters', 'n'.repeat(64)],
    ['64 emoji', '😀'.repeat(64)],
    ['one character', 'x'],
    ['right to left', 'שלום'],
    ['markup', '<script>alert(1)</script>'],
  ])('keeps a name of %s as it is', async (_name, smartlinkName) => {
    const res = await api.post('/smartlink', urlSmartlink({ smartlinkName }));
    expect(res.body.data.configuration.smartlinkName).toBe(smartlinkName);
  });

  test.each(['a', 'Q', 'x'.repeat(64), '0', 'q', 'dashboard1', 'constructor', 'toString'])(
    'keeps the slug %s as typed',
    async (smartlinkUrl) => {
      const res = await api.post('/smartlink', urlSmartlink({ smartlinkUrl }));
      const isTaken = smartlinkUrl === 'q';
      expect(res.status).toBe(isTaken ? 409 : 201);
      if (!isTaken) expect(res.headers.location).toBe(`https://sl.example.com/${smartlinkUrl}`);
    },
  );

  test.each([
    ['HTTPS://EXAMPLE.org', 'https://example.org/'],
    ['https://bücher.example/ä b', 'https://xn--bcher-kva.example/%C3%A4%20b'],
    [`https://example.org/${'a'.repeat(2_028)}`, `https://example.org/${'a'.repeat(2_028)}`],
  ])('stores and returns the parsed form of %s', async (url, href) => {
    const res = await api.post('/smartlink', urlSmartlink({}, { url }));
    expect(res.body.data.shortener.url).toBe(href);
  });
});

describe('what no client may set', () => {
  test('is ignored at every depth', async () => {
    const other = await service.createUser();
    const extras = {
      id: '00000000-0000-7000-8000-000000000000',
      userId: other.userId,
      user_id: other.userId,
      status: 'Paused',
      version: 1,
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: '2000-01-01T00:00:00.000Z',
      relink: 'https://x.example/',
      analytics: { totalClicks: 9 },
      passwordHash: 'x',
      toString: 'x',
      landing: { title: 5 },
      landingButtons: 'no',
      qrMenu: null,
      type: 'App',
    };
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ ...extras, appStoreLink: 'no URL' }, extras, {
        ...extras,
        openGraph: { title: 'T', ...extras },
      }),
    );
    expect(res.status).toBe(201);
    expect(res.body.data).toMatchObject({
      userId,
      status: 'Active',
      type: 'Url',
      analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
      openGraph: { title: 'T' },
    });
    expect(res.body.data.id).not.toBe(extras.id);
    expect(res.body.data.createdAt > '2020').toBe(true);
    expect(Object.keys(res.body.data.configuration as object)).toEqual([
      'smartlinkName',
      'smartlinkUrl',
      'smartlinkType',
    ]);
    expect(Object.keys(res.body.data.shortener as object)).toEqual(['url', 'protected']);
    expect(Object.keys(res.body.data.openGraph as object)).toEqual(['title']);
    expect(res.body.data).not.toHaveProperty('landing');
    const { rows } = await service.app.pg.query('select content from smartlinks where id = $1', [
      res.body.data.id,
    ]);
    expect((rows[0] as { content: unknown }).content).toEqual({
      Url: { shortener: { url: 'https://example.org/', protected: false } },
    });
  });
});

describe('a password', () => {
  test.each([
    ['of 6 characters', 'secret'],
    ['of 128 characters', '😀'.repeat(128)],
  ])('%s is stored as a hash and shown nowhere', async (_name, password) => {
    const created = await api.post('/smartlink', urlSmartlink({}, { protected: true, password }), {
      'idempotency-key': `p${password.length}`,
    });
    expect(created.status).toBe(201);
    expect(created.body.data.shortener).toEqual({ url: 'https://example.org/', protected: true });
    const id = String(created.body.data.id);
    const answers = [
      created,
      await api.get('/smartlink'),
      await api.get(`/smartlink?id=${id}`),
      await api.patch('/smartlink', { id, configuration: { smartlinkName: 'New' } }),
    ];
    for (const { text } of answers) {
      expect(text).not.toContain(password);
      expect(text).not.toContain('argon2');
      expect(text).not.toContain('"password"');
    }
    const dump = await dumpPostgres();
    expect(dump).not.toContain(password);
    expect(dump).toContain('$argon2id$');
    expect(service.logLines.join('')).not.toContain(password);
  });

  test('that comes while protected is false is kept, and is enough to protect the link later', async () => {
    const created = await api.post('/smartlink', urlSmartlink({}, { password: 'for later' }));
    expect(created.body.data.shortener).toEqual({ url: 'https://example.org/', protected: false });
    const patched = await api.patch('/smartlink', {
      id: created.body.data.id,
      shortener: { protected: true },
    });
    expect(patched.body.data.shortener).toEqual({ url: 'https://example.org/', protected: true });
  });
});

async function dumpPostgres(): Promise<string> {
  const tables = ['smartlinks', 'slugs', 'publish_outbox', 'audit_entries', 'idempotency_keys'];
  const dumps = await Promise.all(
    tables.map((table) => service.app.pg.query(`select ${table} from ${table}`)),
  );
  return JSON.stringify(dumps.map(({ rows }) => rows as unknown[]));
}
