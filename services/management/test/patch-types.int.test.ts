import { describe, expect, test } from 'vitest';
import { findSnapshots } from '@smartlink/links/publish';
import { A, button, item, menu, smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, urlSmartlink, useService } from './start-service.js';

const { service, api } = useService();

const create = async (body: object) => (await createSmartlink(api, body)).data;

async function patch(id: string, change: object) {
  const res = await api.patch('/smartlink', { id, ...change });
  expect([res.status, res.body.error]).toEqual([200, undefined]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toEqual(res.body.data);
  return res.body.data as Record<string, unknown>;
}

describe('objects merge field by field, arrays replace whole', () => {
  test('null clears a field, and one with a default gets it back', async () => {
    const { id } = await create(
      smartlink('Landing', { landing: { title: 'T', layout: 'Grid' }, landingButtons: [button()] }),
    );
    const data = await patch(id, { landing: { title: null, layout: null }, landingButtons: null });
    expect(data['landing']).toEqual({ layout: 'List', theme: 'Auto' });
    expect(data).not.toHaveProperty('landingButtons');
  });

  test('buttons are replaced, [] clears them, and the order is kept', async () => {
    const { id } = await create(smartlink('QRTag', { qrTag: {}, qrTagButtons: [button(), button()] }));
    const wanted = [button({ title: 'z', position: 5 }), button({ title: 'a', position: 1 })];
    expect((await patch(id, { qrTagButtons: wanted }))['qrTagButtons']).toEqual(wanted);
    expect((await patch(id, { qrTagButtons: [] }))['qrTagButtons']).toEqual([]);
  });

  test('categories, items, variants and badges are replaced with the array that holds them', async () => {
    const category = (name: string, more: object = {}) => ({
      name,
      items: [item({ active: true, ...more })],
    });
    const { id } = await create(
      menu({
        title: 'T',
        currency: '€',
        categories: [category('a', { badges: ['x'], variants: [{ label: 'L', price: 1 }] })],
      }),
    );
    const categories = [category('b'), category('c', { badges: ['y'] })];
    expect((await patch(id, { qrMenu: { categories } }))['qrMenu']).toEqual({
      title: 'T',
      currency: '€',
      categories,
    });
    expect((await patch(id, { qrMenu: { categories: [] } }))['qrMenu']).toEqual({
      title: 'T',
      currency: '€',
      categories: [],
    });
  });

  test("another type's content is neither checked nor stored", async () => {
    const { id } = await create(smartlink('TxtBin', { txtBin: { text: 'x' } }));
    const data = await patch(id, {
      shortener: 5,
      landing: { title: 'T' },
      landingButtons: 'x',
      configuration: { appStoreLink: 'x' },
    });
    expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['landing']));
    expect(data['configuration']).not.toHaveProperty('appStoreLink');
    const { status } = await api.patch('/smartlink', { id, configuration: { smartlinkType: 'Landing' } });
    expect(status).toBe(400);
  });
});

describe('a change of type', () => {
  test('is refused without what the new type requires, and for a type that there is not', async () => {
    const { id } = await create(urlSmartlink());
    for (const [smartlinkType, path] of [
      ['Landing', 'landing'],
      ['QRTag', 'qrTag'],
      ['DigiCard', 'digiCard'],
      ['TxtBin', 'txtBin'],
      ['QrMenu', 'qrMenu'],
      ['Nonsense', 'configuration.smartlinkType'],
      ['constructor', 'configuration.smartlinkType'],
      ['__proto__', 'configuration.smartlinkType'],
    ]) {
      const res = await api.patch('/smartlink', { id, configuration: { smartlinkType } });
      expect([res.status, faultsOf(res)]).toEqual([400, [path]]);
    }
    expect((await api.get(`/smartlink?id=${id}`)).body.data.type).toBe('Url');
  });

  test('keeps what the old type had: it is not returned, and comes back with the type, password and all', async () => {
    const url = await create(
      urlSmartlink({}, { url: A, protected: true, password: 'secret1' }, { openGraph: { title: 'T' } }),
    );
    const { id } = url;
    const landing = await patch(id, {
      configuration: { smartlinkType: 'Landing' },
      landing: { title: 'L' },
      landingButtons: [button()],
    });
    expect(landing).toMatchObject({
      type: 'Landing',
      relink: url['relink'],
      openGraph: { title: 'T' },
      landing: { title: 'L', layout: 'List', theme: 'Auto' },
    });
    expect(landing).not.toHaveProperty('shortener');
    const app = await patch(id, { configuration: { smartlinkType: 'App', appStoreLink: A } });
    expect(app['configuration']).toMatchObject({ smartlinkType: 'App', appStoreLink: A });
    expect(app).not.toHaveProperty('landing');
    const back = await patch(id, { configuration: { smartlinkType: 'Url' } });
    expect(back).toEqual({ ...url, updatedAt: back['updatedAt'] });
    expect(back['configuration']).not.toHaveProperty('appStoreLink');
    const again = await patch(id, { configuration: { smartlinkType: 'Landing' }, landing: { title: 'M' } });
    expect([again['landing'], again['landingButtons']]).toEqual([
      { title: 'M', layout: 'List', theme: 'Auto' },
      [button()],
    ]);
  });

  test('leaves the password alone: a shortener in a patch is ignored while the type is another one', async () => {
    const { id } = await create(urlSmartlink({}, { protected: true, password: 'secret1' }));
    await patch(id, { configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } });
    const before = await api.get(`/smartlink?id=${id}`);
    for (const shortener of [{ password: null }, { password: '1', url: 'javascript:1', protected: 5 }]) {
      const res = await api.patch('/smartlink', { id, shortener });
      expect([res.status, res.headers.etag, res.body.data]).toEqual([
        200,
        before.headers.etag,
        before.body.data,
      ]);
    }
    const back = await patch(id, { configuration: { smartlinkType: 'Url' } });
    expect(back['shortener']).toEqual({ url: 'https://example.org/', protected: true });
  });

  test('reaches visitors: the snapshot has the new type, and a password only while it is a Url', async () => {
    const { id, configuration } = await create(urlSmartlink({}, { protected: true, password: 'secret1' }));
    const key = (configuration as { smartlinkUrl: string }).smartlinkUrl.toLowerCase();
    const snapshot = async () => (await findSnapshots(service.app.pg, [key])).get(key);
    expect(await snapshot()).toMatchObject({ type: 'Url', password: { version: 1 } });
    await patch(id, { configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } });
    expect(await snapshot()).toMatchObject({ type: 'TxtBin', page: { txtBin: { text: 'x' } } });
    expect(await snapshot()).not.toHaveProperty('password');
  });
});
