import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STORES, smartlink } from './smartlink-bodies.js';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';
import { liftRateLimit } from './stored-rows.js';

// GET /smartlink/resolve, the dry run: what it says of each type and visitor. Its requests: resolve-requests.int.test.ts.

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const AGENTS = {
  fire: `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${CHROME} Silk/142.1.1 Safari/537.36`,
  huawei: `Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13.0.351) ${CHROME} Mobile Safari/537.36`,
  android: `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
  ipad: `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`,
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`,
  mac: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`,
  windows: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
  other: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
};
const SAFARI = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`;
const PREVIEW = 'WhatsApp/2.23.20.0 A';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const addressOf = (store: string) => `https://stores.example.com/${store}`;
const app = (stores: readonly string[], rest: object = {}) =>
  smartlink('App', rest, Object.fromEntries(stores.map((store) => [store, addressOf(store)])));
const PAGES = {
  Landing: smartlink('Landing', { landing: {} }),
  QRTag: smartlink('QRTag', { qrTag: {} }),
  DigiCard: smartlink('DigiCard', { digiCard: {} }),
  TxtBin: smartlink('TxtBin', { txtBin: { text: 'x' } }),
  QrMenu: smartlink('QrMenu', { qrMenu: {} }),
};
const counts = (outcome: string) => ({ source: 'click', outcome, excluded: null });
const excluded = (reason: string) => ({ source: 'click', outcome: 'excluded', excluded: reason });
const isOn = (platform: string) => expect.objectContaining({ platform }) as object;

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  await liftRateLimit(service.app);
});
afterAll(() => service.close());

async function create(body: object): Promise<string> {
  const res = await api.post('/smartlink', body);
  expect([res.status, res.text]).toEqual([201, res.text]);
  return String(res.body.data.id);
}

const ask = (query: Record<string, string>) =>
  api.get(`/smartlink/resolve?${new URLSearchParams(query).toString()}`);

async function resolve(id: string, userAgent: string, more: Record<string, string> = {}) {
  const res = await ask({ id, userAgent, ...more });
  expect([res.status, res.body.message]).toEqual([200, 'Visit resolved']);
  return res.body.data as Record<string, unknown> & { visitor: Record<string, unknown> };
}

describe('an App', () => {
  test.each(
    Object.entries({
      fire: 'amazonStoreLink',
      huawei: 'appGalleryLink',
      android: 'googlePlayLink',
      ipad: 'ipadAppLink',
      iphone: 'appStoreLink',
      mac: 'macOsAppLink',
      windows: 'windowsAppLink',
      other: 'fallBackLink',
    }) as [keyof typeof AGENTS, string][],
  )('with all links sends %s to %s', async (platform, rule) => {
    const id = await create(app(STORES));
    expect(await resolve(id, AGENTS[platform])).toMatchObject({
      smartlinkId: id,
      visitor: { platform, isBot: false },
      decision: 'redirect',
      location: addressOf(rule),
      rule,
      counted: counts(rule === 'fallBackLink' ? 'fallback' : 'target'),
    });
  });

  test('without a store of their own sends Huawei and Fire to Google Play, an iPad to the App Store, and no Mac there', async () => {
    const id = await create(app(['appStoreLink', 'googlePlayLink', 'fallBackLink']));
    const rules = {
      fire: 'googlePlayLink',
      huawei: 'googlePlayLink',
      ipad: 'appStoreLink',
      mac: 'fallBackLink',
    };
    for (const [platform, rule] of Object.entries(rules)) {
      const found = await resolve(id, AGENTS[platform as keyof typeof rules]);
      expect(found).toMatchObject({ decision: 'redirect', rule, location: addressOf(rule) });
    }
  });

  test('without a fallBackLink shows the list of its stores, a fallback too', async () => {
    const found = await resolve(await create(app(['appStoreLink'])), AGENTS.windows);
    expect(found).toMatchObject({
      decision: 'storeList',
      location: null,
      rule: 'noStore',
      counted: counts('fallback'),
    });
    expect(found).not.toHaveProperty('ifIpad');
  });

  test('asks Safari on a Macintosh whether it is an iPad, and says what follows', async () => {
    const id = await create(app(['ipadAppLink', 'macOsAppLink', 'fallBackLink']));
    expect(await resolve(id, SAFARI)).toEqual({
      smartlinkId: id,
      relink: expect.any(String) as string,
      visitor: {
        isBot: false,
        isPreview: false,
        mayBeIpad: true,
        platform: 'mac',
        device: 'desktop',
        os: 'macOS',
        browser: 'Safari',
        country: 'XX',
      },
      decision: 'ipadOrMac',
      location: null,
      rule: 'ipadSaysMac',
      counted: null,
      ifIpad: {
        decision: 'redirect',
        location: addressOf('ipadAppLink'),
        rule: 'ipadAppLink',
        counted: counts('target'),
      },
      ifMac: {
        decision: 'redirect',
        location: addressOf('macOsAppLink'),
        rule: 'macOsAppLink',
        counted: counts('target'),
      },
    });
    const same = await create(app(['googlePlayLink', 'fallBackLink']));
    expect(await resolve(same, SAFARI)).toMatchObject({ decision: 'redirect', rule: 'fallBackLink' });
  });

  test('sees Android behind a desktop’s User-Agent when the hint says so', async () => {
    const id = await create(app(STORES));
    expect(await resolve(id, AGENTS.other, { secChUaPlatform: '"Android"' })).toMatchObject({
      visitor: isOn('android'),
      rule: 'googlePlayLink',
    });
    for (const secChUaPlatform of ['Android', '"Linux"', '"<script>"', '']) {
      expect(await resolve(id, AGENTS.other, { secChUaPlatform })).toMatchObject({ rule: 'fallBackLink' });
    }
  });
});

