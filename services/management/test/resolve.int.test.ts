import { describe, expect, test } from 'vitest';
import { STORES, smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, urlSmartlink, useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

// GET /smartlink/resolve, the dry run of a visit. decide.test.ts has every platform, store and type.

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const AGENTS = {
  android: `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`,
  windows: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
  other: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
};
const SAFARI = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`;
const PREVIEW = 'WhatsApp/2.23.20.0 A';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const addressOf = (store: string) => `https://stores.example.com/${store}`;
const app = (stores: readonly string[], rest: object = {}) =>
  smartlink('App', rest, Object.fromEntries(stores.map((store) => [store, addressOf(store)])));
const TXT_BIN = smartlink('TxtBin', { txtBin: { text: 'x' } });
const counts = (outcome: string) => ({ source: 'click', outcome, excluded: null });
const redirect = (rule: string, outcome: string) => ({
  ...{ decision: 'redirect', location: addressOf(rule), rule },
  counted: counts(outcome),
});
const excluded = (reason: string) => ({ source: 'click', outcome: 'excluded', excluded: reason });

const { service, api } = useService();

const create = async (body: object) => (await createSmartlink(api, body)).id;

const ask = (query: Record<string, string>) =>
  api.get(`/smartlink/resolve?${new URLSearchParams(query).toString()}`);

async function resolve(id: string, userAgent: string, more: Record<string, string> = {}) {
  const res = await ask({ id, userAgent, ...more });
  expect([res.status, res.body.message]).toEqual([200, 'Visit resolved']);
  return res.body.data as Record<string, unknown> & { visitor: Record<string, unknown> };
}

describe('an App', () => {
  test.each([
    ['android', 'googlePlayLink', 'target'],
    ['other', 'fallBackLink', 'fallback'],
  ] as const)('sends %s to its %s, counted as a %s', async (platform, rule, outcome) => {
    expect(await resolve(await create(app(STORES)), AGENTS[platform])).toMatchObject({
      visitor: { platform, isBot: false },
      ...redirect(rule, outcome),
    });
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

  test('asks Safari on a Macintosh whether it is an iPad, and shows both routes', async () => {
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
        language: '',
        referrer: 'direct',
        source: 'click',
      },
      decision: 'ipadOrMac',
      location: null,
      rule: 'ipadSaysMac',
      counted: null,
      ifIpad: redirect('ipadAppLink', 'target'),
      ifMac: redirect('macOsAppLink', 'target'),
    });
    const same = await create(app(['googlePlayLink', 'fallBackLink']));
    expect(await resolve(same, SAFARI)).toMatchObject({ decision: 'redirect', rule: 'fallBackLink' });
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

  test('a page is shown to people and previews', async () => {
    const id = await create({ ...TXT_BIN, openGraph: { title: 'Shared' } });
    const page = { decision: 'page', location: null, rule: 'type' };
    expect(await resolve(id, AGENTS.iphone)).toMatchObject({ ...page, counted: counts('page') });
    expect(await resolve(id, PREVIEW)).toMatchObject({ ...page, counted: excluded('bot') });
  });

  test('a paused or deleted link is reported as such and counts nothing', async () => {
    const id = await create(urlSmartlink());
    await api.post('/smartlink/status', { id, status: 'Paused' });
    const told = { location: null, rule: 'status' };
    const paused = { ...told, decision: 'paused', counted: excluded('paused') };
    expect(await resolve(id, AGENTS.iphone)).toMatchObject(paused);
    await api.delete('/smartlink', { smartlinkId: id });
    const deleted = { ...told, decision: 'deleted', counted: excluded('deleted') };
    expect(await resolve(id, AGENTS.iphone)).toMatchObject(deleted);
    expect(await resolve(id, PREVIEW)).toMatchObject({ decision: 'deleted', counted: excluded('bot') });
  });
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
});

describe('the parameters', () => {
  test.each<[what: string, query: Record<string, string>, path: string]>([
    ['no id', {}, 'id'],
    ['an empty country', { id: 'x', country: '' }, 'country'],
    ['a code of no country', { id: 'x', country: 'ZZ' }, 'country'],
    ['a letter that is an I in upper case', { id: 'x', country: 'ıt' }, 'country'],
    ['more than 8 KiB of User-Agent', { id: 'x', userAgent: 'a'.repeat(8_193) }, 'userAgent'],
    ['a long hint', { id: 'x', secChUaPlatform: 'a'.repeat(257) }, 'secChUaPlatform'],
  ])('%s is a fault', async (_what, query, path) => {
    const res = await ask(query);
    expect([res.status, res.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(faultsOf(res)).toEqual([path]);
  });

  test('a repeated one is a fault at its name', async () => {
    const res = await api.get('/smartlink/resolve?id=x&id=y&userAgent=a&userAgent=b&country=AZ&country=TR');
    expect(res.status).toBe(400);
    expect(faultsOf(res).sort()).toEqual(['country', 'id', 'userAgent']);
  });

  test('hold 8 KiB of User-Agent, and any text', async () => {
    const id = await create(urlSmartlink());
    for (const userAgent of ['a'.repeat(8_192), '\0\r\nX: y', '<script>', '😀', '%00', 'constructor']) {
      expect(await resolve(id, userAgent)).toMatchObject({
        decision: 'redirect',
        visitor: { platform: 'other' },
      });
    }
  });
});

test('a deleted link stays Deleted when its address belongs to a new one', async () => {
  const slug = 'Reborn1';
  const first = await create(urlSmartlink({ smartlinkUrl: slug }));
  await api.delete('/smartlink', { smartlinkId: first });
  const second = await create(urlSmartlink({ smartlinkUrl: slug }));
  expect(await resolve(first, AGENTS.iphone)).toMatchObject({ smartlinkId: first, decision: 'deleted' });
  expect(await resolve(second, AGENTS.iphone)).toMatchObject({ smartlinkId: second, decision: 'redirect' });
});

test('a change is seen by the next call, and a renamed link has its new address', async () => {
  const id = await create(urlSmartlink());
  await api.patch('/smartlink', {
    id,
    configuration: { smartlinkUrl: 'Renamed1' },
    shortener: { url: 'https://example.net/new' },
  });
  expect(await resolve(id, AGENTS.iphone)).toMatchObject({
    relink: 'https://sl.example.com/Renamed1',
    location: 'https://example.net/new',
  });
});

test('a dry run writes nothing and counts nothing', async () => {
  const id = await create(urlSmartlink());
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  for (const userAgent of [AGENTS.iphone, PREVIEW, '']) await resolve(id, userAgent);
  expect(await storedRows(service.app)).toBe(before);
  const events = await service.app.clickhouse.query({
    query: 'select count() as n from events where smartlink_id = {id:UUID}',
    query_params: { id },
    format: 'JSONEachRow',
  });
  expect(await events.json()).toEqual([{ n: 0 }]);
  const { body } = await api.get(`/smartlink?id=${id}`);
  expect(body.data.analytics).toEqual({ totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 });
});
