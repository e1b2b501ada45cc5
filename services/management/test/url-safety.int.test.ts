import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UrlSafety } from '../src/url-safety/url-safety.js';
import { menuItem, smartlink } from './smartlink-bodies.js';
import { caller, startService, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;
const unsafe = new Set<string>();
const asked: string[] = [];

// The provider is somebody else's service: what stands for it here answers as one would.
const provider: UrlSafety = {
  findUnsafe: (urls) => {
    asked.push(...urls.map(({ url }) => url));
    return Promise.resolve(urls.filter(({ url }) => unsafe.has(url)));
  },
};

beforeAll(async () => {
  service = await startService({}, provider);
  api = caller(service.app, (await service.createUser()).apiKey);
});
beforeEach(() => {
  unsafe.clear();
  asked.length = 0;
});
afterAll(() => service.close());

const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';
const refusal = (...paths: string[]) => ({
  code: 'UNSAFE_URL',
  message: 'URL is not safe',
  details: paths.map((path) => ({ path, message: 'URL was judged unsafe' })),
});
const countRows = async () => {
  const { rows } = await service.app.pg.query(
    'select (select count(*) from smartlinks)::integer + (select count(*) from slugs)::integer as count',
  );
  return rows[0].count as number;
};

test.each([
  ['shortener.url', urlSmartlink({}, { url: BAD })],
  ['openGraph.imageUrl', urlSmartlink({}, {}, { openGraph: { imageUrl: BAD } })],
  ['configuration.fallBackLink', smartlink('App', {}, { appStoreLink: GOOD, fallBackLink: BAD })],
  [
    'landingButtons.1.link',
    smartlink('Landing', {
      landing: { logoLink: GOOD },
      landingButtons: [
        { title: 'a', link: 'tel:5' },
        { title: 'b', link: BAD },
      ],
    }),
  ],
  ['qrMenu.categories.0.items.0.imageLink', menuItem({ imageLink: BAD })],
])('a create with an unsafe %s is 422 at that path, and nothing is stored', async (path, body) => {
  unsafe.add(BAD);
  const before = await countRows();
  const { status, body: answer } = await api.post('/smartlink', body);
  expect([status, answer.error]).toEqual([422, refusal(path)]);
  expect(await countRows()).toBe(before);
  expect(asked).not.toContain('tel:5');
});

test('every unsafe URL has its detail', async () => {
  unsafe.add(BAD);
  const body = smartlink('App', { openGraph: { imageUrl: BAD } }, { appStoreLink: BAD, fallBackLink: GOOD });
  const { body: answer } = await api.post('/smartlink', body);
  expect(answer.error).toEqual(refusal('configuration.appStoreLink', 'openGraph.imageUrl'));
});

test('a patch is refused for the URLs that it brings, not for those that were there', async () => {
  const { body } = await api.post('/smartlink', urlSmartlink({}, { url: BAD }));
  const { id } = body.data;
  unsafe.add(BAD);
  asked.length = 0;
  const renamed = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Other' } });
  expect([renamed.status, asked]).toEqual([200, []]);
  const refused = await api.patch('/smartlink', { id, openGraph: { imageUrl: `${BAD}x` } });
  expect([refused.status, asked]).toEqual([200, [`${BAD}x`]]);
  unsafe.add(GOOD);
  const res = await api.patch('/smartlink', { id, shortener: { url: GOOD } });
  expect([res.status, res.body.error]).toEqual([422, refusal('shortener.url')]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.shortener.url).toBe(BAD);
});

test('a type that comes back brings its URLs: they are checked as if they were new', async () => {
  const { body } = await api.post('/smartlink', urlSmartlink({}, { url: BAD }));
  const { id } = body.data;
  const away = { id, configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } };
  expect((await api.patch('/smartlink', away)).status).toBe(200);
  unsafe.add(BAD);
  const res = await api.patch('/smartlink', { id, configuration: { smartlinkType: 'Url' } });
  expect([res.status, res.body.error]).toEqual([422, refusal('shortener.url')]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.type).toBe('TxtBin');
});

test('before a paused link goes on all its URLs are checked again: one judged unsafe keeps it paused', async () => {
  const { body } = await api.post('/smartlink', urlSmartlink({}, { url: BAD }));
  const { id } = body.data;
  unsafe.add(BAD);
  expect((await api.post('/smartlink/status', { id, status: 'Paused' })).status).toBe(200);
  const res = await api.post('/smartlink/status', { id, status: 'Active' });
  expect([res.status, res.body.error]).toEqual([422, refusal('shortener.url')]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Paused');
  unsafe.clear();
  expect((await api.post('/smartlink/status', { id, status: 'Active' })).status).toBe(200);
});
