import { describe, expect, test } from 'vitest';
import { findSnapshots } from '@smartlink/links/publish';
import { A, button, item, menu, smartlink } from './smartlink-bodies.js';
import { createSmartlink, faultsOf, urlSmartlink, useService } from './start-service.js';

const { service, api } = useService();

const create = (...parts: Parameters<typeof urlSmartlink>) => createSmartlink(api, urlSmartlink(...parts));

describe('merging', () => {
  test('changes the members it names and no others', async () => {
    const { id, data } = await create({}, {}, { openGraph: { title: 'T', description: 'D' } });
    const res = await api.patch('/smartlink', {
      id,
      configuration: { smartlinkName: 'New' },
      openGraph: { title: 'U' },
    });
    expect(res.status).toBe(200);
    expect(res.body.data).toEqual({
      ...data,
      updatedAt: res.body.data.updatedAt,
      configuration: { ...data.configuration, smartlinkName: 'New' },
      openGraph: { title: 'U', description: 'D' },
    });
    expect(res.body.data.updatedAt > data.updatedAt).toBe(true);
  });

  test('null clears what is optional, at every depth', async () => {
    const { id } = await create({}, {}, { openGraph: { title: 'T', description: 'D' } });
    const slug = await api.patch('/smartlink', { id, configuration: { smartlinkUrl: null } });
    expect([slug.status, faultsOf(slug)]).toEqual([400, ['configuration.smartlinkUrl']]);
    const one = await api.patch('/smartlink', { id, openGraph: { title: null } });
    expect(one.body.data.openGraph).toEqual({ description: 'D' });
    const all = await api.patch('/smartlink', { id, openGraph: null });
    expect(all.body.data).not.toHaveProperty('openGraph');
  });
});

