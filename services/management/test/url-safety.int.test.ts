import { beforeEach, describe, expect, test } from 'vitest';
import { createScriptedProvider } from './recheck-fixtures.js';
import { button, menuItem, smartlink } from './smartlink-bodies.js';
import { urlSmartlink, useService } from './start-service.js';
import { count } from './stored-state.js';

const provider = createScriptedProvider();
const { unsafe } = provider;
const asked = () => provider.questions.flat();

const { service, api } = useService({ urlSafety: provider });
beforeEach(() => {
  provider.reset();
});

const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';
const refusal = (...paths: string[]) => ({
  code: 'UNSAFE_URL',
  message: 'URL is not safe',
  details: paths.map((path) => ({ path, message: 'URL was judged unsafe' })),
});
test.each([
  ['shortener.url', urlSmartlink({}, { url: BAD })],
  ['openGraph.imageUrl', urlSmartlink({}, {}, { openGraph: { imageUrl: BAD } })],
  ['configuration.fallBackLink', smartlink('App', {}, { appStoreLink: GOOD, fallBackLink: BAD })],
  [
    'landingButtons.1.link',
    smartlink('Landing', { landing: {}, landingButtons: [button({ link: 'tel:5' }), button({ link: BAD })] }),
  ],
  ['qrMenu.categories.0.items.0.imageLink', menuItem({ imageLink: BAD })],
])('a create with an unsafe %s is 422 at that path, and nothing is stored', async (path, body) => {
  unsafe.add(BAD);
  const before = await count(service.app, 'smartlinks, slugs');
  const { status, body: answer } = await api.post('/smartlink', body);
  expect([status, answer.error]).toEqual([422, refusal(path)]);
  expect(await count(service.app, 'smartlinks, slugs')).toBe(before);
  expect(asked()).not.toContain('tel:5');
});

test('a patch is refused for the URLs that it brings, not for those that were there', async () => {
  const { body } = await api.post('/smartlink', urlSmartlink({}, { url: BAD }));
  const { id } = body.data;
  unsafe.add(BAD);
  provider.forget();
  const renamed = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Other' } });
  expect([renamed.status, asked()]).toEqual([200, []]);
  const refused = await api.patch('/smartlink', { id, openGraph: { imageUrl: `${BAD}x` } });
  expect([refused.status, asked()]).toEqual([200, [`${BAD}x`]]);
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

describe('a decision about a row that has changed since is made again:', () => {
  const landing = (more: object = {}) => smartlink('Landing', { landing: {}, ...more });
  const toUrl = (id: string) => () =>
    api.patch('/smartlink', { id, configuration: { smartlinkType: 'Url' }, shortener: { url: GOOD } });
  const create = async (body: object) => (await api.post('/smartlink', body)).body.data.id as string;
  const rowOf = async (id: string) => {
    const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
    return rows[0] as { password_hash: string | null; password_version: number };
  };

  test('a link made protected while it becomes a Url has the password', async () => {
    const id = await create(landing());
    provider.meanwhile = toUrl(id);
    const res = await api.patch('/smartlink', {
      id,
      openGraph: { imageUrl: GOOD },
      shortener: { protected: true, password: 'secret1' },
    });
    expect([res.status, res.body.data.shortener]).toEqual([200, { url: GOOD, protected: true }]);
    expect((await rowOf(id)).password_hash).toMatch(/^\$argon2id\$/);
  });

  test('a password given while the link stops being a Url is ignored', async () => {
    const id = await create(urlSmartlink({}, { protected: true, password: 'secret1' }));
    const before = await rowOf(id);
    provider.meanwhile = () =>
      api.patch('/smartlink', { id, configuration: { smartlinkType: 'Landing' }, landing: {} });
    const res = await api.patch('/smartlink', {
      id,
      shortener: { url: GOOD, password: 'secret2' },
    });
    expect([res.status, res.body.data.type]).toEqual([200, 'Landing']);
    const { password_hash, password_version } = await rowOf(id);
    expect([password_hash, password_version]).toEqual([before.password_hash, before.password_version]);
  });

  test('URLs that count only in the new type are shown to the provider', async () => {
    const id = await create(urlSmartlink({}, { url: GOOD }));
    unsafe.add(BAD);
    provider.meanwhile = () =>
      api.patch('/smartlink', { id, configuration: { smartlinkType: 'Landing' }, landing: {} });
    const res = await api.patch('/smartlink', {
      id,
      openGraph: { imageUrl: `${GOOD}x` },
      landingButtons: [{ title: 'a', link: BAD }],
    });
    expect([res.status, res.body.error]).toEqual([422, refusal('landingButtons.0.link')]);
    expect((await api.get(`/smartlink?id=${id}`)).body.data).not.toHaveProperty('landingButtons');
  });

  test('a link paused and found unsafe during its activation stays paused', async () => {
    const id = await create(urlSmartlink({}, { url: BAD }));
    await api.post('/smartlink/status', { id, status: 'Paused' });
    provider.meanwhile = async () => {
      await api.post('/smartlink/status', { id, status: 'Active' });
      await api.post('/smartlink/status', { id, status: 'Paused' });
      unsafe.add(BAD);
    };
    const res = await api.post('/smartlink/status', { id, status: 'Active' });
    expect([res.status, res.body.error]).toEqual([422, refusal('shortener.url')]);
    expect((await api.get(`/smartlink?id=${id}`)).body.data.status).toBe('Paused');
  });
});
