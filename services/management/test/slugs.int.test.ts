import { beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '@smartlink/process/database';
import { newId, type SmartlinkRow, storeSmartlinks } from '@smartlink/smartlink/store';
import { caller, type Caller, faultsOf, urlSmartlink, useService } from './start-service.js';

// Who may use an address, and when it is free again.

const { service, user, api } = useService();
let stranger: Caller;
let strangersId: string;
beforeAll(async () => {
  const { apiKey, userId } = await service.createUser();
  stranger = caller(service.app, apiKey);
  strangersId = userId;
});

const TAKEN = {
  code: 'SMARTLINK_URL_TAKEN',
  message: 'Smartlink URL is already taken',
  details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
};

const create = (who: Caller, smartlinkUrl?: string) => who.post('/smartlink', urlSmartlink({ smartlinkUrl }));
const createId = async (smartlinkUrl?: string) => (await create(api, smartlinkUrl)).body.data.id as string;
const rename = (id: string, smartlinkUrl: string) =>
  api.patch('/smartlink', { id, configuration: { smartlinkUrl } });
const slugsOf = async (id: string) => {
  const { rows } = await service.app.pg.query(
    'select key, is_primary from slugs where smartlink_id = $1 order by key',
    [id],
  );
  return rows as { key: string; is_primary: boolean }[];
};

let lastSlug = 0;
const newSlug = () => `rename${(lastSlug += 1)}`;

describe('a slug', () => {
  test.each([
    ...['Q', 'x'.repeat(64), '0', 'dashboard1', 'toString', 'constructor', 'api', 'docs', 'v1', 'admin'],
  ])('%s is an address as typed: only four words are reserved', async (slug) => {
    const res = await create(api, slug);
    expect([res.status, res.headers.location]).toEqual([201, `https://sl.example.com/${slug}`]);
  });

  test('taken in any case by any user is 409 and stores nothing', async () => {
    await create(api, 'Taken1');
    for (const who of [api, stranger]) {
      for (const slug of ['Taken1', 'taken1', 'TAKEN1']) {
        const res = await create(who, slug);
        expect([res.status, res.body.error]).toEqual([409, TAKEN]);
      }
    }
    expect((await stranger.get('/smartlink')).body.data).toEqual([]);
  });

  test('of an erased owner stays taken', async () => {
    const user = await service.createUser();
    await create(caller(service.app, user.apiKey), 'orphan');
    await service.app.pg.query('delete from users where id = $1', [user.userId]);
    expect((await create(api, 'Orphan')).body.error).toEqual(TAKEN);
  });
});

describe('the address and the alias of a deleted smartlink', () => {
  /** Renames a smartlink, deletes it, and returns both its addresses. */
  async function deletedLink(name: string): Promise<[string, string]> {
    const id = await createId(`${name}Old`);
    expect((await rename(id, `${name}New`)).status).toBe(200);
    expect((await api.delete('/smartlink', { smartlinkId: id })).status).toBe(200);
    return [`${name}Old`, `${name}New`];
  }

  test('do not go to another owner, and go to their own once, in a create', async () => {
    for (const slug of await deletedLink('Created')) {
      expect((await create(stranger, slug.toLowerCase())).body.error).toEqual(TAKEN);
      const next = await create(api, slug.toUpperCase());
      expect([next.status, next.headers.location]).toEqual([
        201,
        `https://sl.example.com/${slug.toUpperCase()}`,
      ]);
      expect((await create(api, slug)).body.error).toEqual(TAKEN);
    }
  });

  test('go to their owner in a rename', async () => {
    const id = await createId();
    for (const slug of await deletedLink('Renamed')) {
      const res = await rename(id, slug);
      expect([res.status, res.body.data.configuration.smartlinkUrl]).toEqual([200, slug]);
    }
  });
});

describe('a rename', () => {
  test('keeps the old address as an alias, and the owner may take it back on the same smartlink', async () => {
    const [a, b] = [newSlug(), newSlug()];
    const id = await createId(a);
    expect((await rename(id, b)).body.data.relink).toBe(`https://sl.example.com/${b}`);
    expect(await slugsOf(id)).toEqual([
      { key: a, is_primary: false },
      { key: b, is_primary: true },
    ]);
    expect((await rename(id, a.toUpperCase())).body.data.configuration.smartlinkUrl).toBe(a.toUpperCase());
    expect(await slugsOf(id)).toEqual([
      { key: a, is_primary: true },
      { key: b, is_primary: false },
    ]);
  });

  test('to another spelling of the same address makes no alias', async () => {
    const a = newSlug();
    const id = await createId(a);
    expect((await rename(id, a.toUpperCase())).body.data.configuration.smartlinkUrl).toBe(a.toUpperCase());
    expect(await slugsOf(id)).toEqual([{ key: a, is_primary: true }]);
  });

  test('to the address or alias of a smartlink that lives, Paused too, is 409 and changes nothing', async () => {
    const [a, b] = [newSlug(), newSlug()];
    const other = await createId(a);
    await rename(other, b);
    await api.post('/smartlink/status', { id: other, status: 'Paused' });
    const id = await createId();
    const { etag } = (await api.get(`/smartlink?id=${id}`)).headers;
    for (const taken of [a, b, b.toUpperCase()]) {
      const res = await rename(id, taken);
      expect([res.status, res.body.error]).toEqual([409, TAKEN]);
      for (const who of [api, stranger]) expect((await create(who, taken)).status).toBe(409);
    }
    expect((await api.get(`/smartlink?id=${id}`)).headers.etag).toBe(etag);
  });

  test('keeps twenty aliases and refuses the twenty-first', async () => {
    const id = await createId(newSlug());
    for (let i = 0; i < 20; i += 1) expect((await rename(id, newSlug())).status).toBe(200);
    const res = await rename(id, newSlug());
    expect([res.status, faultsOf(res)]).toEqual([400, ['configuration.smartlinkUrl']]);
    const aliases = (await slugsOf(id)).filter((slug) => !slug.is_primary);
    expect(aliases).toHaveLength(20);
    // An alias that is taken back is not a new one.
    expect((await rename(id, aliases[0]!.key)).status).toBe(200);
  });
});

describe('an imported address', () => {
  /** Stores a link as an import does; null if one of its addresses is not available. */
  const importLink = (
    slug: string | undefined,
    importedAddresses: readonly string[],
    userId = user.userId,
  ): Promise<SmartlinkRow | null> =>
    withTransaction(service.app.pg, async (client) => {
      const [row = null] = await storeSmartlinks(client, userId, [
        {
          ...{ id: newId(Date.now()), type: 'Url', name: 'Imported', slug, domain: null, openGraph: null },
          content: { Url: { shortener: { url: 'https://example.org/', protected: false } } },
          ...{ passwordHash: null, urlsChecked: false, past: { importedAddresses } },
        },
      ]);
      return row;
    });
  const importId = async (...codes: string[]) => (await importLink(undefined, codes))?.id ?? '';
  const read = async (id: string) => (await api.get(`/smartlink?id=${id}`)).body.data;
  const exactOf = async (key: string) =>
    (await service.app.pg.query('select exact from slugs where key = $1', [key])).rows[0].exact;

  test('has a key that no slug has, and Postgres takes no other keys', async () => {
    const insert = (key: string) =>
      service.app.pg
        .query('insert into slugs (key, slug, is_primary) values ($1, $1, false)', [key])
        .then(() => true);
    for (const key of ['=aB_-9', `=${'x'.repeat(64)}`, 'k'.repeat(64)]) expect(await insert(key)).toBe(true);
    const bad = [
      '',
      '=',
      'aB',
      'a-b',
      '=a.b',
      '=a=b',
      '=a\n',
      'ä',
      '=ä',
      'l'.repeat(65),
      `=${'y'.repeat(65)}`,
    ];
    for (const key of bad) await expect(insert(key)).rejects.toThrow('slugs_key_check');
  });

  test('is shown with its smartlink, and never read from a body', async () => {
    const id = await importId('spring-sale', '2dt1pnm_');
    expect((await read(id)).importedAddresses).toEqual(['spring-sale', '2dt1pnm_']);
    expect((await api.get('/smartlink?q=DT1pnm_')).body.data).toEqual([await read(id)]);
    const importedAddresses = ['autumn-sale'];
    const patched = await api.patch('/smartlink', { id, importedAddresses, openGraph: { title: 'T' } });
    expect(patched.body.data.importedAddresses).toEqual(['spring-sale', '2dt1pnm_']);
    const created = await api.post('/smartlink', { ...urlSmartlink(), importedAddresses });
    expect(created.status).toBe(201);
    expect(created.body.data).not.toHaveProperty('importedAddresses');
    expect(await slugsOf(created.body.data.id)).toHaveLength(1);
  });

  test('is taken for everyone else, and goes to its owner once its smartlink is deleted', async () => {
    const id = await importId('Table-5');
    for (const userId of [user.userId, strangersId]) {
      expect(await importLink(undefined, ['Table-5'], userId)).toBeNull();
    }
    expect(await importLink(undefined, ['table-5'], strangersId)).not.toBeNull();
    await api.delete('/smartlink', { smartlinkId: id });
    expect(await importLink(undefined, ['Table-5'], strangersId)).toBeNull();
    expect((await read(await importId('Table-5'))).importedAddresses).toEqual(['Table-5']);
  });

  test('is no former address: twenty leave room for twenty aliases', async () => {
    const codes = Array.from({ length: 20 }, (_, i) => `code-${i}`);
    const id = await importId(...codes);
    for (let i = 0; i < 20; i += 1) expect((await rename(id, newSlug())).status).toBe(200);
    expect((await rename(id, newSlug())).status).toBe(400);
    expect((await read(id)).importedAddresses).toEqual(codes);
  });

  test('that differs from a slug only in case is kept beside a slug of the same owner alone', async () => {
    await createId('Mixed');
    expect(await importLink(undefined, ['mIXED'], strangersId)).toBeNull();
    for (const code of ['Mixed', 'unheardOf']) expect(await importLink('other', [code])).toBeNull();
    expect(await exactOf('mixed')).toBeNull();
    const { rows } = await service.app.pg.query(
      `select key from slugs where key in ('=mIXED', '=Mixed', '=unheardOf', 'other')`,
    );
    expect(rows).toEqual([]);
    expect((await read(await importId('mIXED'))).importedAddresses).toEqual(['mIXED']);
    expect(await exactOf('mixed')).toEqual(['mIXED']);
  });

  test('that differs from a slug only in case publishes the smartlink of that slug again', async () => {
    const holder = await createId('Again');
    const { etag } = (await api.get(`/smartlink?id=${holder}`)).headers;
    await importId('aGAIN');
    const after = (await api.get(`/smartlink?id=${holder}`)).headers.etag;
    expect(after).not.toBe(etag);
    const { rows } = await service.app.pg.query(
      `select version from link_changes where slug_key = 'again' order by id desc limit 1`,
    );
    expect(`"${rows[0].version}"`).toBe(after);
  });

  test('is no spelling of another smartlink as long as it leads somewhere', async () => {
    const holder = await createId('Spelled');
    const id = await importId('sPELLED');
    expect((await rename(holder, 'sPELLED')).body.error).toEqual(TAKEN);
    expect((await rename(holder, 'SPELLED')).status).toBe(200);
    await api.delete('/smartlink', { smartlinkId: holder });
    expect((await create(api, 'sPELLED')).body.error).toEqual(TAKEN);
    await api.delete('/smartlink', { smartlinkId: id });
    expect((await create(api, 'sPELLED')).status).toBe(201);
    expect(await exactOf('spelled')).toEqual([]);
  });

  test('twenty differ from one slug only in case, and no twenty-first', async () => {
    await createId('abcdefgh');
    const codes = Array.from({ length: 21 }, (_, i) => spelled('abcdefgh', i + 1));
    for (const code of codes.slice(0, 20)) expect(await importLink(undefined, [code])).not.toBeNull();
    expect(await importLink(undefined, codes.slice(20))).toBeNull();
  });
});

/** `word` with the letters in upper case whose bits are set. */
const spelled = (word: string, bits: number) =>
  [...word].map((letter, i) => ((bits >> i) & 1 ? letter.toUpperCase() : letter)).join('');