describe('version and updatedAt', () => {
  test('only the id, or the same values again, change nothing: no version, no time, no outbox row', async () => {
    const { id, etag, data } = await create({}, {}, { openGraph: { title: 'T' } });
    for (const patch of [
      { id },
      { id, configuration: data.configuration, openGraph: data.openGraph, shortener: data.shortener },
      { id, configuration: {}, shortener: {} },
    ]) {
      const res = await api.patch('/smartlink', patch);
      expect([res.status, res.headers.etag, res.body.data]).toEqual([200, etag, data]);
    }
  });

  test('a change raises version and updatedAt, and the audit log names its members without values', async () => {
    const { id, etag } = await create();
    const res = await api.patch('/smartlink', { id, shortener: { url: 'https://secret.example.net/x' } });
    expect(Number(String(res.headers.etag).slice(1, -1))).toBeGreaterThan(Number(etag.slice(1, -1)));
    const { rows } = await service.app.pg.query(
      `select action, details, actor from audit_entries where smartlink_id = $1 order by id`,
      [id],
    );
    expect(rows).toMatchObject([
      { action: 'smartlink.create' },
      { action: 'smartlink.update', details: { changed: ['shortener'] } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret.example.net');
  });
});

describe('If-Match', () => {
  test('takes the present ETag, a list with it, and *; refuses any other with 412', async () => {
    const { id, etag } = await create();
    const patch = (name: string, ifMatch: string) =>
      api.patch('/smartlink', { id, configuration: { smartlinkName: name } }, { 'if-match': ifMatch });
    const stale = await patch('a', '"0"');
    expect([stale.status, stale.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect(stale.body.error).not.toHaveProperty('details');
    for (const ifMatch of ['', 'W/' + etag, etag.slice(1, -1), 'garbage']) {
      expect((await patch('a', ifMatch)).status).toBe(412);
    }
    const first = await patch('a', `"1", ${etag}`);
    expect(first.status).toBe(200);
    expect((await patch('b', etag)).status).toBe(412);
    expect((await patch('b', '*')).status).toBe(200);
  });

  test('exactly one of concurrent patches with the same ETag is written', async () => {
    const { id, etag } = await create();
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((smartlinkName) =>
        api.patch('/smartlink', { id, configuration: { smartlinkName } }, { 'if-match': etag }),
      ),
    );
    expect(results.map((res) => res.status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('without it, patches at once of different members all hold', async () => {
    const { id } = await create();
    await Promise.all([
      api.patch('/smartlink', { id, configuration: { smartlinkName: 'Both' } }),
      api.patch('/smartlink', { id, openGraph: { title: 'T' } }),
      api.patch('/smartlink', { id, openGraph: { description: 'D' } }),
    ]);
    const { body } = await api.get(`/smartlink?id=${id}`);
    expect(body.data.configuration.smartlinkName).toBe('Both');
    expect(body.data.openGraph).toEqual({ title: 'T', description: 'D' });
  });
});

test.each([
  [{}, ['id']],
  [{ id: '' }, ['id']],
  [{ id: 5 }, ['id']],
  [[], ['']],
])('%j is 400 at %j', async (body, paths) => {
  const res = await api.patch('/smartlink', body);
  expect([res.status, faultsOf(res)]).toEqual([400, paths]);
});

describe('a password', () => {
  async function rowOf(id: string) {
    const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
    return rows[0] as Record<string, unknown>;
  }

  test('protection without a password is a fault, with one it holds, and the password is never returned', async () => {
    const { id } = await create();
    const bare = await api.patch('/smartlink', { id, shortener: { protected: true } });
    expect(faultsOf(bare)).toEqual(['shortener.password']);
    const set = await api.patch('/smartlink', { id, shortener: { protected: true, password: 'secret-1' } });
    expect(set.body.data.shortener).toEqual({ url: 'https://example.org/', protected: true });
    expect(JSON.stringify(await rowOf(id))).not.toContain('secret-1');
    expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
    expect(service.logLines.join('')).not.toContain('secret-1');
  });

  test('a password given while unprotected is kept, and protection can use it later', async () => {
    const { id } = await create({}, { password: 'secret-2' });
    const res = await api.patch('/smartlink', { id, shortener: { protected: true } });
    expect(res.body.data.shortener.protected).toBe(true);
    const off = await api.patch('/smartlink', { id, shortener: { protected: false } });
    expect(off.body.data.shortener.protected).toBe(false);
    expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
  });

  test('null clears it when unprotected and is a fault when protected', async () => {
    const { id } = await create({}, { protected: true, password: 'secret-3' });
    const fault = await api.patch('/smartlink', { id, shortener: { password: null } });
    expect([fault.status, faultsOf(fault)]).toEqual([400, ['shortener.password']]);
    const cleared = await api.patch('/smartlink', { id, shortener: { protected: false, password: null } });
    expect(cleared.status).toBe(200);
    expect((await rowOf(id))['password_hash']).toBeNull();
  });

  test('a new password moves the password version that unlock cookies are bound to; other changes do not', async () => {
    const { id } = await create({}, { protected: true, password: 'secret-4' });
    const before = (await rowOf(id))['password_version'] as number;
    await api.patch('/smartlink', { id, configuration: { smartlinkName: 'x' } });
    expect((await rowOf(id))['password_version']).toBe(before);
    await api.patch('/smartlink', { id, shortener: { password: 'secret-5' } });
    expect((await rowOf(id))['password_version']).toBe(before + 1);
  });
});

const createOf = async (body: object) => (await createSmartlink(api, body)).data;

async function patch(id: string, change: object) {
  const res = await api.patch('/smartlink', { id, ...change });
  expect([res.status, res.body.error]).toEqual([200, undefined]);
  expect((await api.get(`/smartlink?id=${id}`)).body.data).toEqual(res.body.data);
  return res.body.data as Record<string, unknown>;
}

describe('objects merge field by field, arrays replace whole', () => {
  test('null clears a field, and one with a default gets it back', async () => {
    const landing = { title: 'T', layout: 'Grid' };
    const { id } = await createOf(smartlink('Landing', { landing, landingButtons: [button()] }));
    const data = await patch(id, { landing: { title: null, layout: null }, landingButtons: null });
    expect(data['landing']).toEqual({ layout: 'List', theme: 'Auto' });
    expect(data).not.toHaveProperty('landingButtons');
  });

  test('buttons are replaced, [] clears them, and the order is kept', async () => {
    const { id } = await createOf(smartlink('QRTag', { qrTag: {}, qrTagButtons: [button(), button()] }));
    const wanted = [button({ title: 'z', position: 5 }), button({ title: 'a', position: 1 })];
    expect((await patch(id, { qrTagButtons: wanted }))['qrTagButtons']).toEqual(wanted);
    expect((await patch(id, { qrTagButtons: [] }))['qrTagButtons']).toEqual([]);
  });

  test('categories, items, variants and badges are replaced with the array that holds them', async () => {
    const category = (name: string, more: object = {}) => ({
      name,
      items: [item({ active: true, ...more })],
    });
    const full = category('a', { badges: ['x'], variants: [{ label: 'L', price: 1 }] });
    const rest = { title: 'T', currency: '€' };
    const { id } = await createOf(menu({ ...rest, categories: [full] }));
    for (const categories of [[category('b'), category('c', { badges: ['y'] })], []])
      expect((await patch(id, { qrMenu: { categories } }))['qrMenu']).toEqual({ ...rest, categories });
  });

  test("another type's content is neither checked nor stored", async () => {
    const { id } = await createOf(smartlink('TxtBin', { txtBin: { text: 'x' } }));
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
    const { id } = await createOf(urlSmartlink());
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
    const url = await createOf(
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

  test('keeps an appearance, which types without one neither return nor show', async () => {
    const appearance = { buttonStyle: 'outline', background: 'gradient' };
    const { id, configuration } = await createOf(smartlink('Landing', { landing: {}, appearance }));
    const key = (configuration as { smartlinkUrl: string }).smartlinkUrl.toLowerCase();
    const snapshot = async () => (await findSnapshots(service.app.pg, [key])).get(key);
    expect(await snapshot()).toMatchObject({ type: 'Landing', appearance });
    const url = await patch(id, { configuration: { smartlinkType: 'Url' }, shortener: { url: A } });
    expect(url).not.toHaveProperty('appearance');
    expect(await snapshot()).not.toHaveProperty('appearance');
    const tag = await patch(id, { configuration: { smartlinkType: 'QRTag' }, qrTag: {} });
    expect(tag['appearance']).toEqual(appearance);
    expect(await snapshot()).toMatchObject({ type: 'QRTag', appearance });
    const cleared = await patch(id, { appearance: { buttonStyle: null, background: null } });
    expect(cleared).not.toHaveProperty('appearance');
    const { rows } = await service.app.pg.query(
      'select details from audit_entries where smartlink_id = $1 order by id desc limit 1',
      [id],
    );
    expect(rows).toEqual([{ details: { changed: ['appearance'] } }]);
  });

  test('leaves the password alone: a shortener in a patch is ignored while the type is another one', async () => {
    const { id } = await createOf(urlSmartlink({}, { protected: true, password: 'secret1' }));
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
    const { id, configuration } = await createOf(urlSmartlink({}, { protected: true, password: 'secret1' }));
    const key = (configuration as { smartlinkUrl: string }).smartlinkUrl.toLowerCase();
    const snapshot = async () => (await findSnapshots(service.app.pg, [key])).get(key);
    expect(await snapshot()).toMatchObject({ type: 'Url', password: { version: 1 } });
    await patch(id, { configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } });
    expect(await snapshot()).toMatchObject({ type: 'TxtBin', page: { txtBin: { text: 'x' } } });
    expect(await snapshot()).not.toHaveProperty('password');
  });
});