describe('every type', () => {
  test('a Url leads to its url', async () => {
    const found = await resolve(await create(urlSmartlink({ smartlinkUrl: 'Docs7' })), AGENTS.iphone, {
      country: 'az',
    });
    expect(found).toMatchObject({
      relink: 'https://sl.example.com/Docs7',
      visitor: { platform: 'iphone', country: 'AZ' },
      decision: 'redirect',
      location: 'https://example.org/',
      rule: 'url',
      counted: counts('target'),
    });
  });

  test.each(Object.entries(PAGES))('a %s is a page for everybody', async (_type, body) => {
    const id = await create({ ...body, openGraph: { title: 'Shared' } });
    const page = { decision: 'page', location: null, rule: 'type' };
    expect(await resolve(id, AGENTS.iphone)).toMatchObject({ ...page, counted: counts('page') });
    expect(await resolve(id, SAFARI)).toMatchObject({ ...page, counted: counts('page') });
    expect(await resolve(id, PREVIEW)).toMatchObject({ ...page, counted: excluded('bot') });
  });

  test.each([['a Url', urlSmartlink()], ['an App', app(['fallBackLink'])], ...Object.entries(PAGES)])(
    'that is paused or deleted says so and counts nothing: %s',
    async (_type, body) => {
      const id = await create(body);
      await api.post('/smartlink/status', { id, status: 'Paused' });
      const told = { location: null, rule: 'status' };
      const paused = { ...told, decision: 'paused', counted: excluded('paused') };
      expect(await resolve(id, AGENTS.iphone)).toMatchObject(paused);
      await api.delete('/smartlink', { smartlinkId: id });
      const deleted = { ...told, decision: 'deleted', counted: excluded('deleted') };
      expect(await resolve(id, AGENTS.iphone)).toMatchObject(deleted);
      expect(await resolve(id, PREVIEW)).toMatchObject({ decision: 'deleted', counted: excluded('bot') });
    },
  );
});

describe('bots and previews', () => {
  test('a protected link asks people for the password, shows previews none of the target, and counts neither', async () => {
    const id = await create(
      urlSmartlink({}, { url: 'https://secret.example.net/', protected: true, password: 'open sesame' }),
    );
    const person = await resolve(id, AGENTS.iphone);
    expect(person).toMatchObject({
      decision: 'passwordForm',
      location: null,
      rule: 'password',
      counted: excluded('form'),
    });
    const preview = await resolve(id, PREVIEW);
    expect(preview).toMatchObject({
      visitor: { isBot: true, isPreview: true },
      decision: 'openGraph',
      location: null,
      rule: 'linkPreview',
      counted: excluded('bot'),
    });
    expect(JSON.stringify([person, preview])).not.toMatch(/secret\.example|sesame|argon2/);
  });

  test('a preview is made of openGraph, and without one follows the link uncounted, as bots always do', async () => {
    const shared = await create(urlSmartlink({}, {}, { openGraph: { title: 'Docs' } }));
    expect(await resolve(shared, PREVIEW)).toMatchObject({ decision: 'openGraph', counted: excluded('bot') });
    expect(await resolve(shared, CRAWLER)).toMatchObject({
      visitor: { isBot: true, isPreview: false },
      decision: 'redirect',
      counted: excluded('bot'),
    });
    const plain = await create(urlSmartlink());
    expect(await resolve(plain, PREVIEW)).toMatchObject({ decision: 'redirect', counted: excluded('bot') });
  });

  test('who sends no User-Agent is a bot', async () => {
    const id = await create(urlSmartlink());
    for (const query of [{ id }, { id, userAgent: '' }]) {
      const { body } = await ask(query);
      expect(body.data).toMatchObject({ visitor: { isBot: true }, counted: excluded('bot') });
    }
  });
});
